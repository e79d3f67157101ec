// SPDX-License-Identifier: MIT
#include "output/query_table.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "output/table_output.h"
#include "output/text.h"
#include "values/lines/object_line.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kWidestCell = 100;   // columns of a terminal
constexpr std::size_t kShownAround = 100;  // bytes of a query before its wrong place; twice as many from there on

bool isFigure(QueryKind kind) {
  return kind == QueryKind::Number || kind == QueryKind::Bytes;
}

void writeValue(JsonWriter& json, const QueryValue& value) {
  if (!value.isThere())
    json.null();
  else if (value.isAddress)
    json.value(Address{static_cast<std::uint64_t>(*value.number)});
  else if (value.characters)
    json.value(cutLine(*value.characters));
  else if (value.text)
    json.value(*value.text);
  else if (value.flag)
    json.value(*value.flag);
  else if (!value.number || !std::isfinite(*value.number))  // JSON knows no infinity, and what is no number
    json.null();
  else
    json.number(toString(value));
}

// Text of a value; of a reference with its target's address.
std::string plainText(const QueryValue& value) {
  if (!value.isAddress || !value.text) return toString(value);
  return fmt::format("{} at {}", *value.text, toString(Address{static_cast<std::uint64_t>(*value.number)}));
}

// Where the character begins that the byte at `at` belongs to.
std::size_t characterStart(std::string_view text, std::size_t at) {
  while (at > 0 && at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80) --at;
  return at;
}

// Cut at whole characters.
std::string cutText(std::string text) {
  if (textWidth(text) <= kWidestCell) return text;
  std::size_t end = 0;
  for (std::size_t width = 0; end < text.size(); ++end) {
    const bool isFirstByte = (static_cast<unsigned char>(text[end]) & 0xc0) != 0x80;
    if (isFirstByte && ++width == kWidestCell) break;
  }
  return text.substr(0, end) + "…";
}

// A whole number without its sign; nothing for a share, and for what is no number.
std::optional<std::uint64_t> wholeMagnitude(long double number) {
  const long double magnitude = std::fabs(number);
  const bool isWhole = magnitude == std::trunc(magnitude) && magnitude <= static_cast<long double>(UINT64_MAX);
  return isWhole ? std::optional(static_cast<std::uint64_t>(magnitude)) : std::nullopt;
}

std::string readableText(const QueryValue& value, QueryKind kind) {
  const bool isCount = isFigure(kind) && value.number && !value.text;
  const auto magnitude = isCount ? wholeMagnitude(*value.number) : std::nullopt;
  if (!magnitude) return cutText(plainText(value));
  return (*value.number < 0 ? "-" : "") +
         (kind == QueryKind::Bytes ? readableBytes(*magnitude) : readableCount(*magnitude));
}

}  // namespace

void writeQuery(JsonWriter& json, const QueryTable& table) {
  json.key("query");
  json.beginRows();
  for (const std::vector<QueryValue>& row : table.rows) {
    json.beginObject();
    for (std::size_t i = 0; i < row.size(); ++i) {
      json.key(table.columns[i].name);
      writeValue(json, row[i]);
    }
    json.endObject();
  }
  json.endArray();
  writeTotals(json, table.totals);
  json.key("notes");
  json.beginArray();
  for (const std::string& note : table.notes) json.value(note);
  json.endArray();
}

void writeQueryTsv(Output& output, const QueryTable& table) {
  std::string line;
  for (const QueryColumn& column : table.columns) line += (line.empty() ? "" : "\t") + printable(column.name);
  output.write(line + "\n");
  for (const std::vector<QueryValue>& row : table.rows) {
    line.clear();
    for (std::size_t i = 0; i < row.size(); ++i) line += (i ? "\t" : "") + printable(plainText(row[i]));
    output.write(line + "\n");
    if (output.hasFailed()) return;
  }
}

void writeQueryText(Output& output, const QueryTable& table) {
  if (!table.rows.empty()) {
    std::vector<TextTable::Column> columns;
    for (const QueryColumn& column : table.columns)
      columns.push_back({column.name, isFigure(column.kind) ? TextTable::Align::Right : TextTable::Align::Left});
    TextTable text(std::move(columns));
    for (const std::vector<QueryValue>& row : table.rows) {
      std::vector<std::string> cells;
      for (std::size_t i = 0; i < row.size(); ++i) cells.push_back(readableText(row[i], table.columns[i].kind));
      text.addRow(std::move(cells));
    }
    text.write(output);
    if (table.rowsInAll > table.rows.size())
      output.write(fmt::format("… and {} more\n", readableCount(table.rowsInAll - table.rows.size())));
    output.write('\n');
  }
  writeTotals(output, table.totals);
  for (const std::string& note : table.notes) output.write(printable(note) + "\n");
}

std::string markedQuery(std::string_view query, const QueryError& error) {
  // A long query is cut to what is around the wrong place.
  const std::size_t position = std::min(error.position, query.size());
  const std::size_t begin = position > kShownAround ? characterStart(query, position - kShownAround) : 0;
  const std::size_t end = characterStart(query, std::min(query.size(), position + 2 * kShownAround));
  std::string before = printable(query.substr(begin, position - begin));
  if (begin > 0) before.insert(0, "…");
  const std::string wrong = printable(query.substr(position, std::min(error.length, end - position)));
  const std::string after = printable(query.substr(position, end - position));
  std::string marks(textWidth(before), ' ');
  marks += '^';
  if (const std::size_t width = textWidth(wrong); width > 1) marks.append(width - 1, '~');
  return fmt::format("  {}{}{}\n  {}\n", before, after, end < query.size() ? "…" : "", marks);
}

Error withMark(Error error, std::string_view query, const QueryError& place) {
  (error.help.empty() ? error.what : error.help) += "\n" + markedQuery(query, place);
  return error;
}

}  // namespace heapscape::engine
