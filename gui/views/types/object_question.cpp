// SPDX-License-Identifier: MIT
#include "views/types/object_question.h"

#include <QObject>

#include "widgets/text/figures.h"

namespace heapscape::gui {

using engine::ObjectField;

engine::Outcome<std::shared_ptr<const FoundObjectList>> searchObjects(const engine::Snapshot& snapshot,
                                                                      const std::string& text,
                                                                      engine::ObjectSearch search,
                                                                      engine::ProgressSink* progress,
                                                                      std::stop_token stop) {
  auto query = engine::makeQuery(text, engine::objectSchema());
  if (!query) return tl::unexpected(engine::Unfinished(engine::toError(query.error())));
  search.query = std::move(*query);
  if (search.sortBy && !engine::isFieldKnown(snapshot, *search.sortBy))
    search.sortBy = engine::referenceTo(ObjectField::Size);
  HEAPSCAPE_TRY(engine::FoundObjects found, engine::findObjects(snapshot, search, progress, std::move(stop)));
  return std::make_shared<const FoundObjectList>(FoundObjectList{snapshot, std::move(search), std::move(found)});
}

QString searchProgressText(const engine::Progress& progress) {
  const bool isSorting = progress.activity == engine::kSortingObjects;
  return QStringLiteral("%1… %2%")
      .arg(isSorting ? QStringLiteral("Sorting") : QStringLiteral("Searching"))
      .arg(static_cast<int>(progress.fraction * 100));
}

QString objectTotals(const engine::FoundObjects& found) {
  QStringList parts{countedText(found.objects, QStringLiteral("object")), bytesText(found.bytes)};
  if (found.unreadable) {
    parts << QStringLiteral("⚠ ") +
                 countedText(found.unreadable, QStringLiteral("value unreadable"), QStringLiteral("values unreadable"));
  }
  return parts.join(QStringLiteral(" · "));
}

QString objectTotalsTip(const engine::FoundObjects& found) {
  QString tip = objectTotals(found) + QLatin1Char('\n') + exactBytesText(found.bytes);
  if (found.unreadable)
    tip += QLatin1Char('\n') + QStringLiteral("Values that are damaged or not in the dump fit no comparison.");
  return tip;
}

}  // namespace heapscape::gui
