// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/arguments.h"
#include "cli/context.h"
#include "cli/verb.h"
#include "insight/comparison/compare_snapshots.h"
#include "insight/comparison/comparison_tables.h"
#include "insight/insight.h"
#include "insight/insight_tables.h"
#include "insight/trend/trend_tables.h"
#include "lists/budgets.h"
#include "output/insights/compare_output.h"
#include "output/insights/insights_output.h"
#include "output/query_table.h"
#include "output/table_output.h"
#include "query/rows/table_query.h"
#include "review/whole_file.h"
#include "session/snapshot/stage_clock.h"

namespace heapscape::cli {
namespace {

class InsightsVerb : public Verb {
 public:
  const char* name() const override { return "insights"; }
  const char* summary() const override { return "What wastes memory or leaks, and what would win it back"; }
  bool hasTsv() const override { return true; }

  void addOptions(CLI::App& app) override {
    std::vector<std::string> kinds;
    for (const engine::InsightKind each : engine::membersOf<engine::InsightKind>()) kinds.emplace_back(toString(each));
    CLI::Option* kind = app.add_option("--kind", m_kinds, "Only this kind; may be given several times")
                            ->type_name("KIND")
                            ->check([](const std::string& name) {
                              return engine::enumNamed<engine::InsightKind>(name)
                                         ? std::string()
                                         : "'" + name + "' is no kind of insight";
                            });
    nameChoices(*kind, kinds);
    addNumber(app, "--min", m_minimumBytes, "Leave out what costs less than N bytes");
    app.add_flag("--own", m_own, "Without what the framework itself holds");
    app.add_flag("--details", m_withDetails, "With advice, facts, owners and the costliest objects");
  }

  engine::Outcome<void> run(Context& context) override {
    HEAPSCAPE_TRY(const engine::Snapshot snapshot, context.openRetained(HeapUse::Graph));
    HEAPSCAPE_TRY(engine::InsightList list, find(snapshot, context.stop()));
    if (m_own) engine::leaveOutFramework(list);
    const engine::RowSelection rows = context.rowSelection();
    return context.write(snapshot, {.json = [&](engine::JsonWriter& json) { engine::writeInsights(json, list, rows); },
                                    .tsv =
                                        [&](engine::Output& output) {
                                          engine::writeTableTsv(output, engine::insightsTable().over(list.insights),
                                                                rows);
                                        },
                                    .text =
                                        [&](engine::Output& output) {
                                          engine::writeInsightsText(output, list, form(), rows);
                                          if (const std::string left = engine::notLookedFor(snapshot); !left.empty())
                                            output.write(left + "\n");
                                          engine::writeReachText(output, snapshot.retainedTotals());
                                        },
                                    .findings = list.findings,
                                    .timings = m_timings});
  }

 private:
  /// The form of the list: of a single kind that is asked for, each insight.
  engine::InsightsForm form() const {
    if (m_withDetails) return engine::InsightsForm::Details;
    return m_kinds.empty() ? engine::InsightsForm::Groups : engine::InsightsForm::Each;
  }

  engine::Outcome<engine::InsightList> find(const engine::Snapshot& snapshot, const std::stop_token& stop) {
    engine::InsightOptions options;
    if (m_minimumBytes) options.minimumBytes = *m_minimumBytes;
    for (const std::string& kind : m_kinds) options.kinds.push_back(*engine::enumNamed<engine::InsightKind>(kind));
    const engine::StageClock clock(m_timings, "insights");
    return engine::findInsights(snapshot, options, nullptr, stop);
  }

  std::vector<std::string> m_kinds;
  std::optional<std::uint64_t> m_minimumBytes;
  bool m_own = false;
  bool m_withDetails = false;
  std::vector<engine::StageTiming> m_timings;
};

}  // namespace

std::unique_ptr<Verb> makeInsightsVerb() {
  return std::make_unique<InsightsVerb>();
}

namespace {

using engine::Budget;
using engine::BudgetResult;
using engine::Outcome;
using engine::Snapshot;

constexpr std::size_t kLargestFile = 4 << 20;

class CheckVerb : public Verb {
 public:
  const char* name() const override { return "check"; }
  const char* summary() const override { return "Whether a dump keeps its budgets, for use in CI: status 3 if not"; }

  void addOptions(CLI::App& app) override {
    app.add_option("budgets", m_file, "What is allowed, see resources/manual/budgets.md")
        ->required()
        ->type_name("BUDGETS.json");
    app.add_option("--against", m_against, "Another dump that growth is measured from")->type_name("FILE");
  }

