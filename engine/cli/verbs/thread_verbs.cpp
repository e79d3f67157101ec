// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>

#include "cli/context.h"
#include "cli/verb.h"
#include "output/table_output.h"
#include "output/threads/async_output.h"
#include "output/threads/crash_output.h"
#include "output/threads/stacks_output.h"
#include "session/snapshot/stage_clock.h"
#include "session/threads/crash_cause.h"
#include "session/threads/locks_query.h"
#include "session/threads/thread_waits.h"
#include "tables/thread_tables.h"

namespace heapscape::cli {
namespace {

class StacksVerb : public Verb {
 public:
  const char* name() const override { return "stacks"; }
  const char* summary() const override { return "What each thread was doing: its frames, and what they refer to"; }

  void addOptions(CLI::App& app) override {
    app.add_option("--thread", m_thread, "Only the thread with this managed id")->type_name("ID");
    app.add_flag("--parallel", m_isParallel, "All stacks laid over each other, with the threads in each frame");
    app.add_flag("--native", m_options.native, "Frames of native code on top and below, too");
    app.add_flag("--locals", m_options.variables,
                 "What parameters and locals hold: numbers, structures, references, where the code keeps them");
    app.add_flag("--registers", m_options.registers,
                 "Registers of each thread, and of each frame those whose values are known there");
    app.add_flag("--all-frames", m_isWhole, "Also frames that repeat one by one, rather than once with how often");
    app.add_flag("--roots", m_options.roots, "What each frame refers to (JSON always has it)");
  }

  engine::Outcome<void> run(Context& context) override {
    const bool isText = !context.options().asJson;
    // What a root refers to is known once the heap is walked; frames alone need no heap.
    const bool needsHeap = !m_isParallel && (m_options.roots || m_options.variables || !isText);
    m_options.roots = !m_isParallel && (m_options.roots || !isText);
    m_options.valuesOfRepeats = m_isWhole;
    HEAPSCAPE_TRY(const engine::Snapshot snapshot,
                  context.open(needsHeap ? engine::Stage::Objects : engine::Stage::Summary, {}, HeapUse::Optional));
    HEAPSCAPE_TRY(engine::StackList list, engine::listStacks(snapshot, m_options, context.stop()));
    if (m_thread) HEAPSCAPE_CHECK(keepOnly(*m_thread, list));
    if (m_isParallel) return writeParallel(context, snapshot, list);
    // Whoever reads a dump of a crash looks for the thread that died.
    const engine::Address dead = engine::crashCauseOf(snapshot).thread;
    if (isText && dead)
      std::ranges::stable_partition(list.threads, [&](const auto& row) { return row.thread == dead; });
    const engine::FrameSelection rows{.rows = context.rowSelection(), .isFolded = !m_isWhole};
    return context.write(snapshot,
                         {.json = [&](engine::JsonWriter& json) { engine::writeStacks(json, list, rows); },
                          .text = [&](engine::Output& output) { engine::writeStacksText(output, list, rows); },
                          .findings = list.findings});
  }

 private:
  static engine::Outcome<void> keepOnly(std::uint32_t managedId, engine::StackList& list) {
    std::erase_if(list.threads, [&](const engine::ThreadStackRow& row) { return row.managedId != managedId; });
    if (!list.threads.empty()) return {};
    return engine::failure(engine::ErrorCode::NotFound,
                           "No thread with a stack has the managed id " + std::to_string(managedId) + ".",
                           "The verb threads lists all threads; those that have ended or not begun have no stack.");
  }

  static engine::Outcome<void> writeParallel(Context& context, const engine::Snapshot& snapshot,
                                             const engine::StackList& list) {
    const engine::ParallelStacks stacks = engine::parallelStacks(list, {});
    const auto activities = engine::activitiesOf(list);
    return context.write(
        snapshot,
        {.json = [&](engine::JsonWriter& json) { engine::writeParallelStacks(json, list, stacks, activities); },
         .text = [&](engine::Output& output) { engine::writeParallelText(output, list, stacks, activities); },
         .findings = list.findings});
  }

  std::optional<std::uint32_t> m_thread;
  bool m_isParallel = false;
  bool m_isWhole = false;
  engine::StackOptions m_options{.roots = false};
};

}  // namespace

std::unique_ptr<Verb> makeStacksVerb() {
  return std::make_unique<StacksVerb>();
}

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

namespace {

constexpr std::size_t kItemsOfQueue = 1000;

class AsyncVerb : public Verb {
 public:
  const char* name() const override { return "async"; }
  const char* summary() const override {
    return "Async methods that have not ended, who awaits whom; queues of the thread pool, and timers";
  }

  void addOptions(CLI::App& app) override {
    app.add_flag("--chains", m_each, "Every chain by itself, with its objects and the locals that live across awaits");
  }

  engine::Outcome<void> run(Context& context) override {
    HEAPSCAPE_TRY(const engine::Snapshot snapshot, context.openRetained(HeapUse::Fields));
    HEAPSCAPE_TRY(engine::AsyncList list, listChains(snapshot, context.stop()));
    HEAPSCAPE_TRY(const auto stacks, engine::keptStacks(snapshot, context.stop()));
    engine::joinThreads(list, *stacks);
    const engine::RowSelection rows = context.rowSelection();
    HEAPSCAPE_TRY(const engine::ThreadPoolState pool,
                  engine::readThreadPool(snapshot, std::min(rows.limit, kItemsOfQueue), context.stop()));
    HEAPSCAPE_TRY(const engine::TimerList timers, engine::listTimers(snapshot, context.stop()));
    engine::FindingList findings = list.findings;
    findings.append(pool.findings);
    findings.append(timers.findings);
    return context.write(snapshot, {.json =
                                        [&](engine::JsonWriter& json) {
                                          engine::writeAsyncChains(json, snapshot, list, m_each, rows);
                                          engine::writeThreadPool(json, pool, rows);
                                          engine::writeTimers(json, timers, rows);
                                        },
                                    .text =
                                        [&](engine::Output& output) {
                                          engine::writeAsyncText(output, snapshot, list, m_each, rows);
                                          engine::writeThreadPoolText(output, pool, rows);
                                          engine::writeTimersText(output, timers, rows);
                                        },
                                    .findings = findings,
                                    .timings = m_timings});
  }

 private:
  engine::Outcome<engine::AsyncList> listChains(const engine::Snapshot& snapshot, const std::stop_token& stop) {
    const engine::StageClock clock(m_timings, "async");
    return engine::listAsync(snapshot, {.equalTogether = !m_each}, stop);
  }

  bool m_each = false;
  std::vector<engine::StageTiming> m_timings;
};

}  // namespace

std::unique_ptr<Verb> makeAsyncVerb() {
  return std::make_unique<AsyncVerb>();
}

}  // namespace heapscape::cli
