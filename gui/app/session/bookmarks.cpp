// SPDX-License-Identifier: MIT
#include "app/session/bookmarks.h"

#include <QCryptographicHash>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMenu>
#include <QSettings>
#include <algorithm>
#include <ranges>
#include <utility>

#include "app/place_info.h"
#include "session/snapshot/snapshot.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

constexpr std::size_t kSegmentsTold = 1000;  // no two heaps are alike in so many

// JSON's numbers do not hold all addresses.
QString keptAddress(engine::Address address) {
  return QString::number(address.value, 16);
}

engine::Address addressAt(const QJsonObject& kept, const char* key) {
  return engine::Address{kept.value(QLatin1String(key)).toString().toULongLong(nullptr, 16)};
}

template <class Page>
Page pageAt(const QJsonObject& kept, const char* key, Page last) {
  const int page = kept.value(QLatin1String(key)).toInt();
  return page >= 0 && page <= static_cast<int>(last) ? static_cast<Page>(page) : Page{};
}

}  // namespace

QString keptText(const Location& location) {
  QJsonObject kept{{u"place"_s, placeName(location.place)}};
  if (location.selection.object) kept.insert(u"object"_s, keptAddress(location.selection.object));
  if (location.selection.methodTable) kept.insert(u"type"_s, keptAddress(location.selection.methodTable));
  if (location.place == PlaceId::References) kept.insert(u"references"_s, static_cast<int>(location.page));
  if (location.place == PlaceId::Layouts) kept.insert(u"layouts"_s, static_cast<int>(location.layoutsPage));
  if (location.place == PlaceId::Segments && location.onMap.methodTable)
    kept.insert(u"onMap"_s, keptAddress(location.onMap.methodTable));
  if (location.place == PlaceId::Types) {
    kept.insert(u"types"_s, static_cast<int>(location.typesPage));
    if (!location.objectsQuery.isEmpty()) kept.insert(u"query"_s, location.objectsQuery);
  }
  return QString::fromUtf8(QJsonDocument(kept).toJson(QJsonDocument::Compact));
}

std::optional<Location> locationOf(const QString& text) {
  const QJsonObject kept = QJsonDocument::fromJson(text.toUtf8()).object();
  const auto place = placeByName(kept.value(u"place"_s).toString());
  if (!place) return std::nullopt;
  Location location{.place = *place, .selection = {}, .scope = {}};
  location.selection.object = addressAt(kept, "object");
  location.selection.methodTable = addressAt(kept, "type");
  location.onMap.methodTable = addressAt(kept, "onMap");
  location.page = pageAt(kept, "references", ReferencesPage::WhyAlive);
  location.layoutsPage = pageAt(kept, "layouts", LayoutsPage::Compare);
  location.typesPage = pageAt(kept, "types", TypesPage::Objects);
  location.objectsQuery = kept.value(u"query"_s).toString();
  return location;
}

QString identityOf(const engine::Snapshot& snapshot) {
  QCryptographicHash hash(QCryptographicHash::Sha1);
  const auto add = [&hash](std::uint64_t figure) { hash.addData(QByteArray::number(qulonglong{figure}) + ' '); };
  const engine::Summary& summary = snapshot.summary();
  hash.addData(QByteArray::fromStdString(summary.runtime.buildId));
  add(summary.dump.pid);
  add(summary.dump.threads);
  add(snapshot.segments().size());
  for (const engine::Segment& segment : snapshot.segments() | std::views::take(kSegmentsTold)) {
    add(segment.objects.start.value);
    add(segment.objects.end.value);
  }
  return QString::fromLatin1(hash.result().toHex());
}

namespace {

constexpr std::size_t kMostBookmarks = 200;
constexpr QLatin1String kName("name");
constexpr QLatin1String kLocation("location");

}  // namespace

Bookmarks::Bookmarks(const EngineBridge& bridge, Navigator& navigator, std::function<QString(PlaceId)> titleOf)
    : m_bridge(bridge), m_navigator(navigator), m_titleOf(std::move(titleOf)) {}

