// SPDX-License-Identifier: MIT
#include <array>
#include <optional>

#include "cli/choice_option.h"
#include "cli/context.h"
#include "cli/verb.h"
#include "output/heap/snapshot_output.h"

namespace heapscape::cli {

namespace {

class InfoVerb : public Verb {
 public:
  const char* name() const override { return "info"; }
  const char* summary() const override { return "The runtime, the dump and the heap as a whole"; }

  void addOptions(CLI::App& app) override {
    static constexpr std::array kStages{engine::Stage::Summary, engine::Stage::Segments, engine::Stage::Objects,
                                        engine::Stage::Layouts};
    addChoice(app, "--stop-after", m_stage, kStages, "Open no further than a stage, for measurements");
  }

  engine::Outcome<void> run(Context& context) override {
    HEAPSCAPE_TRY(const engine::Snapshot snapshot,
                  context.open(m_stage.value_or(engine::Stage::Objects), {}, HeapUse::Optional));
    HEAPSCAPE_TRY(const engine::Crash crash, engine::readCrash(snapshot, context.stop()));
    const bool isRedacted = context.options().redact;
    return context.write(
        snapshot,
        {.json = [&](engine::JsonWriter& json) { engine::writeInfo(json, snapshot, crash, isRedacted); },
         .text = [&](engine::Output& output) { engine::writeInfoText(output, snapshot, crash, isRedacted); }});
  }

 private:
  std::optional<engine::Stage> m_stage;
};

}  // namespace

std::unique_ptr<Verb> makeInfoVerb() {
  return std::make_unique<InfoVerb>();
}

}  // namespace heapscape::cli
