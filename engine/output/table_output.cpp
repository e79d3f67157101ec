// SPDX-License-Identifier: MIT
#include "output/table_output.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <variant>

#include "base/ascii.h"
#include "output/text.h"

namespace heapscape::engine {

void writeTsvLine(Output& output, const std::vector<std::string>& cells) {
  bool isFirst = true;
  for (const std::string& cell : cells) {
    if (!isFirst) output.write('\t');
    output.write(printable(cell));
    isFirst = false;
  }
  output.write('\n');
}

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

std::string lineOf(const ListColumn& column, const Cell& cell) {
  const Cell::Words* words = cell.as<Cell::Words>();
  return words ? fmt::format("{}", fmt::join(*words, column.between)) : toString(cell);
}

// "12.3%"; what is not whole never looks so.
std::string readableShare(double share) {
  const bool isNearlyWhole = share < 1 && share >= 0.9995;
  return isNearlyWhole ? fmt::format("{:.2f}%", std::floor(share * 1e4) / 100) : fmt::format("{:.1f}%", share * 100);
}

// Rows from `first` up to `end`, without those columns that say nothing of any.
void writeTextRows(Output& output, const Table& table, bool isRedacted, std::uint32_t first, std::uint32_t end) {
  const std::vector<std::size_t> shown = table.description->shownColumns();
  std::vector<TextTable::Column> headings;
  for (const std::size_t index : shown) {
    const ListColumn& column = table.description->columns[index];
    headings.push_back({column.title, isFigure(column.kind) ? TextTable::Align::Right : TextTable::Align::Left});
  }
  TextTable text(std::move(headings));
  for (std::uint32_t row = first; row < end; ++row) {
    std::vector<std::string> cells;
    for (const std::size_t index : shown) {
      const ListColumn& column = table.description->columns[index];
      const Cell cell = isRedacted ? table.redacted(row, index) : table.cell(row, index);
      const bool isLeftOut = isRedacted && column.holdsContents && cell.isUnknown();
      cells.push_back(isLeftOut ? std::string(kRedacted) : readableCell(column, cell));
    }
    text.addRow(cells);
  }
  text.write(output, first < end ? TextTable::EmptyColumns::LeftOut : TextTable::EmptyColumns::Written);
}

// As the column is titled that it adds up, else in words: "wastedBytes" of no column as "Wasted bytes".
std::string titleOf(const TableTotal& total, const TableDescription& description) {
  if (const auto column = description.find(total.name)) return description.columns[*column].title;
  std::string title;
  for (const char c : total.name) {
    const bool isUpper = c >= 'A' && c <= 'Z';
    if (isUpper) title += ' ';
    title += isUpper ? lowerCase(c) : c;
  }
  if (!title.empty() && title[0] >= 'a' && title[0] <= 'z') title[0] = static_cast<char>(title[0] - 'a' + 'A');
  return title;
}

// Negative bytes for less; more begins with `plus`.
std::string signedBytes(const Cell& cell, const char* plus) {
  const auto bytes = static_cast<std::int64_t>(cell.number());
  return bytes < 0 ? "-" + readableBytes(0 - static_cast<std::uint64_t>(bytes)) : plus + readableBytes(cell.number());
}

}  // namespace

std::string readableCell(const ListColumn& column, const Cell& cell) {
  if (!cell.isThere() || (column.hidesZero && cell.isEmpty())) return {};
  if (column.isHex) return fmt::format("{:#x}", cell.number());
  switch (column.kind) {
    case ColumnKind::Count:
      return readableCount(cell.number());
    case ColumnKind::Bytes:
      return readableBytes(cell.number());
    case ColumnKind::SavedBytes:
      return signedBytes(cell, "");
    case ColumnKind::GrownBytes:
      return signedBytes(cell, cell.isEmpty() ? "" : "+");
    case ColumnKind::Share:
      return cell.as<double>() ? readableShare(*cell.as<double>()) : toString(cell);
    case ColumnKind::Percent:
      return cell.as<double>() ? fmt::format("{:.2f}%", *cell.as<double>()) : toString(cell);
    case ColumnKind::Flag:
      return cell.isEmpty() ? "" : "yes";
    case ColumnKind::Address:
    case ColumnKind::Range:
      return cell.isEmpty() ? "" : toString(cell);
    default:
      return lineOf(column, cell);
  }
}

void writeRow(JsonWriter& json, const Table& table, const RowSelection& selection, std::uint32_t row,
              const MoreMembers& more) {
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
    if (cell.isNothing() || (!group.empty() && columns[i].hidesZero && cell.isEmpty())) continue;
    json.key(columns[i].nameInJson());
    std::visit(JsonContent{json}, cell.content());
  }
  if (!group.empty()) json.endObject();
  if (more) more(json, row);
  if (table.inner)
    for (const Table& inner : table.inner(row)) writeTable(json, inner, {.isRedacted = selection.isRedacted});
  json.endObject();
}

void writeRows(JsonWriter& json, const Table& table, const RowSelection& selection, const MoreMembers& more) {
  table.description->isOnOneLine ? json.beginArray() : json.beginRows();
  for (std::uint32_t row = 0; row < rowsOf(table, selection); ++row) writeRow(json, table, selection, row, more);
  json.endArray();
}

Table limitInner(Table table, std::size_t limit) {
  table.inner = [inner = std::move(table.inner), limit](std::uint32_t row) {
    std::vector<Table> lists = inner(row);
    for (Table& list : lists) list.rows = static_cast<std::uint32_t>(std::min<std::size_t>(list.rows, limit));
    return lists;
  };
  return table;
}

void writeTable(JsonWriter& json, const Table& table, const RowSelection& selection) {
  json.key(table.description->noun);
  writeRows(json, table, selection);
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
  // A member of a group has a name there that says little by itself.
  for (const std::size_t index : columns) {
    const ListColumn& column = table.description->columns[index];
    line.push_back(column.group.empty() ? column.nameInJson() : column.name);
  }
  writeTsvLine(output, line);
  for (std::uint32_t row = 0; row < rowsOf(table, selection) && !output.hasFailed(); ++row) {
    line.clear();
    for (const std::size_t column : columns)
      line.push_back(lineOf(table.description->columns[column], cellOf(table, selection, row, column)));
    writeTsvLine(output, line);
  }
}

void writeTableText(Output& output, const Table& table, const RowSelection& selection) {
  const std::uint32_t end = rowsOf(table, selection);
  const bool isSummedUp = table.hasSum && end == table.rows;
  if (!table.showsInner) writeTextRows(output, table, selection.isRedacted, 0, isSummedUp ? end + 1 : end);
  for (std::uint32_t row = 0; table.showsInner && row < end; ++row) {
    writeTextRows(output, table, selection.isRedacted, row, row + 1);
    for (const Table& inner : table.inner(row)) {
      output.write('\n');
      writeTableText(output, inner, {.isRedacted = selection.isRedacted});
    }
    output.write('\n');
  }
  if (table.totals.empty()) return;
  std::vector<TableTotal> totals = table.totals;
  for (TableTotal& total : totals) total.name = titleOf(total, *table.description);
  output.write('\n');
  writeTotals(output, totals);
}

}  // namespace heapscape::engine