bool Bookmarks::canBeKept() const {
  return m_bridge.snapshot() && m_bridge.snapshot()->has(engine::Stage::Segments);
}

QString Bookmarks::key() const {
  return u"bookmarks/%1"_s.arg(identityOf(*m_bridge.snapshot()));
}

std::vector<Bookmark> Bookmarks::all() const {
  std::vector<Bookmark> bookmarks;
  if (!canBeKept()) return bookmarks;
  QSettings store;
  const int count = store.beginReadArray(key());
  for (int index = 0; index < count && bookmarks.size() < kMostBookmarks; ++index) {
    store.setArrayIndex(index);
    const auto location = locationOf(store.value(kLocation).toString());
    if (location) bookmarks.push_back({store.value(kName).toString(), *location});
  }
  return bookmarks;
}

void Bookmarks::keep(const std::vector<Bookmark>& bookmarks) const {
  QSettings store;
  store.remove(key());
  if (bookmarks.empty()) return;
  store.beginWriteArray(key(), static_cast<int>(bookmarks.size()));
  for (std::size_t index = 0; index < bookmarks.size(); ++index) {
    store.setArrayIndex(static_cast<int>(index));
    store.setValue(kName, bookmarks[index].name);
    store.setValue(kLocation, keptText(bookmarks[index].location));
  }
  store.endArray();
}

bool Bookmarks::isHere() const {
  const QString here = keptText(m_navigator.location());
  return std::ranges::any_of(all(), [&](const Bookmark& bookmark) { return keptText(bookmark.location) == here; });
}

QString Bookmarks::toggle() {
  std::vector<Bookmark> bookmarks = all();
  const QString here = keptText(m_navigator.location());
  const auto isHere = [&](const Bookmark& bookmark) { return keptText(bookmark.location) == here; };
  if (std::erase_if(bookmarks, isHere) > 0) {
    keep(bookmarks);
    return u"Bookmark removed"_s;
  }
  if (bookmarks.size() == kMostBookmarks) return u"Not saved: there are %1 bookmarks"_s.arg(kMostBookmarks);
  bookmarks.push_back({nameHere(), m_navigator.location()});
  keep(bookmarks);
  return u"Bookmarked: %1"_s.arg(bookmarks.back().name);
}

void Bookmarks::forgetAll() {
  keep({});
}

QString Bookmarks::nameHere() const {
  const Location& location = m_navigator.location();
  QString name = m_titleOf(location.place);
  const engine::Snapshot& snapshot = *m_bridge.snapshot();
  const engine::TypeId type = snapshot.typeOf(location.selection.methodTable);
  if (!type.isNone()) name += u" · "_s + shortTypeName(snapshot.types()[type.value].name);
  if (location.selection.object) name += u" · "_s + fromEngine(engine::toString(location.selection.object));
  if (location.place == PlaceId::Types && location.typesPage == TypesPage::Objects && !location.objectsQuery.isEmpty())
    name += u" · "_s + location.objectsQuery;
  return name;
}

void fillBookmarkMenu(QMenu& menu, Bookmarks& bookmarks) {
  menu.clear();
  const std::vector<Bookmark> all = bookmarks.all();
  for (const Bookmark& bookmark : all) {
    // A lone & would be taken for the mark of a key.
    const QString name = QString(bookmark.name).replace(QLatin1Char('&'), u"&&"_s);
    menu.addAction(symbolIcon(u"bookmark"_s), name, &menu, [&bookmarks, bookmark] { bookmarks.goTo(bookmark); });
  }
  if (all.empty()) {
    menu.addAction(u"None of this dump yet"_s)->setEnabled(false);
    return;
  }
  menu.addSeparator();
  menu.addAction(u"Forget all of this dump"_s, &menu, [&bookmarks] { bookmarks.forgetAll(); });
}

}  // namespace heapscape::gui
