// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/context.h"
#include "cli/verb.h"
#include "output/table_output.h"
#include "session/threads/locks_query.h"
#include "tables/thread_tables.h"

namespace heapscape::cli {

namespace {

/// The list of locks, and the circles of threads that wait for each other.
class LocksVerb : public Verb {
 public:
  const char* name() const override { return "locks"; }
  const char* summary() const override { return "Locks of every kind, who holds and awaits them, and deadlocks"; }

  engine::Outcome<void> run(Context& context) override {
    HEAPSCAPE_TRY(const engine::Snapshot snapshot, context.open(engine::Stage::Objects, {}, HeapUse::Optional));
    HEAPSCAPE_TRY(engine::LockList list, engine::listLocksWithActivities(snapshot, context.stop()));
    const engine::Table table = engine::locksTable().with(std::move(list.locks), std::move(list.findings));
    const engine::RowSelection rows = context.rowSelection();
    const auto writeJson = [&](engine::JsonWriter& json) {
      engine::writeTable(json, table, rows);
      writeCycles(json, list.cycles);
    };
    const auto writeText = [&](engine::Output& output) {
      engine::writeTableText(output, table, rows);
      writeDeadlocks(output, list.cycles);
    };
    return context.write(snapshot, {.json = writeJson, .text = writeText, .findings = table.findings});
  }

 private:
  using Cycles = std::vector<std::vector<std::uint32_t>>;

  static void writeCycles(engine::JsonWriter& json, const Cycles& cycles) {
    json.key("cycles");
    json.beginRows();
    for (const auto& cycle : cycles) {
      json.beginArray();
      for (const std::uint32_t thread : cycle) json.value(thread);
      json.endArray();
    }
    json.endArray();
  }

  static void writeDeadlocks(engine::Output& output, const Cycles& cycles) {
    for (const auto& cycle : cycles) {
      output.write(fmt::format("Deadlock: thread {}, which waits for thread {}.\n",
                               fmt::join(cycle, " waits for thread "), cycle.front()));
    }
  }
};

}  // namespace

std::unique_ptr<Verb> makeLocksVerb() {
  return std::make_unique<LocksVerb>();
}

}  // namespace heapscape::cli
