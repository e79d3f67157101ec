// SPDX-License-Identifier: MIT
#include "cli/context.h"
#include "cli/verb.h"
#include "output/heap/snapshot_json.h"
#include "output/heap/snapshot_text.h"

namespace heapscape::cli {

namespace {

class GenerationsVerb : public Verb {
 public:
  const char* name() const override { return "generations"; }
  const char* summary() const override { return "Objects and free space by generation and heap"; }

  engine::Outcome<void> run(Context& context) override {
    HEAPSCAPE_TRY(const engine::Snapshot snapshot, context.open(engine::Stage::Objects));
    const std::size_t limit = context.options().rowLimit();
    return context.write(
        snapshot, {.json = [&](engine::JsonWriter& json) { engine::writeGenerations(json, snapshot, limit); },
                   .text = [&](engine::Output& output) { engine::writeGenerationsText(output, snapshot, limit); }});
  }
};

}  // namespace

std::unique_ptr<Verb> makeGenerationsVerb() {
  return std::make_unique<GenerationsVerb>();
}

}  // namespace heapscape::cli
