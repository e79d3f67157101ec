// SPDX-License-Identifier: MIT
#include "cli/context.h"
#include "cli/verb.h"
#include "output/threads_json.h"
#include "output/threads_text.h"

namespace heapscape::cli {

namespace {

class ThreadsVerb : public Verb {
 public:
  const char* name() const override { return "threads"; }
  const char* summary() const override { return "Threads of the runtime, their state and exception"; }

  engine::Outcome<void> run(Context& context) override {
    HEAPSCAPE_TRY(const engine::Snapshot snapshot, context.openRetained());
    HEAPSCAPE_TRY(engine::ThreadList list, engine::listThreads(snapshot, context.stop()));
    HEAPSCAPE_TRY(const engine::StackList stacks, engine::listStacks(snapshot, {}, context.stop()));
    engine::addActivities(list, stacks);
    const engine::RowSelection rows = context.rowSelection();
    return context.write(snapshot,
                         {.json = [&](engine::JsonWriter& json) { engine::writeThreads(json, list, rows); },
                          .text = [&](engine::Output& output) { engine::writeThreadsText(output, list, rows); },
                          .findings = list.findings});
  }
};

}  // namespace

std::unique_ptr<Verb> makeThreadsVerb() {
  return std::make_unique<ThreadsVerb>();
}

}  // namespace heapscape::cli
