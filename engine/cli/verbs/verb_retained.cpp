// SPDX-License-Identifier: MIT
#include <CLI/CLI.hpp>

#include "cli/context.h"
#include "cli/root_choice.h"
#include "cli/set_choice.h"
#include "cli/verb.h"
#include "output/references/retained_output.h"
#include "session/door/retained_stage.h"
#include "session/references/retained_query.h"

namespace heapscape::cli {

namespace {

using engine::Outcome;

class RetainedVerb : public Verb {
 public:
  const char* name() const override { return "retained"; }
  const char* summary() const override { return "The objects or types that keep the most alive, exactly"; }

  void addOptions(CLI::App& app) override {
    m_roots.addOptions(app);
    app.add_flag("--by-type", m_byType, "Types instead of objects");
    m_set.addOptions(app);
  }

  Outcome<void> run(Context& context) override {
    engine::RetainedOptions options{.byType = m_byType};
    HEAPSCAPE_TRY(options.roots, m_roots.read());
    HEAPSCAPE_TRY(const engine::Snapshot snapshot, context.open(engine::Stage::Retained, options));
    if (m_set.isAsked()) return runSet(context, snapshot);
    const engine::RetainedList list =
        engine::largestRetained(snapshot, context.options().top.value_or(kObjectsUnlessAsked));
    const engine::RowSelection rows = context.rowSelection();
    return context.write(
        snapshot,
        {.json = [&](engine::JsonWriter& json) { engine::writeRetained(json, snapshot, list, rows); },
         .text = [&](engine::Output& output) { engine::writeRetainedText(output, snapshot, list, m_byType, rows); },
         .findings = list.findings});
  }

 private:
  static constexpr std::size_t kObjectsUnlessAsked = 1000;

  Outcome<void> runSet(Context& context, const engine::Snapshot& snapshot) const {
    HEAPSCAPE_TRY(const engine::RetainedSet set, m_set.measure(snapshot, context.stop()));
    return context.write(snapshot,
                         {.json = [&](engine::JsonWriter& json) { engine::writeRetainedSet(json, snapshot, set); },
                          .text = [&](engine::Output& output) { engine::writeRetainedSetText(output, set); },
                          .findings = snapshot.roots().findings});
  }

  RootChoice m_roots;
  SetChoice m_set;
  bool m_byType = false;
};

}  // namespace

std::unique_ptr<Verb> makeRetainedVerb() {
  return std::make_unique<RetainedVerb>();
}

}  // namespace heapscape::cli
