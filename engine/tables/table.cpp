// SPDX-License-Identifier: MIT
#include "tables/table.h"

#include "base/ascii.h"

namespace heapscape::engine {

ListColumn listColumn(ColumnKind kind, std::string_view name, std::string_view title, std::string_view meaning) {
  return {.name = std::string(name), .title = std::string(title), .meaning = std::string(meaning), .kind = kind};
}

ListColumn objectValueColumn(bool hasOwnValue) {
  return {.name = hasOwnValue ? "objectValue" : "value",
          .title = hasOwnValue ? "Object's value" : "Value",
          .meaning =
              "What the object holds, on one line: characters, the count and first items of a collection, an "
              "exception's message, else its first fields.",
          .holdsContents = true,
          .isInJson = false,
          .isOfObject = true};
}

std::optional<std::size_t> TableDescription::find(std::string_view name) const {
  if (name.empty()) return std::nullopt;
  // A name goes before another column's name in JSON.
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (equalsIgnoringCase(columns[i].name, name)) return i;
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (equalsIgnoringCase(columns[i].jsonName, name)) return i;
  return std::nullopt;
}

std::vector<std::size_t> TableDescription::indicesOf(const std::vector<std::string_view>& names) const {
  std::vector<std::size_t> indices;
  for (const std::string_view name : names)
    if (const auto index = find(name)) indices.push_back(*index);
  return indices;
}

std::vector<std::size_t> TableDescription::shownColumns() const {
  if (!shown.empty()) return indicesOf(shown);
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (!columns[i].isOfObject) all.push_back(i);
  return all;
}

}  // namespace heapscape::engine
