// SPDX-License-Identifier: MIT
#include "app/settings.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSettings>
#include <memory>

#include "app/main_window.h"

namespace heapscape::gui {

namespace {

constexpr auto kRecent = "recentDumps";
constexpr auto kTheme = "theme";
constexpr auto kInspector = "inspectorShown";
constexpr auto kReopensLast = "reopensLast";
constexpr auto kKeepsAnswers = "keepsAnswers";
constexpr auto kOwnCode = "code/own";
constexpr auto kPackages = "code/packages";
constexpr auto kSessionPath = "session/path";
constexpr auto kSessionIdentity = "session/identity";
constexpr auto kSessionLocation = "session/location";
constexpr auto kGeometry = "geometry";
constexpr auto kSplit = "split";
constexpr auto kSearch = "search";
constexpr auto kSearchFolder = "folder";
constexpr auto kSearchPlaces = "places";
constexpr int kMostSearchFolders = 100;

constexpr QLatin1String kProgram("heapscape");  // its file and the folder of that

std::unique_ptr<QSettings> storeOf(const QString& file) {
  if (file.isEmpty()) {
    return std::make_unique<QSettings>(QSettings::IniFormat, QSettings::UserScope, kProgram, kProgram);
  }
  return std::make_unique<QSettings>(file, QSettings::IniFormat);
}

std::map<QString, QStringList> loadSearchPlaces(QSettings& store) {
  std::map<QString, QStringList> places;
  const int folders = qBound(0, store.beginReadArray(QLatin1String(kSearch)), kMostSearchFolders);
  for (int folder = 0; folder < folders; ++folder) {
    store.setArrayIndex(folder);
    places[store.value(QLatin1String(kSearchFolder)).toString()] =
        store.value(QLatin1String(kSearchPlaces)).toStringList();
  }
  store.endArray();
  return places;
}

void saveSearchPlaces(QSettings& store, const std::map<QString, QStringList>& places) {
  store.remove(QLatin1String(kSearch));
  store.beginWriteArray(QLatin1String(kSearch));
  int index = 0;
  for (const auto& [folder, paths] : places) {
    if (index == kMostSearchFolders) break;
    store.setArrayIndex(index++);
    store.setValue(QLatin1String(kSearchFolder), folder);
    store.setValue(QLatin1String(kSearchPlaces), paths);
  }
  store.endArray();
}

std::vector<std::string> beginningsOf(const QVariant& kept) {
  std::vector<std::string> beginnings;
  for (const QString& beginning : kept.toStringList())
    if (!beginning.isEmpty()) beginnings.push_back(beginning.toStdString());
  return beginnings;
}

QStringList keptBeginnings(const std::vector<std::string>& beginnings) {
  QStringList kept;
  for (const std::string& beginning : beginnings) kept << QString::fromStdString(beginning);
  return kept;
}

QString folderOf(const QString& assembly) {
  return QFileInfo(assembly).absolutePath();
}

}  // namespace

// Where Qt keeps the settings of a program that names no organization, as this one did.
void nameSettings() {
  QCoreApplication::setOrganizationName(kProgram);
  QSettings::setDefaultFormat(QSettings::IniFormat);
  QSettings old(QSettings::NativeFormat, QSettings::UserScope, u"Unknown Organization"_s, kProgram);
  const QStringList keys = old.allKeys();
  const QFileInfo file(old.fileName());
  if (!file.isFile()) return;
  QSettings own;
  for (const QString& key : keys) {
    if (!own.contains(key)) own.setValue(key, old.value(key));
  }
  own.sync();
  if (own.status() != QSettings::NoError || !QFile::remove(file.filePath())) return;
  QDir().rmdir(file.path());  // unless other programs keep something there
}

void Settings::remember(const QString& path) {
  recentDumps.removeAll(path);
  recentDumps.prepend(path);
  while (recentDumps.size() > kMostRecentDumps) recentDumps.removeLast();
}

void Settings::addSearchPlace(const QString& assembly, const QString& place) {
  QStringList& places = searchPlaces[folderOf(assembly)];
  if (!places.contains(place)) places << place;
}

QStringList Settings::searchPlacesFor(const QString& assembly) const {
  const auto found = searchPlaces.find(folderOf(assembly));
  return found == searchPlaces.end() ? QStringList() : found->second;
}

void Settings::forgetSearchPlaces(const QString& assembly) {
  searchPlaces.erase(folderOf(assembly));
}

Settings loadSettings(const QString& file) {
  const std::unique_ptr<QSettings> store = storeOf(file);
  Settings settings;
  settings.recentDumps = store->value(QLatin1String(kRecent)).toStringList();
  tryParseTheme(store->value(QLatin1String(kTheme)).toString(), settings.theme);
  settings.isInspectorShown = store->value(QLatin1String(kInspector), true).toBool();
  settings.reopensLast = store->value(QLatin1String(kReopensLast), false).toBool();
  settings.keepsAnswers = store->value(QLatin1String(kKeepsAnswers), true).toBool();
  settings.namedCode = {beginningsOf(store->value(QLatin1String(kOwnCode))),
                        beginningsOf(store->value(QLatin1String(kPackages)))};
  settings.session = {.path = store->value(QLatin1String(kSessionPath)).toString(),
                      .identity = store->value(QLatin1String(kSessionIdentity)).toString(),
                      .location = store->value(QLatin1String(kSessionLocation)).toString()};
  settings.geometry = store->value(QLatin1String(kGeometry)).toByteArray();
  settings.split = store->value(QLatin1String(kSplit)).toByteArray();
  settings.searchPlaces = loadSearchPlaces(*store);
  return settings;
}

void saveSettings(const Settings& settings, const QString& file) {
  const std::unique_ptr<QSettings> store = storeOf(file);
  store->setValue(QLatin1String(kRecent), settings.recentDumps);
  store->setValue(QLatin1String(kTheme), themeName(settings.theme));
  store->setValue(QLatin1String(kInspector), settings.isInspectorShown);
  store->setValue(QLatin1String(kReopensLast), settings.reopensLast);
  store->setValue(QLatin1String(kKeepsAnswers), settings.keepsAnswers);
  store->setValue(QLatin1String(kOwnCode), keptBeginnings(settings.namedCode.own));
  store->setValue(QLatin1String(kPackages), keptBeginnings(settings.namedCode.packages));
  store->setValue(QLatin1String(kSessionPath), settings.session.path);
  store->setValue(QLatin1String(kSessionIdentity), settings.session.identity);
  store->setValue(QLatin1String(kSessionLocation), settings.session.location);
  store->setValue(QLatin1String(kGeometry), settings.geometry);
  store->setValue(QLatin1String(kSplit), settings.split);
  saveSearchPlaces(*store, settings.searchPlaces);
}

SettingsKeeper::SettingsKeeper(const MainWindow& window, std::optional<Theme> themeOfRun, const QString& file,
                               QObject* parent)
    : QObject(parent), m_window(window), m_themeOfRun(themeOfRun), m_file(file) {
  connect(&window, &MainWindow::settingsChanged, this, &SettingsKeeper::save);
}

void SettingsKeeper::save() const {
  Settings kept = m_window.settings();
  if (kept.theme == m_themeOfRun) kept.theme = loadSettings(m_file).theme;
  saveSettings(kept, m_file);
}

}  // namespace heapscape::gui
