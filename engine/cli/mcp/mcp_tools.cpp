// SPDX-License-Identifier: MIT
#include "cli/mcp/mcp_tools.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "lists/lists.h"
#include "output/query_table.h"
#include "query/objects/object_schema.h"
#include "query/query.h"

namespace heapscape::cli {
namespace {

using engine::ColumnKind;
using engine::ErrorCode;
using engine::Result;
using nlohmann::json;

constexpr const char* kObjects = "objects";
constexpr int kMostRows = 1000;

json described(const char* type, std::string description) {
  return {{"type", type}, {"description", std::move(description)}};
}

json oneOf(std::vector<std::string> choices, std::string description) {
  return {{"type", "string"}, {"enum", std::move(choices)}, {"description", std::move(description)}};
}

json addressArgument(std::string description) {
  return {{"type", "string"}, {"pattern", "^(0x)?[0-9a-fA-F]{1,16}$"}, {"description", std::move(description)}};
}

std::string textOf(const json& arguments, const char* name) {
  return arguments.contains(name) ? arguments[name].get<std::string>() : std::string();
}

/// The JSON type of a column's cells. What cannot be told is null.
json typeOf(const engine::ListColumn& column) {
  switch (column.kind) {
    case ColumnKind::Bytes:
    case ColumnKind::Count:
      return {"integer", "null"};
    case ColumnKind::Flag:
      return {"boolean", "null"};
    default:
      return nullptr;  // numbers, words, addresses and lists of them, as rows have them
  }
}

json schemaOfRows(const engine::TableDescription& description) {
  json row = json::object();
  for (const engine::ListColumn& column : description.columns) {
    json cell{{"title", column.title}, {"description", column.meaning}};
    if (const json type = typeOf(column); !type.is_null()) cell["type"] = type;
    row[column.name] = std::move(cell);
  }
  return {
      {"type", "object"},
      {"properties", {{"query", {{"type", "array"}, {"items", {{"type", "object"}, {"properties", std::move(row)}}}}}}},
      {"required", {"query"}}};
}

std::vector<std::string> fieldNamesOf(const engine::QuerySchema& schema, bool showsContents) {
  std::vector<std::string> names;
  for (const engine::QueryField& field : schema.fields)
    if (showsContents || !field.holdsContents) names.push_back(field.name);
  return names;
}

tl::unexpected<engine::Error> contentsAreHidden() {
  return engine::failure(ErrorCode::BadQuery, "This server does not show what strings and fields hold.",
                         "Who starts it can allow that with --contents.");
}

bool isHidden(const engine::QueryFieldReference& field, const engine::QuerySchema& schema) {
  return field.field == engine::QueryFieldReference::kObjectField || schema.fields[field.field].holdsContents;
}

/// Refuses what would tell contents by what is found: filters, orders and columns of values.
Result<void> checkContents(const json& arguments, const engine::QuerySchema& schema) {
  const auto query = engine::makeQuery(textOf(arguments, "query"), schema);
  if (!query)
    return tl::unexpected(engine::withMark(engine::toError(query.error()), textOf(arguments, "query"), query.error()));
  for (const engine::QueryFieldReference& field : engine::fieldsOf(*query))
    if (isHidden(field, schema)) return contentsAreHidden();
  for (const char* name : {"sort", "group_by"}) {
    const std::string text = textOf(arguments, name);
    if (text.empty()) continue;
    const auto field = engine::parseQueryField(text, schema);
    if (!field) return tl::unexpected(engine::withMark(engine::toError(field.error()), text, field.error()));
    if (isHidden(*field, schema)) return contentsAreHidden();
  }
  return {};
}

/// The words of `query` for a list or for objects.
Result<std::vector<VerbQuestion>> queryOf(const std::string& list, const json& arguments, bool showsContents) {
  const engine::List* found = list == kObjects ? nullptr : engine::findList(list);
  const engine::QuerySchema schema = found ? engine::schemaOf(found->description()) : engine::objectSchema();
  if (!showsContents) HEAPSCAPE_CHECK(checkContents(arguments, schema));
  VerbQuestion question{{"query", "--of=" + list}, "query"};
  const bool isDescending = arguments.value("descending", true);
  if (const std::string sort = textOf(arguments, "sort"); !sort.empty())
    question.words.push_back("--sort=" + sort + (isDescending ? "-" : ""));
  if (const std::string columns = textOf(arguments, "columns"); !columns.empty())
    question.words.push_back("--columns=" + columns);
  if (const std::string group = textOf(arguments, "group_by"); !group.empty())
    question.words.push_back("--group-by=" + group);
  question.words.emplace_back("--");
  question.words.push_back(" " + textOf(arguments, "query"));  // no name of a file
  return std::vector<VerbQuestion>{std::move(question)};
}

json queryArgument() {
  return described("string",
                   "A filter such as 'bytes > 1MB and name ~ \"Order\"'; the resource heapscape://manual/queries tells "
                   "the language. Everything without it.");
}

json descendingArgument() {
  return described("boolean", "Largest first (default), or smallest first.");
}

/// A tool for one of the lists, with its columns as fields to sort by and as the schema of its rows.
McpTool listTool(const char* name, std::string description, bool showsContents) {
  const engine::List& list = *engine::findList(name);
  const engine::QuerySchema schema = engine::schemaOf(list.description());
  return {
      .name = name,
      .title = list.summary,
      .description = std::move(description),
      .properties = {{"query", queryArgument()},
                     {"sort", oneOf(fieldNamesOf(schema, showsContents), "The column to sort by.")},
                     {"descending", descendingArgument()}},
      .output = schemaOfRows(list.description()),
      .isPaged = true,
      .questions = [name, showsContents](const json& arguments) { return queryOf(name, arguments, showsContents); }};
}

/// A tool that asks one verb.
template <class Words>
McpTool verbTool(std::string name, std::string title, std::string description, std::string member, Words words) {
  return {.name = std::move(name),
          .title = std::move(title),
          .description = std::move(description),
          .isPaged = !member.empty(),
          .questions = [member, words](const json& arguments) -> Result<std::vector<VerbQuestion>> {
            return std::vector<VerbQuestion>{{words(arguments), member}};
          }};
}

McpTool queryTool(bool showsContents) {
  std::vector<std::string> subjects{kObjects};
  std::string fields = "Fields by list: ";
  const auto add = [&](const std::string& list, const engine::QuerySchema& schema) {
    fields += list + " (";
    for (const std::string& field : fieldNamesOf(schema, showsContents)) fields += field + " ";
    fields.back() = ')';
    fields += "; ";
  };
  add(kObjects, engine::objectSchema());
  for (const engine::List& list : engine::allLists()) {
    subjects.emplace_back(list.name);
    add(list.name, engine::schemaOf(list.description()));
  }
  fields.resize(fields.size() - 2);
  McpTool tool{.name = "query",
               .title = "Query objects or any list",
               .description = "Rows of any list of the dump, or single objects, that fit a filter. " + fields + ".",
               .properties = {{"of", oneOf(subjects, "What to look at; objects if not given.")},
                              {"query", queryArgument()},
                              {"sort", described("string", "The field to sort by.")},
                              {"descending", descendingArgument()},
                              {"columns", described("string", "More fields, with commas between them.")},
                              {"group_by", described("string", "A field: count rows by what it holds.")}},
               .isPaged = true};
  tool.questions = [showsContents](const json& arguments) {
    const std::string list = textOf(arguments, "of");
    return queryOf(list.empty() ? kObjects : list, arguments, showsContents);
  };
  return tool;
}

std::vector<McpTool> dumpTools() {
  McpTool open{.name = "open",
               .title = "Open a dump",
               .description =
                   "Opens a core dump of a .NET process on this machine and gives it a name for the other "
                   "tools. Says what it is: runtime, GC, kind of dump, objects, and what is missing.",
               .about = McpTool::About::NoDump,
               .properties = {{"path", described("string", "The file: plain, .zst, .gz, .xz, .lz4 or .tar.")}},
               .required = {"path"}};
  McpTool dumps{.name = "dumps",
                .title = "Dumps that are open",
                .description = "The names and files of the dumps that are open.",
                .about = McpTool::About::NoDump};
  McpTool close{.name = "close",
                .title = "Close a dump",
                .description = "Closes a dump and frees its memory.",
                .about = McpTool::About::OneDump};
  return {std::move(open), std::move(dumps), std::move(close)};
}

}  // namespace

std::vector<McpTool> mcpTools(bool showsContents) {
  std::vector<McpTool> tools = dumpTools();
  McpTool overview{.name = "overview",
                   .title = "Overview of a dump",
                   .description =
                       "Where to begin: the runtime, why the process died if it did, bytes by generation, "
                       "live bytes and garbage, and what to fix first with the bytes it would save."};
  overview.questions = [](const json&) -> Result<std::vector<VerbQuestion>> {
    // Who holds what is known by the time that info tells live bytes.
    return std::vector<VerbQuestion>{
        {{"insights", "--top=5"}, {}}, {{"info"}, {}}, {{"crash"}, {}}, {{"generations"}, {}}};
  };
  tools.push_back(std::move(overview));
  tools.push_back(listTool("types", "Types on the heap with counts, bytes, padding and what their instances retain.",
                           showsContents));
  McpTool object = verbTool("object", "One object",
                            "An object by its address: type, size, generation, fields with their offsets, elements, "
                            "and what it retains.",
                            "", [](const json& arguments) {
                              const int from = arguments.value("first_element", 0);
                              return std::vector<std::string>{"object", fmt::format("--elements={}:50", from),
                                                              "--bytes=0:256", "--", textOf(arguments, "address")};
                            });
  object.properties = {{"address", addressArgument("Of the object, or inside it.")},
                       {"first_element",
                        {{"type", "integer"},
                         {"minimum", 0},
                         {"description", "Of an array or collection: where to begin; 50 are told."}}}};
  object.required = {"address"};
  tools.push_back(std::move(object));
  McpTool path =
      verbTool("why_alive", "Why an object is alive",
               "The shortest ways from the roots to an object: statics, handles, locals of threads, and each "
               "field on the way.",
               "paths", [](const json& arguments) {
                 return std::vector<std::string>{"path", "--", textOf(arguments, "address")};
               });
  path.properties = {{"address", addressArgument("Of the object.")}};
  path.required = {"address"};
  tools.push_back(std::move(path));
  McpTool retained =
      verbTool("retained", "What holds most",
               "Objects, or types, by what would be freed with them (exact retained sizes by dominators), the largest "
               "first.",
               "retained", [](const json& arguments) {
                 std::vector<std::string> words{"retained"};
                 if (arguments.value("by_type", false)) words.emplace_back("--by-type");
                 return words;
               });
  retained.properties = {{"by_type", described("boolean", "Types instead of objects.")}};
  tools.push_back(std::move(retained));
  McpTool stacks =
      verbTool("stacks", "Stacks of threads",
               "Frames of all threads, or of one, with methods, source lines and what each thread waits for.",
               "threads", [](const json& arguments) {
                 std::vector<std::string> words{"stacks"};
                 if (arguments.contains("thread"))
                   words.push_back(fmt::format("--thread={}", arguments["thread"].get<std::int64_t>()));
                 return words;
               });
  stacks.properties = {
      {"thread", {{"type", "integer"}, {"minimum", 0}, {"description", "Only the thread with this managed id."}}}};
  tools.push_back(std::move(stacks));
  tools.push_back(verbTool("async", "Async methods that have not ended",
                           "Pending async methods as logical stacks, equal ones together, with what they wait for and "
                           "retain; the thread pool and timers.",
                           "chains", [](const json&) { return std::vector<std::string>{"async"}; }));
  tools.push_back(verbTool("insights", "Waste and leaks",
                           "What of the heap is wasted, leaked or held, with the exact bytes that mending it would win "
                           "back, examples and advice, and a plan of what to fix first.",
                           "insights", [](const json&) {
                             return std::vector<std::string>{"insights", "--details"};
                           }));
  McpTool compare = verbTool("compare", "Compare two dumps",
                             "Types of two dumps of one program by growth: counts, bytes and retained bytes before and "
                             "after.",
                             "types", [](const json& arguments) {
                               return std::vector<std::string>{"compare", "--by=" + arguments.value("by", "bytes")};
                             });
  compare.about = McpTool::About::TwoDumps;
  compare.properties = {{"by", oneOf({"bytes", "count", "retained"}, "What growth is measured in.")}};
  tools.push_back(std::move(compare));
  McpTool layout =
      verbTool("layout", "Layout of a type",
               "Fields of a type with offsets, sizes and padding, and what the best order would save.", "layouts",
               [](const json& arguments) {
                 return std::vector<std::string>{"layout", "--rules=actual,best", "--", textOf(arguments, "type")};
               });
  layout.properties = {{"type", described("string", "Its full name, as types tells it.")}};
  layout.required = {"type"};
  tools.push_back(std::move(layout));
  tools.push_back(listTool("threads",
                           "Managed threads: state, what each is doing or waits for, its locks and what its "
                           "stack retains.",
                           showsContents));
  tools.push_back(listTool("locks", "Locks that are held or waited for, with their owners.", showsContents));
  tools.push_back(
      listTool("roots", "What keeps objects alive: statics, handles, locals, the finalizer queue.", showsContents));
  tools.push_back(listTool("memory", "Every mapped byte of the process by what owns it.", showsContents));
  tools.push_back(queryTool(showsContents));
  return tools;
}

json inputSchemaOf(const McpTool& tool) {
  json properties = tool.properties;
  std::vector<std::string> required = tool.required;
  const auto dump = [](const char* which) {
    return described("string", fmt::format("The name of {} as open gave it.", which));
  };
  if (tool.about == McpTool::About::OneDump) properties["dump"] = dump("a dump, not needed if one is open,");
  if (tool.about == McpTool::About::TwoDumps) {
    properties["before"] = dump("the earlier dump,");
    properties["after"] = dump("the later dump,");
    required.insert(required.end(), {"before", "after"});
  }
  if (tool.isPaged) {
    properties["limit"] = {{"type", "integer"},
                           {"minimum", 1},
                           {"maximum", kMostRows},
                           {"default", 50},
                           {"description", "At most so many rows."}};
    properties["offset"] = {{"type", "integer"},
                            {"minimum", 0},
                            {"default", 0},
                            {"description", "Rows to pass over: the next_offset of the answer before."}};
  }
  json schema{{"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
  if (!required.empty()) schema["required"] = std::move(required);
  return schema;
}

namespace {

bool hasType(const json& value, const std::string& type) {
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  return value.is_number_integer();
}

/// Why a value does not fit the schema of an argument; empty if it does.
std::string problemOf(const json& value, const std::string& name, const json& schema) {
  const std::string type = schema["type"];
  if (!hasType(value, type)) return fmt::format("{} has to be of the type {}.", name, type);
  if (schema.contains("enum") && std::ranges::find(schema["enum"], value) == schema["enum"].end())
    return fmt::format("{} has to be one of {}.", name, schema["enum"].dump());
  if (type == "string" && value.get_ref<const std::string&>().find('\0') != std::string::npos)
    return fmt::format("{} has a character that no text has.", name);
  if (schema.contains("pattern") &&
      !RE2::FullMatch(value.get_ref<const std::string&>(), schema["pattern"].get<std::string>()))
    return fmt::format("{} has to be hexadecimal, such as 0x7f12, which {} is not.", name, value.dump());
  if (type != "integer") return {};
  // A number beyond what is signed is too large for any of them.
  const bool isHuge = value.is_number_unsigned() && value.get<std::uint64_t>() > INT32_MAX;
  const std::int64_t number = isHuge ? INT64_MAX : value.get<std::int64_t>();
  const std::int64_t most = schema.value("maximum", std::int64_t{INT32_MAX});
  if (number < schema.value("minimum", std::int64_t{0}) || number > most)
    return fmt::format("{} has to be between {} and {}.", name, schema.value("minimum", 0), most);
  return {};
}

}  // namespace

std::string problemOf(const json& arguments, const McpTool& tool) {
  if (!arguments.is_object()) return "The arguments have to be an object.";
  const json schema = inputSchemaOf(tool);
  for (const auto& [name, value] : arguments.items()) {
    const auto property = schema["properties"].find(name);
    if (property == schema["properties"].end()) return fmt::format("{} has no argument {}.", tool.name, name);
    if (std::string problem = problemOf(value, name, *property); !problem.empty()) return problem;
  }
  if (schema.contains("required"))
    for (const std::string name : schema["required"])
      if (!arguments.contains(name)) return fmt::format("The argument {} is missing.", name);
  return {};
}

}  // namespace heapscape::cli
