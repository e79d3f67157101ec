// SPDX-License-Identifier: MIT
#include "cli/context.h"
#include "cli/verb.h"
#include "output/threads_json.h"
#include "output/threads_text.h"

namespace heapscape::cli {

namespace {

class LocksVerb : public Verb {
 public:
  const char* name() const override { return "locks"; }
  const char* summary() const override {
    return "Thin locks and sync blocks, who holds and awaits them, and deadlocks";
  }

  engine::Outcome<void> run(Context& context) override {
    HEAPSCAPE_TRY(const engine::Snapshot snapshot, context.open(engine::Stage::Objects));
    HEAPSCAPE_TRY(engine::LockList list, engine::listLocks(snapshot, context.stop()));
    HEAPSCAPE_TRY(const engine::StackList stacks, engine::listStacks(snapshot, {}, context.stop()));
    engine::addActivities(list, stacks);
    const engine::RowSelection rows = context.rowSelection();
    return context.write(snapshot, {.json = [&](engine::JsonWriter& json) { engine::writeLocks(json, list, rows); },
                                    .text = [&](engine::Output& output) { engine::writeLocksText(output, list, rows); },
                                    .findings = list.findings});
  }
};

}  // namespace

std::unique_ptr<Verb> makeLocksVerb() {
  return std::make_unique<LocksVerb>();
}

}  // namespace heapscape::cli
