// SPDX-License-Identifier: MIT
#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "cli/choice_option.h"
#include "cli/comparison_input.h"
#include "cli/verb.h"
#include "insight/comparison/comparison_tables.h"
#include "output/insights/compare_output.h"
#include "output/table_output.h"

namespace heapscape::cli {

namespace {

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

}  // namespace heapscape::cli