  Outcome<void> run(Context& context) override {
    m_failure = kWrongUsage;
    HEAPSCAPE_TRY(const std::string text, engine::readWholeFile(m_file, kLargestFile));
    HEAPSCAPE_TRY(std::vector<Budget> budgets, engine::parseBudgets(text));
    m_failure = kInputUnusable;
    engine::RetainedOptions retained;
    retained.byType = engine::needRetainedByType(budgets);
    HEAPSCAPE_TRY(const Snapshot snapshot, context.open(engine::Stage::Retained, retained, HeapUse::Graph));
    HEAPSCAPE_TRY(const auto others, openOthers(context, budgets));
    m_failure = kWrongUsage;
    std::vector<engine::StageTiming> timings;
    HEAPSCAPE_TRY(const std::vector<BudgetResult> results, check(context, snapshot, budgets, others, timings));
    m_isExceeded =
        std::any_of(results.begin(), results.end(), [](const BudgetResult& result) { return !result.isKept; });
    std::vector<const Snapshot*> dumps{&snapshot};
    for (const auto& [path, other] : others) dumps.push_back(&other);
    const engine::InputFacts facts = engine::factsOf(dumps);
    return context.write(
        facts, {.json = [&](engine::JsonWriter& json) { engine::writeBudgets(json, results); },
                .text = [&](engine::Output& output) { engine::writeBudgetsText(output, results, facts.isComplete); },
                .timings = timings});
  }

  ExitStatus failureStatus() const override { return m_failure; }
  ExitStatus successStatus() const override { return m_isExceeded ? kBudgetExceeded : kDone; }

 private:
  /// The dumps that budgets compare with, each opened once. Their paths count from the file of budgets.
  Outcome<std::map<std::string, Snapshot>> openOthers(Context& context, const std::vector<Budget>& budgets) const {
    std::map<std::string, Snapshot> others;
    for (const Budget& budget : budgets) {
      if (!budget.comparesDumps() || others.contains(budget.against)) continue;
      const std::filesystem::path path = budget.against.empty()
                                             ? std::filesystem::path(m_against)
                                             : std::filesystem::path(m_file).parent_path() / budget.against;
      if (path.empty()) continue;
      HEAPSCAPE_TRY(Snapshot other, context.openOneOf(path.string(), engine::Stage::Retained, {}, HeapUse::Graph));
      others.emplace(budget.against, std::move(other));
    }
    return others;
  }

  static Outcome<std::vector<BudgetResult>> check(Context& context, const Snapshot& snapshot,
                                                  const std::vector<Budget>& budgets,
                                                  const std::map<std::string, Snapshot>& others,
                                                  std::vector<engine::StageTiming>& timings) {
    const engine::StageClock clock(timings, "budgets");
    ProgressLine progress;
    return engine::checkBudgets(snapshot, budgets, others, &progress, context.stop());
  }

  std::string m_file;
  std::string m_against;
  ExitStatus m_failure = kInputUnusable;
  bool m_isExceeded = false;
};

}  // namespace

std::unique_ptr<Verb> makeCheckVerb() {
  return std::make_unique<CheckVerb>();
}

namespace {

// Two dumps that are open, and what differs between them.
struct ComparedDumps {
  engine::Snapshot before;
  engine::Snapshot after;
  engine::Comparison comparison;
  std::vector<engine::StageTiming> timings;  // of opening the first dump and of comparing

  // Facts of both inputs together.
  engine::InputFacts facts() const;
};

engine::InputFacts ComparedDumps::facts() const {
  return engine::factsOf(std::array{&before, &after});
}

engine::Outcome<ComparedDumps> compareDumps(Context& context, const std::string& before, const std::string& after,
                                            const engine::ComparisonOptions& options) {
  HEAPSCAPE_TRY(auto opened, context.openBoth(before, after));
  auto& [first, second] = opened;
  std::vector<engine::StageTiming> timings;
  ProgressLine progress;
  auto comparison = [&] {
    const engine::StageClock clock(timings, "compare");
    return engine::compareSnapshots(first, second, options, &progress, context.stop());
  }();
  if (!comparison) return tl::unexpected(std::move(comparison.error()));
  return ComparedDumps{std::move(first), std::move(second), std::move(*comparison), std::move(timings)};
}

using engine::GrowthColumn;

class CompareVerb : public Verb {
 public:
  const char* name() const override { return "compare"; }
  const char* summary() const override { return "What has changed from this dump to another one of the program"; }
  bool hasTsv() const override { return true; }

