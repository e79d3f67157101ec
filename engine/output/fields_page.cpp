// SPDX-License-Identifier: MIT
#include "output/fields_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lists/lists.h"
#include "query/objects/object_schema.h"
#include "query/rows/table_query.h"

namespace heapscape::engine {

namespace {

void addHeading(std::string& page, std::string_view name, std::string_view summary) {
  page += fmt::format("\n## {}\n{}.\n\n| field | kind | holds |\n|---|---|---|\n", name, summary);
}

// What else can be asked of rows that are about an object.
std::string aboutObjects(const TableDescription& list) {
  return fmt::format("; besides these fields each row has those of its `{}`, as in `field(\"Name\")`", list.object);
}

void addField(std::string& page, const QueryField& field) {
  std::string meaning = field.help;
  if (!field.choices.empty()) meaning += fmt::format(" One of `{}`.", fmt::join(field.choices, "`, `"));
  if (!field.aliases.empty()) meaning += fmt::format(" Also `{}`.", fmt::join(field.aliases, "`, `"));
  if (field.holdsContents) meaning += " Left out with `--redact`.";
  page += fmt::format("| `{}` | {} | {} |\n", field.name, toString(field.kind), meaning);
}

}  // namespace

std::string fieldsPage() {
  std::string page =
      "# Fields\n"
      "All that queries can ask for, by list; `heapscape-cli query --of LIST` and the window's filter lines know the "
      "same. Where a field is called otherwise in JSON, queries know that name, too.\n";
  addHeading(page, "objects",
             "Every object on the heap; besides these fields each has its own, as in `field(\"Name\")`");
  for (const QueryField& field : objectSchema().fields) addField(page, field);
  for (const List& list : allLists()) {
    const QuerySchema schema = schemaOf(list.description());
    addHeading(page, list.name,
               schema.hasObjectFields ? list.summary + aboutObjects(list.description()) : list.summary);
    for (const QueryField& field : schema.fields) addField(page, field);
  }
  return page;
}

}  // namespace heapscape::engine
