// SPDX-License-Identifier: MIT
#include <CLI/CLI.hpp>

#include "cli/context.h"
#include "cli/cut_choice.h"
#include "cli/root_choice.h"
#include "cli/set_choice.h"
#include "cli/verb.h"
#include "output/references/retained_output.h"
#include "output/references/what_if_output.h"
#include "session/objects/retained_query.h"
#include "session/open/retained_stage.h"
#include "session/snapshot/stage_clock.h"

namespace heapscape::cli {

namespace {

using engine::Outcome;

class RetainedVerb : public Verb {
 public:
  const char* name() const override { return "retained"; }
  const char* summary() const override { return "The objects or types that keep the most alive, exactly"; }
  bool hasTsv() const override { return true; }

  void addOptions(CLI::App& app) override {
    m_roots.addOptions(app);
    app.add_flag("--by-type", m_byType, "Types instead of objects");
    CLI::Option* without = m_cuts.addOptions(
        app,
        "What would be freed if this let go: \"0xFROM->0xTO\", \"root:NAME\", \"root:0xSLOT\", 0xOBJECT, \"type:NAME\" "
        "or \"set:FILE\" with an address a line; several together");
    m_set.addOptions(app, *without);
  }

  Outcome<void> run(Context& context) override {
    engine::RetainedOptions options{.byType = m_byType};
    HEAPSCAPE_TRY(options.roots, m_roots.read());
    HEAPSCAPE_TRY(const engine::Snapshot snapshot, context.open(engine::Stage::Retained, options));
    if (m_set.isAsked()) return runSet(context, snapshot);
    if (m_cuts.isAsked()) return runCuts(context, snapshot);
    const engine::RetainedList list =
        engine::largestRetained(snapshot, context.options().top.value_or(kObjectsUnlessAsked));
    const engine::RowSelection rows = context.rowSelection();
    return context.write(
        snapshot,
        {.json = [&](engine::JsonWriter& json) { engine::writeRetained(json, snapshot, list, rows); },
         .tsv = [&](engine::Output& output) { engine::writeRetainedTsv(output, snapshot, list, m_byType, rows); },
         .text = [&](engine::Output& output) { engine::writeRetainedText(output, snapshot, list, m_byType, rows); },
         .findings = list.findings});
  }

 private:
  static constexpr std::size_t kObjectsUnlessAsked = 1000;

  Outcome<void> runSet(Context& context, const engine::Snapshot& snapshot) const {
    HEAPSCAPE_TRY(const engine::RetainedSet set, m_set.measure(snapshot, context.stop()));
    return context.write(snapshot,
                         {.json = [&](engine::JsonWriter& json) { engine::writeRetainedSet(json, snapshot, set); },
                          .tsv = [&](engine::Output& output) { engine::writeRetainedSetTsv(output, set); },
                          .text = [&](engine::Output& output) { engine::writeRetainedSetText(output, set); },
                          .findings = snapshot.roots().findings});
  }

  Outcome<void> runCuts(Context& context, const engine::Snapshot& snapshot) const {
    std::vector<engine::StageTiming> timings;
    std::optional<engine::WhatIf> whatIf;
    {
      const engine::StageClock clock(timings, "cuts");
      HEAPSCAPE_TRY(whatIf, m_cuts.read(snapshot, context.stop()));
    }
    engine::WhatIfAnswer answer{*whatIf, {}, {}};
    {
      const engine::StageClock clock(timings, "freed");
      answer.objects = whatIf->outermost(context.options().top.value_or(kObjectsUnlessAsked));
      HEAPSCAPE_TRY(answer.types, whatIf->types(context.stop()));
    }
    const engine::RowSelection rows = context.rowSelection();
    return context.write(
        snapshot, {.json = [&](engine::JsonWriter& json) { engine::writeWhatIf(json, answer, rows); },
                   .tsv = [&](engine::Output& output) { engine::writeWhatIfTsv(output, answer, m_byType, rows); },
                   .text = [&](engine::Output& output) { engine::writeWhatIfText(output, answer, m_byType, rows); },
                   .findings = snapshot.roots().findings,
                   .timings = timings});
  }

  RootChoice m_roots;
  SetChoice m_set;
  CutChoice m_cuts;
  bool m_byType = false;
};

}  // namespace

std::unique_ptr<Verb> makeRetainedVerb() {
  return std::make_unique<RetainedVerb>();
}

}  // namespace heapscape::cli
