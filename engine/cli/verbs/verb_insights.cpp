// SPDX-License-Identifier: MIT
#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/context.h"
#include "cli/number_option.h"
#include "cli/verb.h"
#include "insight/insight.h"
#include "insight/insight_tables.h"
#include "output/insights/insights_output.h"
#include "output/table_output.h"
#include "session/snapshot/stage_clock.h"

namespace heapscape::cli {

namespace {

class InsightsVerb : public Verb {
 public:
  const char* name() const override { return "insights"; }
  const char* summary() const override { return "What wastes memory or leaks, and what would win it back"; }
  bool hasTsv() const override { return true; }

  void addOptions(CLI::App& app) override {
    app.add_option("--kind", m_kinds, "Only this kind; may be given several times")
        ->type_name("KIND")
        ->check([](const std::string& name) {
          return engine::insightKindOf(name) ? std::string() : "'" + name + "' is no kind of insight";
        });
    addNumber(app, "--min", m_minimumBytes, "Leave out what costs less than N bytes");
    app.add_flag("--own", m_own, "Without what the framework itself holds");
    app.add_flag("--details", m_withDetails, "With advice, facts, owners and the costliest objects");
  }

  engine::Outcome<void> run(Context& context) override {
    HEAPSCAPE_TRY(const engine::Snapshot snapshot, context.openRetained());
    HEAPSCAPE_TRY(engine::InsightList list, find(snapshot, context.stop()));
    if (m_own) engine::leaveOutFramework(list);
    const engine::RowSelection rows = context.rowSelection();
    return context.write(
        snapshot, {.json = [&](engine::JsonWriter& json) { engine::writeInsights(json, list, rows); },
                   .tsv =
                       [&](engine::Output& output) {
                         engine::writeTableTsv(output, engine::insightsTable().over(list.insights), rows);
                       },
                   .text = [&](engine::Output& output) { engine::writeInsightsText(output, list, form(), rows); },
                   .findings = list.findings,
                   .timings = m_timings});
  }

 private:
  /// Who asks for a kind wants to see each.
  engine::InsightsForm form() const {
    if (m_withDetails) return engine::InsightsForm::Details;
    return m_kinds.empty() ? engine::InsightsForm::Groups : engine::InsightsForm::Each;
  }

  engine::Outcome<engine::InsightList> find(const engine::Snapshot& snapshot, const std::stop_token& stop) {
    engine::InsightOptions options;
    if (m_minimumBytes) options.minimumBytes = *m_minimumBytes;
    for (const std::string& kind : m_kinds) options.kinds.push_back(*engine::insightKindOf(kind));
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

}  // namespace heapscape::cli
