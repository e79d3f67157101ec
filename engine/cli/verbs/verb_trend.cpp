// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/choice_option.h"
#include "cli/context.h"
#include "cli/progress_line.h"
#include "cli/verb.h"
#include "insight/trend/trend_tables.h"
#include "output/insights/trend_output.h"
#include "output/query_table.h"
#include "output/table_output.h"
#include "query/rows/table_query.h"
#include "session/snapshot/stage_clock.h"

namespace heapscape::cli {

namespace {

using engine::Outcome;
using engine::TrendList;

/// What is looked for in each list, and in which order it is written.
struct RowQuestion {
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
    std::vector<engine::FilmedDump> film;
    std::size_t read = 0;
    for (const std::string& path : paths) {
      const engine::StageClock clock(m_timings, fmt::format("dump {}", film.size() + 1));
      ProgressLine progress;
      const auto open = [&](const std::string& file) { return context.open(file, engine::Stage::Retained); };
      HEAPSCAPE_TRY(engine::FilmedDump dump,
                    engine::filmDump(path, open, {.withInsights = wantsInsights}, &progress, context.stop()));
      HEAPSCAPE_CHECK(context.letGo());
      read += dump.frame ? 1 : 0;
      film.push_back(std::move(dump));
    }
    if (read < 2) return tl::unexpected(tooFew(film));
    return engine::trendOf(film);
  }

  static engine::Unfinished tooFew(const std::vector<engine::FilmedDump>& film) {
    engine::Error error{engine::ErrorCode::FileUnreadable, "A trend needs two dumps that can be read."};
    for (const engine::FilmedDump& dump : film)
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
    fmt::print(stderr, "{}", engine::markedQuery(text, error));
    return engine::toError(error);
  }

  std::vector<std::string> m_others;
  std::optional<TrendList> m_only;
  RowQuestion m_question;
  bool m_withoutInsights = false;
  bool m_isQueryWrong = false;
  std::vector<engine::StageTiming> m_timings;
};

}  // namespace

std::unique_ptr<Verb> makeTrendVerb() {
  return std::make_unique<TrendVerb>();
}

}  // namespace heapscape::cli