  void addOptions(CLI::App& app) override {
    app.add_option("other", m_after, "The later dump")->required()->type_name("AFTER");
    addChoice(app, "--by", m_by, std::array{GrowthColumn::Bytes, GrowthColumn::Count, GrowthColumn::Retained},
              "Order of the types by growth in");
    app.add_flag("--no-insights", m_withoutInsights, "Do not compare insights, which takes longest");
  }

  engine::Outcome<void> run(Context& context) override {
    const engine::ComparisonOptions options{.withInsights = !m_withoutInsights};
    HEAPSCAPE_TRY(ComparedDumps dumps, compareDumps(context, context.options().input, m_after, options));
    const GrowthColumn column = m_by.value_or(GrowthColumn::Bytes);
    engine::Comparison& comparison = dumps.comparison;
    engine::sortByGrowth(comparison.types, column);
    const engine::RowSelection rows = context.rowSelection();
    return context.write(
        dumps.facts(),
        {.json = [&](engine::JsonWriter& json) { engine::writeComparison(json, comparison, rows); },
         .tsv =
             [&](engine::Output& output) {
               engine::writeTableTsv(output, engine::typeChangesTable().over(comparison.types), rows);
             },
         .text = [&](engine::Output& output) { engine::writeComparisonText(output, comparison, column, rows); },
         .findings = comparison.findings,
         .timings = dumps.timings});
  }

 private:
  std::string m_after;
  std::optional<GrowthColumn> m_by;
  bool m_withoutInsights = false;
};

}  // namespace

std::unique_ptr<Verb> makeCompareVerb() {
  return std::make_unique<CompareVerb>();
}

namespace {

using engine::TrendList;

/// Filter and order of the rows of each list.
struct TrendQuestion {
  std::string filter;
  std::string sort;  // a field, the largest first with a - behind it; empty for the steepest first
};

class TrendVerb : public Verb {
 public:
  const char* name() const override { return "trend"; }
  const char* summary() const override { return "What grows steadily over several dumps of one program"; }
  bool hasTsv() const override { return true; }
  ExitStatus failureStatus() const override { return m_isQueryWrong ? kWrongUsage : kInputUnusable; }

  void addOptions(CLI::App& app) override {
    app.add_option("others", m_others, "The dumps behind it, in their order")
        ->required()
        ->type_name("NEXT")
        ->expected(-1);
    addChoice(app, "--of", m_only,
              std::array{TrendList::Types, TrendList::Owners, TrendList::Roots, TrendList::Insights},
              "This list alone");
    app.add_option("--where", m_question.filter, "Only rows that fit, as in 'verdict = growsSteadily'")
        ->type_name("QUERY");
    app.add_option("--sort", m_question.sort,
                   "Sort by a field, the largest first with a - behind it; by slope if not given")
        ->type_name("FIELD[-]");
    app.add_flag("--no-insights", m_withoutInsights, "Do not look for insights, which takes longest");
  }

  Outcome<void> run(Context& context) override {
    HEAPSCAPE_CHECK(checkQuestion());
    HEAPSCAPE_TRY(engine::Trend trend, readTrend(context));
    HEAPSCAPE_CHECK(answerQuestion(trend, context.stop()));
    const engine::RowSelection rows = context.rowSelection();
    return context.write(
        factsOf(trend), {.json = [&](engine::JsonWriter& json) { engine::writeTrend(json, trend, m_only, rows); },
                         .tsv =
                             [&](engine::Output& output) {
                               engine::writeTableTsv(output, engine::tableOf(trend, m_only.value_or(TrendList::Types)),
                                                     rows);
                             },
                         .text = [&](engine::Output& output) { engine::writeTrendText(output, trend, m_only, rows); }});
  }

 private:
  /// One dump is let go before the next is opened.
  Outcome<engine::Trend> readTrend(Context& context) {
    const bool wantsInsights = !m_withoutInsights && m_only.value_or(TrendList::Insights) == TrendList::Insights;
    std::vector<std::string> paths{context.options().input};
    paths.insert(paths.end(), m_others.begin(), m_others.end());
    std::vector<engine::SampledDump> film;
    std::size_t read = 0;
    for (const std::string& path : paths) {
      const engine::StageClock clock(m_timings, fmt::format("dump {}", film.size() + 1));
      ProgressLine progress;
      const auto open = [&](const std::string& file) {
        return context.open(file, engine::Stage::Retained, {}, HeapUse::Graph);
      };
      HEAPSCAPE_TRY(engine::SampledDump dump,
                    engine::sampleDump(path, open, {.withInsights = wantsInsights}, &progress, context.stop()));
      HEAPSCAPE_CHECK(context.letGo());
      read += dump.sample ? 1 : 0;
      film.push_back(std::move(dump));
    }
    if (read < 2) return tl::unexpected(tooFew(film));
    return engine::trendOf(film);
  }

