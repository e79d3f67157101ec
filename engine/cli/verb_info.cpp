// SPDX-License-Identifier: MIT
#include <CLI/CLI.hpp>
#include <map>

#include "cli/context.h"
#include "cli/verb.h"
#include "report/snapshot_json.h"
#include "report/snapshot_text.h"

namespace heapscape::cli {

namespace {

class InfoVerb : public Verb {
 public:
  const char* name() const override { return "info"; }
  const char* summary() const override { return "The runtime, the dump and the heap as a whole"; }

  void addOptions(CLI::App& app) override {
    std::map<std::string, engine::Stage> stages;
    for (const auto stage :
         {engine::Stage::Summary, engine::Stage::Segments, engine::Stage::Objects, engine::Stage::Layouts}) {
      stages[engine::toString(stage)] = stage;
    }
    app.add_option("--stop-after", m_stage, "Open no further than this stage, for measurements")
        ->type_name("STAGE")
        ->transform(CLI::CheckedTransformer(stages));
  }

  engine::Outcome<void> run(Context& context) override {
    HEAPSCAPE_TRY(const engine::Snapshot snapshot, context.open(m_stage));
    return context.write(snapshot, {.json = [&](engine::JsonWriter& json) { engine::writeInfo(json, snapshot); },
                                    .text = [&](engine::Output& output) { engine::writeInfoText(output, snapshot); }});
  }

 private:
  engine::Stage m_stage = engine::Stage::Objects;
};

}  // namespace

std::unique_ptr<Verb> makeInfoVerb() {
  return std::make_unique<InfoVerb>();
}

}  // namespace heapscape::cli
