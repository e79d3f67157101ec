// SPDX-License-Identifier: MIT
#include "insight/detectors/detectors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/figures.h"
#include "insight/insight_groups.h"
#include "session/layouts/declared_layouts.h"
#include "session/layouts/waste_query.h"

namespace heapscape::engine {
namespace {

/// PaddingWaste, an insight for each type of the program.
class PaddingWaste : public Detector {
 public:
  std::vector<InsightKind> kinds() const override { return {InsightKind::PaddingWaste}; }
  Outcome<void> find(const InsightInput& input, FoundInsights& found, FindingList& findings, StageProgress& progress,
                     std::stop_token stop) override;
};

std::string adviceFor(const WasteRow& row) {
  const std::string order = fmt::format("{}", fmt::join(row.order, ", "));
  std::string advice = fmt::format("Declare it as its layout page proposes ({})", toString(row.means));
  if (!row.order.empty()) advice += fmt::format(", its fields in the order {}", order);
  return advice + fmt::format(": {} bytes rather than {}.", row.bestBytes, row.instanceBytes);
}

/// Items and owners, as far as there are objects of the type itself. Where only these shrink, and all alike, it is
/// known which bytes of each, and those that wait to be collected are left out.
void addObjects(const InsightInput& input, TypeId type, const WasteRow& row, FoundInsight& found) {
  const bool isAlone = !row.elements && !row.nested && !row.derived && row.count;
  const std::uint64_t each = isAlone ? found.insight.bytes / row.count : 0;
  InsightGroup group(type);
  for (const std::uint32_t object : input.objectsOf(std::span(&type, 1))) group.addAlone(object, each);
  FoundInsight of = group.finish(input, InsightKind::PaddingWaste, {});
  found.insight.items = std::move(of.insight.items);
  found.insight.owners = std::move(of.insight.owners);
  if (!isAlone) return;
  found.claims = std::move(of.claims);
  found.insight.bytes = of.insight.bytes;
  found.insight.objects = of.insight.objects;
}

/// Told so that nobody looks for these bytes, which are in no sum.
void addSeparated(const WasteRow& row, FoundInsights& found) {
  found.insights.push_back(
      {{.kind = InsightKind::PaddingWaste,
        .meaning = InsightMeaning::Held,
        .title = fmt::format("Fields of {} in cache lines of their own", row.type),
        .subject = row.type,
        .advice = row.separation + " Nothing of it is counted as waste.",
        .methodTable = row.methodTable,
        .bytes = row.ownPaddingBytes,
        .objects = row.count + row.elements + row.nested + row.derived,
        .facts = {{"Size", fmt::format("{}", row.instanceBytes)}, {"Objects", readableCount(row.count)}}}});
}

}  // namespace

Outcome<void> PaddingWaste::find(const InsightInput& input, FoundInsights& found, FindingList&, StageProgress&,
                                 std::stop_token stop) {
  HEAPSCAPE_TRY(const DeclaredLayouts layouts, DeclaredLayouts::ofDump(input.snapshot));
  HEAPSCAPE_TRY(const std::vector<WasteRow> rows, wasteToWinBack(input.snapshot, layouts, stop));
  for (const WasteRow& row : rows) {
    if (row.owner == CodeOwner::Framework) continue;
    if (!row.separation.empty()) addSeparated(row, found);
    if (row.savedByBest <= 0) continue;
    const auto bytes = static_cast<std::uint64_t>(row.savedByBest);
    if (bytes < input.minimumBytes) {
      ++found.smallInsights;
      found.smallBytes += bytes;
      continue;
    }
    FoundInsight one{{.kind = InsightKind::PaddingWaste,
                      .title = fmt::format("Fields of {} in an order that leaves gaps", row.type),
                      .subject = row.type,
                      .advice = adviceFor(row),
                      .methodTable = row.methodTable,
                      .bytes = bytes,
                      .objects = row.count + row.elements + row.nested + row.derived}};
    one.insight.facts = {{"Size", fmt::format("{} → {}", row.instanceBytes, row.bestBytes)},
                         {"Objects", readableCount(row.count)},
                         {"Array elements", readableCount(row.elements)},
                         {"In fields", readableCount(row.nested)},
                         {"Derived objects", readableCount(row.derived)}};
    one.insight.ids = input.objectsOf(row.holders);
    if (const TypeIndex::Slot* type = input.contents.heap->types.find(row.methodTable.value))
      addObjects(input, {type->type}, row, one);
    if (one.insight.bytes) found.insights.push_back(std::move(one));
  }
  return {};
}

std::unique_ptr<Detector> makePaddingWaste() {
  return std::make_unique<PaddingWaste>();
}

}  // namespace heapscape::engine
