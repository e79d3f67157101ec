// SPDX-License-Identifier: MIT
#include <CLI/CLI.hpp>

#include "cli/context.h"
#include "cli/verb.h"
#include "output/threads/async_output.h"
#include "session/snapshot/stage_clock.h"
#include "session/threads/thread_waits.h"

namespace heapscape::cli {

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
    HEAPSCAPE_TRY(const engine::Snapshot snapshot, context.openRetained());
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
