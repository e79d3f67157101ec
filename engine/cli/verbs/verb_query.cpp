// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/arguments.h"
#include "cli/context.h"
#include "cli/verb.h"
#include "lists/row_question.h"
#include "output/arrow_file.h"
#include "output/query_table.h"
#include "output/typed_columns.h"
#include "session/objects/object_query.h"

namespace heapscape::cli {

namespace {

using engine::Outcome;
using engine::QueryTable;
using engine::QueryValue;
using engine::RowQuestion;

constexpr std::size_t kRowsUnlessAsked = 1000;

class QueryVerb : public Verb {
 public:
  const char* name() const override { return "query"; }
  const char* summary() const override { return "Objects, types or rows of a list that fit an expression"; }
  bool hasTsv() const override { return true; }
  ExitStatus failureStatus() const override { return m_isQueryWrong ? kWrongUsage : kInputUnusable; }

  void addOptions(CLI::App& app) override {
    app.add_option(
           "QUERY", m_words,
           "As in 'type ~ \"Order\" and size > 1KB'; everything without it. More dumps may stand in front of it")
        ->type_name("[DUMP...] [QUERY]");
    const std::vector<std::string> subjects = RowQuestion::subjects();
    app.add_option("--of", m_asked.of, "What to look at, objects if not given")
        ->check(CLI::IsMember(subjects))
        ->type_name(fmt::format("{}", fmt::join(subjects, "|")));
    app.add_option("--columns", m_asked.columns,
                   "More fields of objects, or of those that rows are about, as in 'value,field(\"Name\")'")
        ->type_name("FIELD,...");
    app.add_option("--sort", m_asked.sort, "Sort by a field, the largest first with a - behind it")
        ->type_name("FIELD[-]");
    app.add_option("--objects", m_objectFiles,
                   "Make the objects at the addresses in FILE, one a line, known as a set: set = NAME")
        ->type_name("NAME=FILE");
    CLI::Option* count = app.add_flag("--count", m_asked.onlyTotals, "Only totals");
    app.add_option("--group-by", m_asked.groupBy, "Add up objects, or count rows, by what a field holds")
        ->type_name("FIELD")
        ->excludes(count);
    app.add_option("--arrow", m_arrowFile,
                   "Also write all rows, or as many as --top says, to FILE in Arrow's file format, as pandas, polars "
                   "and DuckDB read it; what is printed has totals alone, then")
        ->type_name("FILE")
        ->excludes(count);
  }

  Outcome<void> run(Context& context) override {
    HEAPSCAPE_TRY(const std::vector<std::string> dumps, readWords(context.options().input));
    m_asked.redact = context.options().redact;
    m_asked.addsSortColumn = dumps.size() > 1;
    m_asked.limit = rowLimit(context);
    auto question = RowQuestion::make(m_asked);
    if (!question) return wrong(std::move(question.error()));
    return dumps.size() > 1 ? runSeveral(context, *question, dumps) : runOne(context, *question, dumps.front());
  }

 private:
  /// The dumps, and the query behind them: of the words those that are no files.
  Outcome<std::vector<std::string>> readWords(const std::string& input) {
    std::vector<std::string> dumps{input};
    for (std::size_t i = 0; i < m_words.size(); ++i) {
      std::error_code ignored;
      if (std::filesystem::is_regular_file(m_words[i], ignored)) {
        dumps.push_back(m_words[i]);
      } else if (i + 1 == m_words.size()) {
        m_asked.query = m_words[i];
      } else {
        return tl::unexpected(engine::Unfinished(
            engine::Error{engine::ErrorCode::FileUnreadable, fmt::format("{} is no file.", m_words[i]),
                          "Only the last word may be the query; put it in quotation marks as a whole."}));
      }
    }
    return dumps;
  }

  // Something that was typed and is no query; its place is shown.
  tl::unexpected<engine::Unfinished> wrong(engine::WrongRows&& wrong) {
    m_isQueryWrong = true;
    if (wrong.place) wrong.error = engine::withMark(std::move(wrong.error), wrong.text, *wrong.place);
    return tl::unexpected(engine::Unfinished(std::move(wrong.error)));
  }

  Outcome<void> runOne(Context& context, const RowQuestion& question, const std::string& dump) {
    const engine::RetainedOptions retained{.byType = question.needsRetainedByType()};
    HEAPSCAPE_TRY(const engine::Snapshot snapshot,
                  context.open(dump, engine::Stage::Retained, retained, question.heap()));
    HEAPSCAPE_TRY(auto sets, readSets(snapshot, context.stop()));
    if (m_arrowFile.empty()) {
      HEAPSCAPE_TRY(const QueryTable table, question.askWhole(snapshot, std::move(sets), m_timings, context.stop()));
      return write(context, engine::factsOf(snapshot), table);
    }
    engine::TypedColumns columns(question.columns());
    const RowQuestion::Sink add = [&columns](std::vector<QueryValue>&& row) { columns.add(row); };
    HEAPSCAPE_TRY(const QueryTable table, question.ask(snapshot, std::move(sets), add, m_timings, context.stop()));
    HEAPSCAPE_CHECK(writeArrow(columns));
    return write(context, engine::factsOf(snapshot), table);
  }

