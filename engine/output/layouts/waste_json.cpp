// SPDX-License-Identifier: MIT
#include "output/layouts/waste_json.h"

#include <fmt/format.h>

#include "output/table_output.h"
#include "tables/waste_tables.h"

namespace heapscape::engine {
namespace {

void writeSigned(JsonWriter& json, std::string_view name, std::int64_t number) {
  json.key(name);
  json.number(fmt::format("{}", number));
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

}  // namespace heapscape::engine
