// SPDX-License-Identifier: MIT
#include "cli/context.h"
#include "cli/verb.h"
#include "output/threads/crash_output.h"

namespace heapscape::cli {

namespace {

class CrashVerb : public Verb {
 public:
  const char* name() const override { return "crash"; }
  const char* summary() const override { return "Why the process died: the exception, signal or overflow, and where"; }

  engine::Outcome<void> run(Context& context) override {
    HEAPSCAPE_TRY(const engine::Snapshot snapshot, context.open(engine::Stage::Summary, {}, HeapUse::Optional));
    HEAPSCAPE_TRY(const engine::Crash crash, engine::readCrash(snapshot, context.stop()));
    const engine::RowSelection rows = context.rowSelection();
    return context.write(snapshot,
                         {.json = [&](engine::JsonWriter& json) { engine::writeCrash(json, crash, rows); },
                          .text = [&](engine::Output& output) { engine::writeCrashText(output, crash, rows); },
                          .findings = crash.findings});
  }
};

}  // namespace

std::unique_ptr<Verb> makeCrashVerb() {
  return std::make_unique<CrashVerb>();
}

}  // namespace heapscape::cli
