// SPDX-License-Identifier: MIT
#include "lists/budgets.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <tuple>

#include "insight/comparison/compare_snapshots.h"
#include "insight/comparison/comparison_tables.h"
#include "lists/lists.h"
#include "query/lexer.h"
#include "query/objects/object_search.h"
#include "query/rows/table_query.h"

namespace heapscape::engine {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kLargestFile = 4 << 20;
constexpr std::size_t kMostBudgets = 10'000;
constexpr std::string_view kObjects = "objects";
constexpr std::string_view kChanges = "changes";
constexpr const char* kManual = "resources/manual/budgets.md describes how budgets are written.";

/// An example of each form of earlier versions, by the member that tells it.
struct FormerForm {
  const char* member;
  const char* now;
};
constexpr std::array kFormerForms{
    FormerForm{"anyType", R"({"of": "types", "query": "own and padding > 10% and bytes > 1 MB", "max": 0})"},
    FormerForm{"type", R"({"of": "types", "query": "type = Shop.Order", "sum": "bytes", "max": "200 MB"})"},
    FormerForm{"heap", R"({"of": "generations", "sum": "bytes", "max": "1 GB"})"},
    FormerForm{"insight", R"({"of": "insights", "query": "kind = duplicateStrings and bytes > 1 MB", "max": 0})"},
    FormerForm{"memory", R"({"of": "memory", "query": "owner = jitCode", "sum": "bytes", "max": "20 MB"})"},
    FormerForm{"maxGrowthPercent", R"({"of": "generations", "sum": "bytes", "maxGrowth": "5%"})"}};

const char* formNowOf(std::string_view sentence) {
  const auto has = [&](std::string_view word) { return sentence.find(word) != std::string_view::npos; };
  const auto formOf = [](std::string_view member) {
    return std::ranges::find(kFormerForms, member, &FormerForm::member)->now;
  };
  if (has("growth")) return formOf("maxGrowthPercent");
  if (has("insight")) return formOf("insight");
  if (has("memory")) return formOf("memory");
  if (has("heap")) return formOf("heap");
  return formOf(has("no ") || has("padding") ? "anyType" : "type");
}

struct Limit {
  double value = 0;
  bool isPercent = false;
};

/// One budget of a file.
class EntryReader {
 public:
  EntryReader(const Json& entry, std::size_t number) : m_entry(entry), m_number(number) {}

  Result<Budget> read() const {
    if (m_entry.is_string()) return isFormer(formNowOf(m_entry.get_ref<const std::string&>()));
    if (!m_entry.is_object()) return misunderstood("it is no object");
    for (const FormerForm& former : kFormerForms)
      if (m_entry.contains(former.member)) return isFormer(former.now);
    for (const auto& [key, value] : m_entry.items()) {
      static constexpr std::array<std::string_view, 8> kMembers{"name", "of",  "query",     "sum",
                                                                "max",  "min", "maxGrowth", "against"};
      if (std::ranges::find(kMembers, key) == kMembers.end())
        return misunderstood(fmt::format("\"{}\" means nothing here", key));
    }
    Budget budget;
    HEAPSCAPE_TRY(budget.of, text("of"));
    HEAPSCAPE_TRY(budget.query, text("query"));
    HEAPSCAPE_TRY(budget.sum, text("sum"));
    HEAPSCAPE_TRY(budget.against, text("against"));
    if (budget.of.empty()) return misunderstood("it does not say of which list it is, as in \"of\": \"types\"");
    HEAPSCAPE_CHECK(readLimits(budget));
    if (!budget.against.empty() && !budget.comparesDumps())
      return misunderstood("\"against\" needs \"maxGrowth\", or \"of\": \"changes\"");
    HEAPSCAPE_TRY(budget.text, text("name"));
    if (budget.text.empty()) budget.text = textOf(budget);
    return budget;
  }

 private:
  tl::unexpected<Error> misunderstood(std::string_view why) const {
    return failure(ErrorCode::BadQuery, fmt::format("Budget {} cannot be understood: {}.", m_number, why), kManual);
  }
  tl::unexpected<Error> isFormer(const char* now) const {
    return failure(
        ErrorCode::BadQuery,
        fmt::format("Budget {} is written as in earlier versions. A budget is a query with a limit now.", m_number),
        fmt::format("Write it like {}; {}", now, kManual));
  }

