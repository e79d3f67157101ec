// SPDX-License-Identifier: MIT
#include "output/layouts/waste_text.h"

#include <fmt/format.h>

#include "output/text.h"
#include "output/text_table.h"
#include "output/tsv_line.h"
#include "output/types/type_name_forms.h"

namespace heapscape::engine {
namespace {

using Align = TextTable::Align;

std::string readableSaving(std::int64_t bytes) {
  return bytes < 0 ? "-" + readableBytes(0 - static_cast<std::uint64_t>(bytes))
                   : readableBytes(static_cast<std::uint64_t>(bytes));
}

std::string sizesOf(const WasteRow& row) {
  if (row.bestBytes == row.instanceBytes) return fmt::format("{}", row.instanceBytes);
  return fmt::format("{} → {}", row.instanceBytes, row.bestBytes);
}

std::string meansOf(const WasteRow& row) {
  if (!row.separation.empty()) return "(on purpose)";
  return row.means == AdviceKind::NothingToGain ? "" : toString(row.means);
}

void writeTypes(Output& output, const Waste& waste, const RowSelection& selection) {
  TextTable table({{"Would save", Align::Right},
                   {"By"},
                   {"Own padding", Align::Right},
                   {"Size", Align::Right},
                   {"Objects", Align::Right},
                   {"Elements", Align::Right},
                   {"As fields", Align::Right},
                   {"Derived", Align::Right},
                   {"Assembly"},
                   {"Type"}});
  for (const WasteRow& row : selection.of(waste.rows)) {
    table.addRow({readableSaving(row.savedByBest), meansOf(row), readableBytes(row.ownPaddingBytes), sizesOf(row),
                  readableCount(row.count), readableCount(row.elements), readableCount(row.nested),
                  readableCount(row.derived), row.assembly, row.type});
  }
  table.write(output);
}

void writeGroups(Output& output, const std::vector<WasteGroup>& groups, const RowSelection& selection) {
  TextTable table({{"Would save", Align::Right}, {"Own padding", Align::Right}, {"Types", Align::Right}, {"Name"}});
  for (const WasteGroup& group : selection.of(groups)) {
    table.addRow({readableSaving(group.savedByBest), readableBytes(group.ownPaddingBytes), readableCount(group.types),
                  group.name.empty() ? "(none)" : group.name});
  }
  table.write(output);
}

}  // namespace

void writeWasteText(Output& output, const Waste& waste, std::optional<WasteGrouping> grouping,
                    const RowSelection& selection) {
  if (grouping) {
    writeGroups(output, groupWaste(waste, *grouping), selection);
  } else {
    writeTypes(output, waste, selection);
  }
  output.write(fmt::format(
      "Padding: {} bytes, {}% of the {} bytes of all objects; {} of them behind boxed values. "
      "Behind the ends of arrays and strings lie {} bytes more.\n",
      readableCount(waste.paddingBytes), percentOf(waste.paddingBytes, waste.heapBytes), readableCount(waste.heapBytes),
      readableCount(waste.roundingBytes), readableCount(waste.arrayEndBytes)));
  output.write(fmt::format(
      "All types but the framework's declared their best together would save {}, {}% of the bytes "
      "of all objects. The declarations: heapscape-cli layout DUMP TYPE --best\n",
      readableSaving(waste.savedByAllBest),
      waste.savedByAllBest > 0 ? percentOf(static_cast<std::uint64_t>(waste.savedByAllBest), waste.heapBytes) : 0));
  if (waste.separatedBytes) {
    output.write(fmt::format(
        "{} of this padding are there on purpose, in types that are separated for processors' caches; they are not "
        "counted among what would be saved.\n",
        countOf(waste.separatedBytes, "byte")));
  }
  if (waste.typesNotComputed)
    output.write(fmt::format("Savings leave out {} whose layout cannot be computed.\n",
                             countOf(waste.typesNotComputed, "type")));
}

void writeWasteTsv(Output& output, const Waste& waste, const RowSelection& selection) {
  writeTsvLine(output, {"type", "assembly", "methodTable", "framework", "count", "elements", "nested", "derived",
                        "paddingBytes", "ownPaddingBytes", "size", "bestSize", "means", "savedByAuto",
                        "savedBySequential", "savedBytes", "order", "separated"});
  const auto text = [](auto number) { return fmt::format("{}", number); };
  for (const WasteRow& row : selection.of(waste.rows)) {
    if (output.hasFailed()) return;
    writeTsvLine(output, {metadataTypeName(row.type), row.assembly, toString(row.methodTable),
                          row.isFramework ? "true" : "false", text(row.count), text(row.elements), text(row.nested),
                          text(row.derived), text(row.paddingBytes), text(row.ownPaddingBytes), text(row.instanceBytes),
                          text(row.bestBytes), toString(row.means), text(row.savedByAuto), text(row.savedBySequential),
                          text(row.savedByBest), fmt::format("{}", fmt::join(row.order, ",")), row.separation});
  }
}

}  // namespace heapscape::engine
