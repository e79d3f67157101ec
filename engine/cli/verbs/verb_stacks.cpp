// SPDX-License-Identifier: MIT
#include <CLI/CLI.hpp>

#include <algorithm>

#include "cli/context.h"
#include "cli/verb.h"
#include "output/threads/stacks_output.h"
#include "session/threads/crash_cause.h"
#include "session/threads/thread_waits.h"

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

}  // namespace heapscape::cli