  Result<void> readLimits(Budget& budget) const {
    const auto most = m_entry.find("max"), least = m_entry.find("min"), growth = m_entry.find("maxGrowth");
    if (growth != m_entry.end()) {
      if (most != m_entry.end() || least != m_entry.end())
        return misunderstood("\"maxGrowth\" stands without \"max\" and \"min\"");
      HEAPSCAPE_TRY(const Limit limit, readLimit("maxGrowth", *growth));
      budget.isGrowth = true;
      budget.isPercent = limit.isPercent;
      budget.most = limit.value;
      return {};
    }
    for (const auto& [name, value, into] :
         {std::tuple("max", most, &budget.most), std::tuple("min", least, &budget.least)}) {
      if (value == m_entry.end()) continue;
      HEAPSCAPE_TRY(const Limit limit, readLimit(name, *value));
      if (limit.isPercent) return misunderstood(fmt::format("\"{}\" is no percentage", name));
      *into = limit.value;
    }
    if (!budget.most && !budget.least) return misunderstood("it has no limit: \"max\", \"min\" or \"maxGrowth\"");
    return {};
  }

  /// A number, or a text with a unit as in queries.
  Result<Limit> readLimit(const char* name, const Json& value) const {
    const auto wrong = [&] {
      return misunderstood(fmt::format("{} is no limit such as 1000, \"200 MB\" or \"5%\" for \"{}\"",
                                       value.dump(-1, ' ', false, Json::error_handler_t::replace), name));
    };
    const std::string written = value.is_string()   ? value.get<std::string>()
                                : value.is_number() ? fmt::format("{:f}", value.get<double>())
                                                    : std::string();
    const auto limit = quantityOf(written);
    if (!limit) return wrong();
    return Limit{limit->value, limit->unit == "%"};
  }

  Result<std::string> text(const char* key) const {
    const auto value = m_entry.find(key);
    if (value == m_entry.end()) return std::string();
    if (!value->is_string()) return misunderstood(fmt::format("\"{}\" is no text", key));
    return value->get<std::string>();
  }

  static std::string textOf(const Budget& budget) {
    const std::string of = budget.sum.empty() ? budget.of : fmt::format("{} of {}", budget.sum, budget.of);
    return fmt::format("{}{}{}{}", budget.isGrowth ? "growth of " : "", of, budget.query.empty() ? "" : ": ",
                       budget.query);
  }

  const Json& m_entry;
  std::size_t m_number;
};

/// Figure of the rows that fit in one dump.
struct Figure {
  double value = 0;
  BudgetUnit unit = BudgetUnit::Rows;
  std::vector<std::string> rows = {};
  std::uint64_t rowCount = 0;
  std::uint64_t unreadable = 0;
};

/// The column that tells which row it is: its first text, or else its first address.
std::optional<std::size_t> namingColumn(const TableDescription& description) {
  for (const auto& kinds :
       {std::pair(ColumnKind::TypeName, ColumnKind::Text), std::pair(ColumnKind::Choice, ColumnKind::Address)}) {
    for (std::size_t i = 0; i < description.columns.size(); ++i) {
      const ListColumn& column = description.columns[i];
      if ((column.kind == kinds.first || column.kind == kinds.second) && !column.holdsContents && !column.isOfObject)
        return i;
    }
  }
  return std::nullopt;
}

class BudgetCheck {
 public:
  BudgetCheck(const Snapshot& snapshot, const std::map<std::string, Snapshot>& others, ProgressSink* progress,
              std::stop_token stop)
      : m_snapshot(snapshot), m_others(others), m_progress(progress), m_stop(std::move(stop)) {}

