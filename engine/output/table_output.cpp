// SPDX-License-Identifier: MIT
#include "output/table_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <variant>

#include "output/text.h"
#include "output/text_table.h"
#include "output/tsv_line.h"

namespace heapscape::engine {

namespace {

constexpr std::string_view kRedacted = "(left out)";

struct JsonContent {
  JsonWriter& json;

  void operator()(Cell::Nothing) const { json.null(); }
  void operator()(Cell::Unknown) const { json.null(); }
  void operator()(std::int64_t number) const { json.number(fmt::format("{}", number)); }
  void operator()(AddressRange range) const {
    json.beginObject();
    json.member("start", range.start);
    json.member("end", range.end);
    json.endObject();
  }
  void operator()(const auto& content) const { json.value(content); }
  template <class Item>
  void operator()(const std::vector<Item>& items) const {
    json.beginArray();
    for (const Item& item : items) json.value(item);
    json.endArray();
  }
};

Cell cellOf(const Table& table, const RowSelection& selection, std::uint32_t row, std::size_t column) {
  return selection.isRedacted ? table.redacted(row, column) : table.cell(row, column);
}

std::uint32_t rowsOf(const Table& table, const RowSelection& selection) {
  return static_cast<std::uint32_t>(std::min<std::size_t>(selection.limit, table.rows));
}

void writeRow(JsonWriter& json, const Table& table, const RowSelection& selection, std::uint32_t row) {
  const std::vector<ListColumn>& columns = table.description->columns;
  json.beginObject();
  std::string_view group;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (!columns[i].isInJson) continue;
    const Cell cell = cellOf(table, selection, row, i);
    if (columns[i].group != group) {
      if (!group.empty()) json.endObject();
      group = columns[i].group;
      if (!group.empty()) {
        json.key(group);
        json.beginObject();
      }
    }
    if (cell.isNothing() || (!group.empty() && cell.isEmpty())) continue;
    json.key(columns[i].nameInJson());
    std::visit(JsonContent{json}, cell.content());
  }
  if (!group.empty()) json.endObject();
  json.endObject();
}

// A name or figure over and in a column; one that is empty everywhere is left out.
struct TextColumn {
  TextTable::Column heading;
  std::vector<std::string> cells;
  bool isEmpty() const { return std::ranges::all_of(cells, &std::string::empty); }
};

// "1.43 MB", "12,345", "yes"; nothing for an address of nothing.
std::string readableCell(const ListColumn& column, const Cell& cell) {
  if (!cell.isThere() || (column.hidesZero && cell.isEmpty())) return {};
  switch (column.kind) {
    case ColumnKind::Count:
      return readableCount(cell.number());
    case ColumnKind::Bytes:
      return readableBytes(cell.number());
    case ColumnKind::SavedBytes: {
      const auto bytes = static_cast<std::int64_t>(cell.number());
      return bytes < 0 ? "-" + readableBytes(static_cast<std::uint64_t>(-bytes)) : readableBytes(cell.number());
    }
    case ColumnKind::Share:
      return cell.as<double>() ? fmt::format("{:.1f}%", *cell.as<double>() * 100) : toString(cell);
    case ColumnKind::Flag:
      return cell.isEmpty() ? "" : "yes";
    case ColumnKind::Address:
    case ColumnKind::Range:
      return cell.isEmpty() ? "" : toString(cell);
    default:
      return toString(cell);
  }
}

}  // namespace

void writeTable(JsonWriter& json, const Table& table, const RowSelection& selection) {
  json.key(table.description->noun);
  json.beginRows();
  for (std::uint32_t row = 0; row < rowsOf(table, selection); ++row) writeRow(json, table, selection, row);
  json.endArray();
  if (!table.totals.empty()) writeTotals(json, table.totals);
}

void writeTotals(JsonWriter& json, const std::vector<TableTotal>& totals) {
  json.key("totals");
  json.beginObject();
  for (const TableTotal& total : totals) json.member(total.name, total.value);
  json.endObject();
}

void writeTotals(Output& output, const std::vector<TableTotal>& totals) {
  for (const TableTotal& total : totals) {
    const std::string value = total.isBytes ? readableBytes(total.value) : readableCount(total.value);
    output.write(fmt::format("{:<18}{:>14}\n", total.name, value));
  }
}

void writeTableTsv(Output& output, const Table& table, const RowSelection& selection) {
  const std::vector<std::size_t> columns = table.description->indicesOf(table.description->tsv);
  std::vector<std::string> line;
  for (const std::size_t column : columns) line.push_back(table.description->columns[column].nameInJson());
  writeTsvLine(output, line);
  for (std::uint32_t row = 0; row < rowsOf(table, selection) && !output.hasFailed(); ++row) {
    line.clear();
    for (const std::size_t column : columns) line.push_back(toString(cellOf(table, selection, row, column)));
    writeTsvLine(output, line);
  }
}

void writeTableText(Output& output, const Table& table, const RowSelection& selection) {
  std::vector<TextColumn> shown;
  for (const std::size_t index : table.description->shownColumns()) {
    const ListColumn& column = table.description->columns[index];
    TextColumn& text = shown.emplace_back(
        TextColumn{{column.title, isFigure(column.kind) ? TextTable::Align::Right : TextTable::Align::Left}, {}});
    for (std::uint32_t row = 0; row < rowsOf(table, selection); ++row) {
      const Cell cell = cellOf(table, selection, row, index);
      const bool isLeftOut = selection.isRedacted && column.holdsContents && cell.isUnknown();
      text.cells.push_back(isLeftOut ? std::string(kRedacted) : readableCell(column, cell));
    }
  }
  if (rowsOf(table, selection) > 0) std::erase_if(shown, [](const TextColumn& column) { return column.isEmpty(); });
  std::vector<TextTable::Column> headings;
  for (const TextColumn& column : shown) headings.push_back(column.heading);
  TextTable text(std::move(headings));
  for (std::uint32_t row = 0; row < rowsOf(table, selection); ++row) {
    std::vector<std::string> cells;
    for (TextColumn& column : shown) cells.push_back(std::move(column.cells[row]));
    text.addRow(std::move(cells));
  }
  text.write(output);
  if (table.totals.empty()) return;
  output.write('\n');
  writeTotals(output, table.totals);
}

}  // namespace heapscape::engine
