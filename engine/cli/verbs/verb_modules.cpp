// SPDX-License-Identifier: MIT
#include "cli/context.h"
#include "cli/verb.h"
#include "output/snapshot_json.h"
#include "output/snapshot_text.h"

namespace heapscape::cli {

namespace {

class ModulesVerb : public Verb {
 public:
  const char* name() const override { return "modules"; }
  const char* summary() const override { return "Assemblies that the process had loaded"; }

  engine::Outcome<void> run(Context& context) override {
    HEAPSCAPE_TRY(const engine::Snapshot snapshot, context.open(engine::Stage::Segments));
    const std::size_t limit = context.options().rowLimit();
    return context.write(snapshot,
                         {.json = [&](engine::JsonWriter& json) { engine::writeModules(json, snapshot, limit); },
                          .text = [&](engine::Output& output) { engine::writeModulesText(output, snapshot, limit); }});
  }
};

}  // namespace

std::unique_ptr<Verb> makeModulesVerb() {
  return std::make_unique<ModulesVerb>();
}

}  // namespace heapscape::cli
