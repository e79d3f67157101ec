// SPDX-License-Identifier: MIT
#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/context.h"
#include "cli/verb.h"
#include "output/layouts/waste_output.h"
#include "output/table_output.h"
#include "session/layouts/declared_layouts.h"
#include "session/layouts/waste_query.h"
#include "session/snapshot/stage_clock.h"
#include "tables/waste_tables.h"

namespace heapscape::cli {

namespace {

using engine::WasteGrouping;
using engine::WasteRow;

class WasteVerb : public Verb {
 public:
  const char* name() const override { return "waste"; }
  const char* summary() const override { return "What the layouts of types cost, and what better ones would save"; }
  bool hasTsv() const override { return true; }

  void addOptions(CLI::App& app) override {
    app.add_option("--by", m_by, "Groups: namespace or assembly")->check(CLI::IsMember({"namespace", "assembly"}));
    app.add_option("--assembly", m_assembly, "Only types of this assembly, with or without .dll")->type_name("NAME");
    app.add_flag("--own", m_own, "Without types of the framework");
  }

  engine::Outcome<void> run(Context& context) override {
    HEAPSCAPE_TRY(const engine::Snapshot snapshot, context.open(engine::Stage::Layouts));
    HEAPSCAPE_TRY(engine::Waste waste, measure(snapshot, context.stop()));
    std::erase_if(waste.rows, [this](const WasteRow& row) { return !isAskedFor(row); });
    const engine::RowSelection rows = context.rowSelection();
    const std::optional<WasteGrouping> by = grouping();
    return context.write(snapshot,
                         {.json = [&](engine::JsonWriter& json) { engine::writeWaste(json, waste, by, rows); },
                          .tsv =
                              [&](engine::Output& output) {
                                engine::writeTableTsv(output, engine::wasteTable().over(waste.rows), rows);
                              },
                          .text = [&](engine::Output& output) { engine::writeWasteText(output, waste, by, rows); },
                          .timings = m_timings});
  }

 private:
  engine::Outcome<engine::Waste> measure(const engine::Snapshot& snapshot, const std::stop_token& stop) {
    const engine::StageClock clock(m_timings, "waste");
    HEAPSCAPE_TRY(const engine::DeclaredLayouts layouts, engine::DeclaredLayouts::ofDump(snapshot));
    return engine::wasteOf(snapshot, layouts, nullptr, stop);
  }

  bool isAskedFor(const WasteRow& row) const {
    if (m_own && row.isFramework) return false;
    return m_assembly.empty() || row.assembly == m_assembly || row.assembly == m_assembly + ".dll";
  }

  std::optional<WasteGrouping> grouping() const {
    if (m_by.empty()) return std::nullopt;
    return m_by == "assembly" ? WasteGrouping::Assembly : WasteGrouping::Namespace;
  }

  std::string m_by;
  std::string m_assembly;
  bool m_own = false;
  std::vector<engine::StageTiming> m_timings;
};

}  // namespace

std::unique_ptr<Verb> makeWasteVerb() {
  return std::make_unique<WasteVerb>();
}

}  // namespace heapscape::cli