  /// Rows of all dumps with the dump as their first column, in one order. One is let go before the next is opened.
  Outcome<void> runSeveral(Context& context, const RowQuestion& question, const std::vector<std::string>& dumps) {
    QueryTable all;
    engine::InputFacts facts;
    const engine::RetainedOptions retained{.byType = question.needsRetainedByType()};
    for (const std::string& dump : dumps) {
      HEAPSCAPE_TRY(const engine::Snapshot snapshot,
                    context.openOneOf(dump, engine::Stage::Retained, retained, question.heap()));
      HEAPSCAPE_TRY(auto sets, readSets(snapshot, context.stop()));
      HEAPSCAPE_TRY(QueryTable found, question.askWhole(snapshot, std::move(sets), m_timings, context.stop()));
      const engine::InputFacts of = engine::factsOf(snapshot);
      facts.isComplete = facts.isComplete && of.isComplete;
      facts.findingsLeftOut += of.findingsLeftOut;
      for (engine::Finding finding : of.findings) {
        finding.message = fmt::format("{}: {}", dump, finding.message);
        facts.findings.push_back(std::move(finding));
      }
      addRows(all, std::move(found), dump);
      HEAPSCAPE_CHECK(context.letGo());
    }
    if (!facts.isComplete) facts.note = "something was missing or damaged in these dumps, see heapscape-cli info.";
    if (const auto sortedBy = question.sortedBy()) {
      const std::size_t column = *sortedBy + 1;  // behind the dump
      std::ranges::stable_sort(all.rows, [&](const auto& left, const auto& right) {
        return question.isDescending() ? engine::isBefore(right[column], left[column])
                                       : engine::isBefore(left[column], right[column]);
      });
    }
    if (all.rows.size() > m_asked.limit) all.rows.resize(m_asked.limit);
    if (!m_arrowFile.empty()) {
      engine::TypedColumns columns(all.columns);
      for (const std::vector<QueryValue>& row : all.rows) columns.add(row);
      HEAPSCAPE_CHECK(writeArrow(columns));
      all.rows.clear();
    }
    return write(context, facts, all);
  }

  static void addRows(QueryTable& all, QueryTable&& of, const std::string& dump) {
    if (all.columns.empty()) {
      all.noun = of.noun;
      all.columns = std::move(of.columns);
      all.columns.insert(all.columns.begin(), {"dump", engine::QueryKind::Text});
    }
    for (std::vector<QueryValue>& row : of.rows) {
      row.insert(row.begin(), QueryValue::ofText(dump));
      all.rows.push_back(std::move(row));
    }
    all.rowsInAll += of.rowsInAll;
    for (const engine::TableTotal& total : of.totals) {
      const auto known = std::ranges::find(all.totals, total.name, &engine::TableTotal::name);
      if (known == all.totals.end())
        all.totals.push_back(total);
      else
        known->value += total.value;
    }
    for (std::string& note : of.notes)
      if (std::ranges::find(all.notes, note) == all.notes.end()) all.notes.push_back(std::move(note));
    all.findings.append(of.findings);
  }

  // All groups, all rows of a file, but of rows that are printed no more than anybody reads.
  std::size_t rowLimit(const Context& context) const {
    const bool isPrinted = m_asked.groupBy.empty() && m_arrowFile.empty();
    return isPrinted ? context.options().top.value_or(kRowsUnlessAsked) : context.options().rowLimit();
  }

  Outcome<std::shared_ptr<const engine::ObjectSets>> readSets(const engine::Snapshot& snapshot,
                                                              const std::stop_token& stop) {
    auto sets = std::make_shared<engine::ObjectSets>();
    for (const std::string& given : m_objectFiles) {
      const std::size_t equals = given.find('=');
      if (equals == std::string::npos || equals == 0) {
        m_isQueryWrong = true;
        return tl::unexpected(engine::Unfinished(
            engine::Error{engine::ErrorCode::BadQuery, fmt::format("“{}” does not name a set.", given),
                          "--objects needs a name and a file, as in --objects leaked=addresses.txt."}));
      }
      HEAPSCAPE_TRY(auto addresses, readAddressFile(given.substr(equals + 1), "file of objects"));
      HEAPSCAPE_TRY(auto ids, engine::idsOfSet(snapshot, {.objects = std::move(addresses)}, stop));
      sets->insert_or_assign(given.substr(0, equals),
                             std::make_shared<const std::vector<std::uint32_t>>(std::move(ids)));
    }
    return sets;
  }

  Outcome<void> writeArrow(const engine::TypedColumns& columns) const {
    const auto written = engine::writeArrowFile(m_arrowFile, columns);
    if (!written) return tl::unexpected(engine::Unfinished(written.error()));
    return {};
  }

  Outcome<void> write(Context& context, const engine::InputFacts& facts, const QueryTable& table) const {
    return context.write(facts, {.json = [&](engine::JsonWriter& json) { engine::writeQuery(json, table); },
                                 .tsv = [&](engine::Output& output) { engine::writeQueryTsv(output, table); },
                                 .text = [&](engine::Output& output) { engine::writeQueryText(output, table); },
                                 .findings = table.findings,
                                 .timings = m_timings});
  }

  std::vector<std::string> m_words;
  engine::RowsAsked m_asked;
  std::vector<std::string> m_objectFiles;  // "NAME=FILE"
  std::string m_arrowFile;
  bool m_isQueryWrong = false;
  std::vector<engine::StageTiming> m_timings;
};

}  // namespace

std::unique_ptr<Verb> makeQueryVerb() {
  return std::make_unique<QueryVerb>();
}

}  // namespace heapscape::cli
