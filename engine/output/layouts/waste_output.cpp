// SPDX-License-Identifier: MIT
#include "output/layouts/waste_output.h"

#include <fmt/format.h>

#include "output/table_output.h"
#include "output/text.h"
#include "tables/waste_tables.h"

namespace heapscape::engine {
namespace {

void writeSigned(JsonWriter& json, std::string_view name, std::int64_t number) {
  json.key(name);
  json.number(fmt::format("{}", number));
}

std::string readableSaving(std::int64_t bytes) {
  return bytes < 0 ? "-" + readableBytes(0 - static_cast<std::uint64_t>(bytes))
                   : readableBytes(static_cast<std::uint64_t>(bytes));
}

}  // namespace

void writeWaste(JsonWriter& json, const Waste& waste, std::optional<WasteGrouping> grouping,
                const RowSelection& selection) {
  writeTable(json, wasteTable().over(waste.rows), selection);
  if (grouping) writeTable(json, wasteGroupsTable().with(groupWaste(waste, *grouping)), selection);
  json.key("totals");
  json.beginObject();
  json.member("types", waste.rows.size());
  json.member("paddingBytes", waste.paddingBytes);
  json.member("separatedBytes", waste.separatedBytes);
  json.member("roundingBytes", waste.roundingBytes);
  json.member("arrayEndBytes", waste.arrayEndBytes);
  json.member("heapBytes", waste.heapBytes);
  writeSigned(json, "savedByAllBest", waste.savedByAllBest);
  json.member("typesNotComputed", waste.typesNotComputed);
  json.endObject();
}

void writeWasteText(Output& output, const Waste& waste, std::optional<WasteGrouping> grouping,
                    const RowSelection& selection) {
  if (grouping) {
    writeTableText(output, wasteGroupsTable().with(groupWaste(waste, *grouping)), selection);
  } else {
    writeTableText(output, wasteTable().over(waste.rows), selection);
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

}  // namespace heapscape::engine
