// SPDX-License-Identifier: MIT
#include "output/threads/async_output.h"

#include <fmt/format.h>

#include <algorithm>

#include "output/objects/value_output.h"
#include "output/table_output.h"
#include "output/text.h"
#include "tables/async_tables.h"

namespace heapscape::engine {
namespace {

/// `allLocals`: null where none are to be written.
void writeFrame(JsonWriter& json, const AsyncList& list, const AsyncFrame& frame, AsyncLocals* allLocals,
                bool isRedacted) {
  json.beginObject();
  json.member(frame.isMethod ? "method" : "task", list.nameOf(frame.name));
  json.member("object", frame.object);
  if (frame.task) json.member("completes", frame.task);
  if (frame.await >= 0) json.member("await", static_cast<std::uint32_t>(frame.await));
  if (frame.ilOffset) json.member("ilOffset", *frame.ilOffset);
  if (frame.file != AsyncFrame::kNone) {
    json.member("file", list.nameOf(frame.file));
    json.member("line", frame.line);
  }
  if (frame.missing != AsyncFrame::kNone) json.member("missing", list.nameOf(frame.missing));
  if (frame.event) json.member("blocksThread", frame.thread);
  if (!frame.event && frame.thread) json.member("runsOn", frame.thread);
  if (allLocals && frame.isMethod) {
    if (const auto locals = allLocals->of(frame.object)) writeFieldValues(json, "locals", *locals, isRedacted);
  }
  json.endObject();
}

using Align = TextTable::Align;

/// "waits for SemaphoreSlim.WaitAsync".
std::string wordsOf(const AsyncList& list, const AsyncGroup& group) {
  const AsyncChain& chain = list.firstOf(group);
  const std::string_view waitsFor = list.nameOf(chain.waitsFor);
  std::string words;
  switch (chain.state) {
    case AsyncState::Suspended:
    case AsyncState::Queued:
      words = fmt::format("waits for {}", waitsFor);
      break;
    case AsyncState::Circle:
      words = fmt::format("waits for itself, through {}", waitsFor);
      break;
    case AsyncState::Running:
      words = "runs";
      if (const std::uint32_t thread = list.framesOf(chain).front().thread; thread && group.chains.size() == 1)
        words = fmt::format("runs on thread {}", thread);
      break;
  }
  if (group.chains.size() == 1 && chain.milliseconds) words += fmt::format(" of {} ms", *chain.milliseconds);
  return chain.isReachable ? words : words + " (garbage)";
}

std::string retainedText(const AsyncGroup& group) {
  if (!group.retainedBytes) return {};
  return fmt::format("  retains {}{}", group.isRetainedExact ? "" : "at least ", readableBytes(*group.retainedBytes));
}

void writeLocals(Output& output, AsyncLocals& allLocals, Address object, bool isRedacted) {
  const auto locals = allLocals.of(object);
  if (!locals) return;
  for (const FieldValue& local : *locals) {
    output.write(fmt::format("          {} = {}  ({})\n", printable(local.name),
                             printable(valueText(local.value, isRedacted)), printable(local.typeName)));
  }
}

void writeGroup(Output& output, AsyncLocals& locals, const AsyncList& list, const AsyncGroup& group, bool each,
                bool isRedacted) {
  output.write(fmt::format("{} × {}{}\n", readableCount(group.chains.size()), printable(wordsOf(list, group)),
                           retainedText(group)));
  for (const AsyncFrame& frame : list.framesOf(list.firstOf(group))) {
    std::string line = printable(list.nameOf(frame.name));
    if (frame.await >= 0) line += fmt::format("  at await {}", frame.await);
    if (frame.file != AsyncFrame::kNone) {
      line += fmt::format("  {}:{}", printable(list.nameOf(frame.file)), frame.line);
    } else if (frame.ilOffset) {
      line += fmt::format("  IL {}", *frame.ilOffset);
    }
    if (frame.event && frame.thread && group.chains.size() == 1) {
      line += fmt::format("  blocks thread {}", frame.thread);
    } else if (frame.event) {
      line += "  blocks a thread";
    }
    output.write(each ? fmt::format("    {:<14}  {}\n", toString(frame.object), line) : fmt::format("    {}\n", line));
    if (each && frame.missing != AsyncFrame::kNone)
      output.write(fmt::format("          {}\n", printable(list.nameOf(frame.missing))));
    if (each && frame.isMethod) writeLocals(output, locals, frame.object, isRedacted);
  }
  if (const std::string_view callback = list.nameOf(list.firstOf(group).callback); !callback.empty())
    output.write(fmt::format("    then {}\n", printable(callback)));
}

}  // namespace

void writeAsyncChains(JsonWriter& json, const Snapshot& snapshot, const AsyncList& list, bool withLocals,
                      const RowSelection& selection) {
  AsyncLocals locals(snapshot);
  json.key("chains");
  writeRows(json, chainsTable().with(listChains(list)), selection, [&](JsonWriter& to, std::uint32_t row) {
    // Frames between methods, and the first chain's objects.
    to.key("frames");
    to.beginArray();
    for (const AsyncFrame& frame : list.framesOf(list.firstOf(list.groups[row])))
      writeFrame(to, list, frame, withLocals ? &locals : nullptr, selection.isRedacted);
    to.endArray();
  });
  json.member("methodsPending", list.methods);
}

void writeThreadPool(JsonWriter& json, const ThreadPoolState& pool, const RowSelection& selection) {
  writeTable(json, limitInner(queuesTable().over(pool.queues), selection.limit), selection);
  if (!pool.missing.empty()) json.member("queuesMissing", pool.missing);
  if (!pool.threads) return;
  const auto number = [](std::int32_t count) { return static_cast<std::uint32_t>(std::max(count, 0)); };
  json.key("pool");
  json.beginObject();
  json.member("working", number(pool.threads->working));
  json.member("existing", number(pool.threads->existing));
  json.member("goal", number(pool.threads->goal));
  json.member("minimum", number(pool.threads->minimum));
  json.member("maximum", number(pool.threads->maximum));
  json.endObject();
}

void writeTimers(JsonWriter& json, const TimerList& list, const RowSelection& selection) {
  writeTable(json, timersTable().over(list.timers), selection);
  if (!list.missing.empty()) json.member("timersMissing", list.missing);
}

void writeAsyncText(Output& output, const Snapshot& snapshot, const AsyncList& list, bool each,
                    const RowSelection& selection) {
  output.write(fmt::format("{} of async methods {} pending, in {}.\n", countOf(list.methods, "call"),
                           list.methods == 1 ? "is" : "are", countOf(list.chains.size(), "chain")));
  AsyncLocals locals(snapshot);
  for (const AsyncGroup& group : selection.of(list.groups)) {
    output.write('\n');
    writeGroup(output, locals, list, group, each, selection.isRedacted);
    if (output.hasFailed()) return;
  }
}

void writeThreadPoolText(Output& output, const ThreadPoolState& pool, const RowSelection& selection) {
  output.write("\nThread pool");
  if (pool.threads) {
    output.write(fmt::format(": {} of {} work, {} wanted, at least {}, at most {}", pool.threads->working,
                             countOf(static_cast<std::uint64_t>(std::max(pool.threads->existing, 0)), "thread"),
                             pool.threads->goal, pool.threads->minimum, pool.threads->maximum));
  }
  output.write(pool.missing.empty() ? "\n" : fmt::format(". {}\n", printable(pool.missing)));
  for (const WorkQueueRow& queue : pool.queues) {
    const std::string owner = queue.threadId ? fmt::format(" of thread {}", queue.threadId) : "";
    output.write(fmt::format("{} queue{}: {}\n", queue.name, owner, countOf(queue.count, "item")));
    for (const WorkItemRow& item : selection.of(queue.items))
      output.write(
          fmt::format("    {}  {}  {}\n", toString(item.object), printable(item.method), printable(item.typeName)));
  }
}

void writeTimersText(Output& output, const TimerList& list, const RowSelection& selection) {
  output.write(fmt::format("\nTimers{}\n", list.missing.empty() ? "" : fmt::format(". {}", printable(list.missing))));
  if (list.timers.empty()) return;
  writeTableText(output, equalTimersTable().with(listEqualTimers(list)), selection);
}

}  // namespace heapscape::engine