  static engine::Unfinished tooFew(const std::vector<engine::SampledDump>& film) {
    engine::Error error{engine::ErrorCode::FileUnreadable, "A trend needs two dumps that can be read."};
    for (const engine::SampledDump& dump : film)
      if (dump.error) error.help += fmt::format("{}{}: {}", error.help.empty() ? "" : " ", dump.path, dump.error->what);
    return error;
  }

  /// A dump that cannot be read has no findings, but the answer is not complete.
  engine::InputFacts factsOf(const engine::Trend& trend) const {
    engine::InputFacts facts;
    facts.timings = m_timings;
    facts.isComplete = trend.isComplete;
    facts.findings = trend.findings.items();
    facts.findingsLeftOut = trend.findings.leftOut();
    for (const engine::UnreadDump& dump : trend.unread)
      facts.note += fmt::format("{}{} cannot be read", facts.note.empty() ? "" : ", ", dump.path);
    if (facts.note.empty()) facts.note = "something was missing or damaged in these dumps, see heapscape-cli info";
    facts.note += '.';
    return facts;
  }

  /// Whatever can be wrong with the question is known before a dump is opened.
  Outcome<void> checkQuestion() {
    const engine::Trend empty;
    return forEachList([&](TrendList list) -> Outcome<void> {
      HEAPSCAPE_CHECK(rowsOf(engine::tableOf(empty, list), {}));
      return {};
    });
  }

  template <class Do>
  Outcome<void> forEachList(const Do& act) const {
    for (const TrendList list : {TrendList::Types, TrendList::Owners, TrendList::Roots, TrendList::Insights})
      if (!m_only || *m_only == list) HEAPSCAPE_CHECK(act(list));
    return {};
  }

  template <class Row>
  static void keep(std::vector<Row>& rows, const std::vector<std::uint32_t>& kept) {
    std::vector<Row> all = std::exchange(rows, {});
    for (const std::uint32_t row : kept) rows.push_back(std::move(all[row]));
  }

  Outcome<void> answerQuestion(engine::Trend& trend, const std::stop_token& stop) {
    if (m_question.filter.empty() && m_question.sort.empty()) return {};
    return forEachList([&](TrendList list) -> Outcome<void> {
      HEAPSCAPE_TRY(const std::vector<std::uint32_t> rows, rowsOf(engine::tableOf(trend, list), stop));
      if (list == TrendList::Types) keep(trend.types, rows);
      if (list == TrendList::Owners) keep(trend.owners, rows);
      if (list == TrendList::Roots) keep(trend.roots, rows);
      if (list == TrendList::Insights) keep(trend.insights, rows);
      return {};
    });
  }

  Outcome<std::vector<std::uint32_t>> rowsOf(const engine::Table& table, const std::stop_token& stop) {
    const engine::QuerySchema schema = engine::schemaOf(*table.description);
    auto query = engine::makeQuery(m_question.filter, schema);
    if (!query) return tl::unexpected(wrong(m_question.filter, query.error()));
    std::optional<engine::QueryFieldReference> order;
    const bool isDescending = m_question.sort.ends_with('-');
    if (!m_question.sort.empty()) {
      const std::string field = m_question.sort.substr(0, m_question.sort.size() - (isDescending ? 1 : 0));
      auto reference = engine::parseQueryField(field, schema);
      if (!reference) return tl::unexpected(wrong(field, reference.error()));
      order = std::move(*reference);
    }
    return engine::selectRows(table, *query, order, isDescending, stop);
  }

  engine::Unfinished wrong(const std::string& text, const engine::QueryError& error) {
    m_isQueryWrong = true;
    return engine::withMark(engine::toError(error), text, error);
  }

  std::vector<std::string> m_others;
  std::optional<TrendList> m_only;
  TrendQuestion m_question;
  bool m_withoutInsights = false;
  bool m_isQueryWrong = false;
  std::vector<engine::StageTiming> m_timings;
};

}  // namespace

std::unique_ptr<Verb> makeTrendVerb() {
  return std::make_unique<TrendVerb>();
}

}  // namespace heapscape::cli
