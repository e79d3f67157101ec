// SPDX-License-Identifier: MIT
#include "output/layouts/waste_json.h"

#include <fmt/format.h>

#include "output/types/type_name_forms.h"

namespace heapscape::engine {
namespace {

void writeSigned(JsonWriter& json, std::string_view name, std::int64_t number) {
  json.key(name);
  json.number(fmt::format("{}", number));
}

void writeRow(JsonWriter& json, const WasteRow& row) {
  json.beginObject();
  json.member("type", metadataTypeName(row.type));
  json.member("name", row.type);
  json.member("assembly", row.assembly);
  json.member("namespace", row.nameSpace);
  json.member("methodTable", row.methodTable);
  json.member("kind", toString(row.kind));
  json.member("framework", row.isFramework);
  json.member("count", row.count);
  json.member("elements", row.elements);
  json.member("nested", row.nested);
  json.member("derived", row.derived);
  json.member("paddingBytes", row.paddingBytes);
  json.member("ownPaddingBytes", row.ownPaddingBytes);
  json.member("size", row.instanceBytes);
  json.member("bestSize", row.bestBytes);
  writeSigned(json, "savedBytes", row.savedByBest);
  json.key("savings");
  json.beginObject();
  writeSigned(json, "auto", row.savedByAuto);
  writeSigned(json, "sequential", row.savedBySequential);
  writeSigned(json, "best", row.savedByBest);
  json.endObject();
  json.member("means", toString(row.means));
  json.key("order");
  json.beginArray();
  for (const std::string& field : row.order) json.value(field);
  json.endArray();
  if (!row.separation.empty()) json.member("separated", row.separation);
  json.endObject();
}

void writeGroups(JsonWriter& json, const std::vector<WasteGroup>& groups, const RowSelection& selection) {
  json.key("groups");
  json.beginRows();
  for (const WasteGroup& group : selection.of(groups)) {
    json.beginObject();
    json.member("name", group.name);
    json.member("types", group.types);
    json.member("ownPaddingBytes", group.ownPaddingBytes);
    writeSigned(json, "savedBytes", group.savedByBest);
    json.endObject();
  }
  json.endArray();
}

}  // namespace

void writeWaste(JsonWriter& json, const Waste& waste, std::optional<WasteGrouping> grouping,
                const RowSelection& selection) {
  json.key("waste");
  json.beginRows();
  for (const WasteRow& row : selection.of(waste.rows)) writeRow(json, row);
  json.endArray();
  if (grouping) writeGroups(json, groupWaste(waste, *grouping), selection);
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
