// SPDX-License-Identifier: MIT
#include "output/threads/async_json.h"

#include <algorithm>

#include "output/objects/value_json.h"
#include "output/table_output.h"
#include "tables/async_tables.h"

namespace heapscape::engine {
namespace {

void writeFrame(JsonWriter& json, const Snapshot& snapshot, const AsyncList& list, const AsyncFrame& frame,
                bool withLocals, bool isRedacted) {
  json.beginObject();
  json.member(frame.isMethod ? "method" : "task", list.nameOf(frame.name));
  json.member("object", frame.object);
  if (frame.await >= 0) json.member("await", static_cast<std::uint32_t>(frame.await));
  if (frame.event) json.member("blocksThread", frame.thread);
  if (!frame.event && frame.thread) json.member("runsOn", frame.thread);
  if (withLocals && frame.isMethod) {
    if (const auto locals = asyncLocals(snapshot, frame.object)) writeFieldValues(json, "locals", *locals, isRedacted);
  }
  json.endObject();
}

}  // namespace

void writeAsyncChains(JsonWriter& json, const Snapshot& snapshot, const AsyncList& list, bool withLocals,
                      const RowSelection& selection) {
  json.key("chains");
  writeRows(json, chainsTable().with(listChains(list)), selection, [&](JsonWriter& to, std::uint32_t row) {
    // What stands between methods, and the first chain's objects.
    to.key("frames");
    to.beginArray();
    for (const AsyncFrame& frame : list.framesOf(list.firstOf(list.groups[row])))
      writeFrame(to, snapshot, list, frame, withLocals, selection.isRedacted);
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

}  // namespace heapscape::engine