  Outcome<BudgetResult> check(const Budget& budget) {
    HEAPSCAPE_TRY(Figure figure, figureOf(m_snapshot, budget));
    BudgetResult result{.budget = budget,
                        .actual = figure.value,
                        .unit = figure.unit,
                        .rowCount = figure.rowCount,
                        .unreadable = figure.unreadable};
    if (budget.isGrowth) {
      HEAPSCAPE_TRY(const Snapshot* other, otherOf(budget));
      HEAPSCAPE_TRY(const Figure before, figureOf(*other, budget));
      result.actual = figure.value - before.value;
      if (budget.isPercent) {
        result.unit = BudgetUnit::Percent;
        result.actual *= before.value == 0 ? 100 : 100 / before.value;
      }
      result.unreadable += before.unreadable;
    } else {
      result.rows = std::move(figure.rows);
    }
    result.isKept =
        (!budget.most || result.actual <= *budget.most) && (!budget.least || result.actual >= *budget.least);
    return result;
  }

 private:
  static tl::unexpected<Unfinished> bad(const Budget& budget, std::string_view why, std::string help = {}) {
    return tl::unexpected(
        Unfinished(Error{ErrorCode::BadQuery, fmt::format("The budget \"{}\" cannot be checked: {}", budget.text, why),
                         std::move(help)}));
  }

  Outcome<const Snapshot*> otherOf(const Budget& budget) const {
    const auto other = m_others.find(budget.against);
    if (other != m_others.end()) return &other->second;
    return bad(budget, "it needs a dump to compare with.", "Name it with --against FILE.");
  }

  Outcome<Figure> figureOf(const Snapshot& snapshot, const Budget& budget) {
    if (budget.of == kObjects) return objectsOf(snapshot, budget);
    HEAPSCAPE_TRY(const Table table, tableOf(snapshot, budget));
    const TableDescription& description = *table.description;
    const QuerySchema schema = schemaOf(description);
    const auto query = makeQuery(budget.query, schema);
    if (!query) return bad(budget, query.error().message());
    std::optional<std::size_t> sum;
    if (!budget.sum.empty()) {
      sum = description.find(budget.sum);
      if (!sum || !description.columns[*sum].isAdditive)
        return bad(budget, fmt::format("{} is no column of {} that adds up.", budget.sum, budget.of),
                   fmt::format("Expected {}.", fmt::join(additiveNames(description), ", ")));
    }
    HEAPSCAPE_TRY(const TableRows rows, TableRows::read(snapshot, table, fieldsOf(*query), m_progress, m_stop));
    HEAPSCAPE_TRY(const std::vector<std::uint32_t> found, selectRows(rows, *query, {}, false, m_stop));
    Figure figure{.value = static_cast<double>(found.size()), .rowCount = found.size()};
    if (sum) {
      figure.unit = description.columns[*sum].kind == ColumnKind::Bytes ? BudgetUnit::Bytes : BudgetUnit::Number;
      figure.value = 0;
      for (const std::uint32_t row : found) figure.value += numberOf(table.cell(row, *sum));
    }
    if (const auto name = namingColumn(description))
      for (std::size_t i = 0; i < std::min(found.size(), BudgetResult::kMostRows); ++i)
        figure.rows.push_back(toString(table.cell(found[i], *name)));
    figure.unreadable = unreadableIn(rows, *query);
    return figure;
  }

  Outcome<Table> tableOf(const Snapshot& snapshot, const Budget& budget) {
    if (budget.of == kChanges) {
      if (budget.isGrowth) return bad(budget, "changes have grown already: they take \"max\" or \"min\".");
      HEAPSCAPE_TRY(const Snapshot* other, otherOf(budget));
      std::vector<TypeChange> changes = compareTypes(*other, snapshot);
      std::erase_if(changes, &TypeChange::isFree);
      return typeChangesTable().with(std::move(changes), {});
    }
    const List* list = findList(budget.of);
    if (list) {
      const auto [kept, isNew] = m_tables.try_emplace(std::pair(&snapshot, list));
      if (isNew) {
        if (auto lack = lackOf(snapshot, list->heap)) return tl::unexpected(Unfinished(std::move(*lack)));
        auto read = list->read(snapshot, {.includeGaps = false}, m_stop);
        if (!read) return tl::unexpected(read.error());
        kept->second = std::move(*read);
      }
      return kept->second;
    }
    std::vector<std::string_view> names{kObjects, kChanges};
    for (const List& each : allLists()) names.emplace_back(each.name);
    return bad(budget, fmt::format("there is no list {}.", budget.of),
               fmt::format("Expected {}.", fmt::join(names, ", ")));
  }

