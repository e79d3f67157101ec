// SPDX-License-Identifier: MIT
#include "cli/context.h"
#include "cli/verb.h"
#include "output/roots_json.h"
#include "output/roots_text.h"

namespace heapscape::cli {

namespace {

class FinalizersVerb : public Verb {
 public:
  const char* name() const override { return "finalizers"; }
  const char* summary() const override { return "Objects with a finalizer that has not run"; }

  engine::Outcome<void> run(Context& context) override {
    HEAPSCAPE_TRY(const engine::Snapshot snapshot, context.openRetained());
    HEAPSCAPE_TRY(const engine::FinalizerList list, engine::listFinalizers(snapshot, context.stop()));
    const engine::RowSelection rows = context.rowSelection();
    return context.write(snapshot,
                         {.json = [&](engine::JsonWriter& json) { engine::writeFinalizers(json, list, rows); },
                          .text = [&](engine::Output& output) { engine::writeFinalizersText(output, list, rows); },
                          .findings = list.findings});
  }
};

}  // namespace

std::unique_ptr<Verb> makeFinalizersVerb() {
  return std::make_unique<FinalizersVerb>();
}

}  // namespace heapscape::cli
