// SPDX-License-Identifier: MIT
#include "app/settings.h"

#include <QSettings>
#include <memory>

namespace heapscape::gui {

namespace {

constexpr auto kRecent = "recentDumps";
constexpr auto kTheme = "theme";
constexpr auto kInspector = "inspectorShown";
constexpr auto kGeometry = "geometry";
constexpr auto kSplit = "split";

std::unique_ptr<QSettings> storeOf(const QString& file) {
  if (file.isEmpty()) {
    return std::make_unique<QSettings>(QSettings::IniFormat, QSettings::UserScope, QStringLiteral("heapscape"),
                                       QStringLiteral("heapscape"));
  }
  return std::make_unique<QSettings>(file, QSettings::IniFormat);
}

}  // namespace

void Settings::remember(const QString& path) {
  recentDumps.removeAll(path);
  recentDumps.prepend(path);
  while (recentDumps.size() > kMostRecentDumps) recentDumps.removeLast();
}

Settings loadSettings(const QString& file) {
  const std::unique_ptr<QSettings> store = storeOf(file);
  Settings settings;
  settings.recentDumps = store->value(QLatin1String(kRecent)).toStringList();
  tryParseTheme(store->value(QLatin1String(kTheme)).toString(), settings.theme);
  settings.isInspectorShown = store->value(QLatin1String(kInspector), true).toBool();
  settings.geometry = store->value(QLatin1String(kGeometry)).toByteArray();
  settings.split = store->value(QLatin1String(kSplit)).toByteArray();
  return settings;
}

void saveSettings(const Settings& settings, const QString& file) {
  const std::unique_ptr<QSettings> store = storeOf(file);
  store->setValue(QLatin1String(kRecent), settings.recentDumps);
  store->setValue(QLatin1String(kTheme), themeName(settings.theme));
  store->setValue(QLatin1String(kInspector), settings.isInspectorShown);
  store->setValue(QLatin1String(kGeometry), settings.geometry);
  store->setValue(QLatin1String(kSplit), settings.split);
}

}  // namespace heapscape::gui