  Outcome<Figure> objectsOf(const Snapshot& snapshot, const Budget& budget) {
    const QuerySchema& schema = objectSchema();
    auto query = makeQuery(budget.query, schema);
    if (!query) return bad(budget, query.error().message());
    if (!budget.sum.empty() && budget.sum != "bytes")
      return bad(budget, fmt::format("{} of objects does not add up.", budget.sum), "Expected bytes.");
    ObjectSearch search;
    search.query = std::move(*query);
    search.limit = BudgetResult::kMostRows;
    HEAPSCAPE_TRY(const FoundObjects found, findObjects(snapshot, search, m_progress, m_stop));
    if (!found.unknownFields.empty())
      return bad(budget, fmt::format("no type on the heap has a field(\"{}\").", found.unknownFields.front()));
    Figure figure{.value = static_cast<double>(budget.sum.empty() ? found.objects : found.bytes),
                  .unit = budget.sum.empty() ? BudgetUnit::Rows : BudgetUnit::Bytes,
                  .rowCount = found.objects,
                  .unreadable = found.unreadable};
    for (const FoundObject& object : found.rows)
      figure.rows.push_back(
          fmt::format("{} {}", toString(object.row.address), snapshot.types()[object.row.type.value].name));
    return figure;
  }

  static double numberOf(const Cell& cell) {
    if (const auto* number = cell.as<std::uint64_t>()) return static_cast<double>(*number);
    if (const auto* number = cell.as<std::int64_t>()) return static_cast<double>(*number);
    return 0;
  }

  static std::vector<std::string_view> additiveNames(const TableDescription& description) {
    std::vector<std::string_view> names;
    for (const ListColumn& column : description.columns)
      if (column.isAdditive) names.push_back(column.name);
    return names;
  }

  const Snapshot& m_snapshot;
  const std::map<std::string, Snapshot>& m_others;
  ProgressSink* m_progress;
  std::stop_token m_stop;
  std::map<std::pair<const Snapshot*, const List*>, Table> m_tables;  // several budgets may be of one list
};

}  // namespace

Result<std::vector<Budget>> parseBudgets(std::string_view json) {
  const auto bad = [](std::string_view why) { return failure(ErrorCode::BadQuery, std::string(why)); };
  if (json.size() > kLargestFile) return bad("The file of budgets is larger than any list of budgets.");
  constexpr bool kThrows = true, kWithComments = true;
  Json document;
  try {
    document = Json::parse(json, nullptr, kThrows, kWithComments);
  } catch (const Json::parse_error& error) {
    const auto line = std::ranges::count(json.substr(0, error.byte), '\n') + 1;
    return bad(fmt::format("The file of budgets is no JSON: something is wrong in line {}.", line));
  } catch (const Json::out_of_range&) {
    return bad("The file of budgets has a number that is larger than any.");
  }
  const bool isWrapped = document.is_object() && document.contains("budgets");
  const Json& entries = isWrapped ? document["budgets"] : document;
  if (!entries.is_array() || entries.empty() || entries.size() > kMostBudgets)
    return bad("The file of budgets has no list \"budgets\" with at least one budget.");
  std::vector<Budget> budgets;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    HEAPSCAPE_TRY(Budget budget, EntryReader(entries[i], i + 1).read());
    budgets.push_back(std::move(budget));
  }
  return budgets;
}

bool needRetainedByType(std::span<const Budget> budgets) {
  return std::ranges::any_of(budgets, [](const Budget& budget) {
    const List* list = findList(budget.of);
    return budget.of == kChanges || (list && list->needsRetainedByType);
  });
}

Outcome<std::vector<BudgetResult>> checkBudgets(const Snapshot& snapshot, std::span<const Budget> budgets,
                                                const std::map<std::string, Snapshot>& others, ProgressSink* progress,
                                                std::stop_token stop) {
  BudgetCheck check(snapshot, others, progress, stop);
  std::vector<BudgetResult> results;
  for (const Budget& budget : budgets) {
    if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    HEAPSCAPE_TRY(BudgetResult result, check.check(budget));
    results.push_back(std::move(result));
  }
  return results;
}

}  // namespace heapscape::engine
