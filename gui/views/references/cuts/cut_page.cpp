// SPDX-License-Identifier: MIT
#include "views/references/cuts/cut_page.h"

#include <utility>

#include "review/review_cells.h"
#include "tables/cut_tables.h"
#include "widgets/text/counted_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

QString freedText(const CutAnswer& answer) {
  const engine::Retained freed = answer.whatIf.freed();
  const QString cuts = countedText(answer.whatIf.cuts().size(), QStringLiteral("cut"));
  if (freed.objects == 0) return QStringLiteral("%1 would free nothing: something else holds it all").arg(cuts);
  return QStringLiteral("%1 would free %2 in %3: %4 of what is held")
      .arg(cuts, bytesText(freed.bytes), countedText(freed.objects, QStringLiteral("object")),
           percentText(freed.bytes, answer.whatIf.snapshot().retainedTotals().reachableBytes));
}

QString togetherText(const CutAnswer& answer) {
  std::uint64_t alone = 0;
  for (const engine::CutShare& share : answer.whatIf.cuts()) alone += share.alone.bytes;
  const std::uint64_t freed = answer.whatIf.freed().bytes;
  if (alone == freed) return {};
  if (alone > freed)
    return QStringLiteral("One by one they come to %1, for some of them free the same.").arg(bytesText(alone));
  return QStringLiteral("One by one they come to %1: the rest is held by several of them.").arg(bytesText(alone));
}

engine::ReviewPage cutPage(const CutAnswer& answer) {
  const std::vector<engine::CutShare>& cuts = answer.whatIf.cuts();
  engine::ReviewTable table =
      engine::describedRows(engine::cutsTable().over(cuts), {"name", "kind", "places", "objects", "bytes", "cut"}, {});
  const engine::Retained freed = answer.whatIf.freed();
  const auto figure = [](std::uint64_t number, const QString& text) {
    return engine::ReviewCell{.text = text.toStdString(), .number = static_cast<std::int64_t>(number)};
  };
  if (cuts.size() > 1) {
    table.rows.push_back({{.text = QStringLiteral("All together").toStdString()},
                          {},
                          {},
                          figure(freed.objects, countText(freed.objects)),
                          figure(freed.bytes, bytesText(freed.bytes)),
                          {}});
  }
  return {.title = QStringLiteral("What if: %1").arg(freedText(answer)).toStdString(),
          .remark = QStringLiteral("Exact: all that no root leads to any more without the cuts. %1")
                        .arg(togetherText(answer))
                        .trimmed()
                        .toStdString(),
          .content = std::move(table)};
}

}  // namespace heapscape::gui
