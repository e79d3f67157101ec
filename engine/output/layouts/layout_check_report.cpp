// SPDX-License-Identifier: MIT
#include "output/layouts/layout_check_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "metadata/names/type_name.h"
#include "output/text.h"
#include "output/text_table.h"

namespace heapscape::engine {

namespace {

void writeRows(JsonWriter& json, std::string_view name, const std::vector<LayoutCheck::Row>& rows) {
  json.key(name);
  json.beginRows();
  for (const LayoutCheck::Row& row : rows) {
    json.beginObject();
    json.member("type", metadataTypeName(row.type));
    json.member("methodTable", row.methodTable);
    json.member("what", row.what);
    json.endObject();
  }
  json.endArray();
}

void writeRows(Output& output, std::string_view title, const std::vector<LayoutCheck::Row>& rows, std::size_t limit) {
  if (rows.empty()) return;
  output.write('\n');
  TextTable table({{std::string(title)}, {"What"}});
  const std::size_t shown = std::min(limit, rows.size());
  for (const LayoutCheck::Row& row : std::span(rows).first(shown)) table.addRow({row.type, row.what});
  table.write(output);
  if (rows.size() > shown) output.write("and " + countOf(rows.size() - shown, "more type") + ".\n");
}

}  // namespace

void writeLayoutCheck(JsonWriter& json, std::string_view name, const LayoutCheck& check) {
  json.key(name);
  json.beginObject();
  json.member("compared", check.compared);
  json.member("equal", check.equal);
  writeRows(json, "different", check.different);
  writeRows(json, "notComputed", check.notComputed);
  json.endObject();
}

std::string summaryOf(const LayoutCheck& check) {
  std::string text = fmt::format("Layouts: {} of {} as the rules give them", readableCount(check.equal),
                                 countOf(check.compared, "type"));
  if (!check.notComputed.empty()) text += fmt::format(", {} could not be computed", check.notComputed.size());
  return text + '.';
}

void writeLayoutCheck(Output& output, const LayoutCheck& check, std::size_t limit) {
  output.write(summaryOf(check) + '\n');
  writeRows(output, "Different", check.different, limit);
  writeRows(output, "Not computed", check.notComputed, limit);
}

}  // namespace heapscape::engine
