// SPDX-License-Identifier: MIT
#include "cli/context.h"
#include "cli/verb.h"
#include "output/heap/memory_output.h"
#include "output/table_output.h"
#include "session/process/process_memory.h"
#include "session/snapshot/stage_clock.h"
#include "tables/memory_table.h"

namespace heapscape::cli {

namespace {

class MemoryVerb : public Verb {
 public:
  const char* name() const override { return "memory"; }
  const char* summary() const override { return "Where the memory of the whole process is, by owner"; }
  bool hasTsv() const override { return true; }

  engine::Outcome<void> run(Context& context) override {
    HEAPSCAPE_TRY(const engine::Snapshot snapshot, context.open(engine::Stage::Objects, {}, HeapUse::Optional));
    std::vector<engine::StageTiming> timings;
    HEAPSCAPE_TRY(const engine::ProcessMemory memory, measure(snapshot, timings, context.stop()));
    const engine::RowSelection rows = context.rowSelection();
    return context.write(snapshot,
                         {.json = [&](engine::JsonWriter& json) { engine::writeMemory(json, memory, rows); },
                          .tsv =
                              [&](engine::Output& output) {
                                engine::writeTableTsv(output, engine::memoryTable().with(memory.parts), rows);
                              },
                          .text = [&](engine::Output& output) { engine::writeMemoryText(output, memory, rows); },
                          .timings = timings});
  }

 private:
  static engine::Outcome<engine::ProcessMemory> measure(const engine::Snapshot& snapshot,
                                                        std::vector<engine::StageTiming>& timings,
                                                        const std::stop_token& stop) {
    const engine::StageClock clock(timings, "memory");
    return engine::processMemoryOf(snapshot, stop);
  }
};

}  // namespace

std::unique_ptr<Verb> makeMemoryVerb() {
  return std::make_unique<MemoryVerb>();
}

}  // namespace heapscape::cli
