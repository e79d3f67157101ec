// SPDX-License-Identifier: MIT
#include "app/session/kept_location.h"

#include <QCryptographicHash>
#include <QJsonDocument>
#include <QJsonObject>
#include <ranges>

#include "app/place_info.h"
#include "session/snapshot/snapshot.h"

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
  QJsonObject kept{{QStringLiteral("place"), placeName(location.place)}};
  if (location.selection.object) kept.insert(QStringLiteral("object"), keptAddress(location.selection.object));
  if (location.selection.methodTable) kept.insert(QStringLiteral("type"), keptAddress(location.selection.methodTable));
  if (location.place == PlaceId::References) kept.insert(QStringLiteral("references"), static_cast<int>(location.page));
  if (location.place == PlaceId::Layouts)
    kept.insert(QStringLiteral("layouts"), static_cast<int>(location.layoutsPage));
  if (location.place == PlaceId::Types) {
    kept.insert(QStringLiteral("types"), static_cast<int>(location.typesPage));
    if (!location.objectsQuery.isEmpty()) kept.insert(QStringLiteral("query"), location.objectsQuery);
  }
  return QString::fromUtf8(QJsonDocument(kept).toJson(QJsonDocument::Compact));
}

std::optional<Location> locationOf(const QString& text) {
  const QJsonObject kept = QJsonDocument::fromJson(text.toUtf8()).object();
  const auto place = placeByName(kept.value(QStringLiteral("place")).toString());
  if (!place) return std::nullopt;
  Location location{.place = *place, .selection = {}, .scope = {}};
  location.selection.object = addressAt(kept, "object");
  location.selection.methodTable = addressAt(kept, "type");
  location.page = pageAt(kept, "references", ReferencesPage::WhyAlive);
  location.layoutsPage = pageAt(kept, "layouts", LayoutsPage::Compare);
  location.typesPage = pageAt(kept, "types", TypesPage::Objects);
  location.objectsQuery = kept.value(QStringLiteral("query")).toString();
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

}  // namespace heapscape::gui
