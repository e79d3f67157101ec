// SPDX-License-Identifier: MIT
#include "output/threads/async_json.h"

#include <algorithm>

#include "output/objects/value_json.h"

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

void writeObjects(JsonWriter& json, const AsyncList& list, const AsyncGroup& group) {
  json.key("objects");
  json.beginArray();
  Address last;
  for (const std::uint32_t chain : group.chains) {
    const Address innermost = list.framesOf(list.chains[chain]).front().object;
    if (innermost != last) json.value(innermost);
    last = innermost;
  }
  json.endArray();
}

void writeGroup(JsonWriter& json, const Snapshot& snapshot, const AsyncList& list, const AsyncGroup& group,
                bool withLocals, bool isRedacted) {
  const AsyncChain& chain = list.firstOf(group);
  const auto nameOrNothing = [&](std::uint32_t name) {
    return name == AsyncFrame::kNone ? std::nullopt : std::optional(list.nameOf(name));
  };
  json.beginObject();
  json.member("count", group.chains.size());
  json.key("methods");
  json.beginArray();
  for (const AsyncFrame& frame : list.framesOf(chain)) {
    if (frame.isMethod) json.value(list.nameOf(frame.name));
  }
  json.endArray();
  json.member("waitsFor", nameOrNothing(chain.waitsFor));
  json.member("state", toString(chain.state));
  writeObjects(json, list, group);
  json.member("retainedBytes", group.retainedBytes);
  json.member("retainedExact", group.isRetainedExact);
  json.member("reachable", chain.isReachable);
  json.member("framework", group.isFramework);
  json.member("then", nameOrNothing(chain.callback));
  if (group.chains.size() == 1) {
    json.member("awaited", chain.awaited);
    json.member("milliseconds", chain.milliseconds);
  }
  // What stands between methods, and the first chain's objects.
  json.key("frames");
  json.beginArray();
  for (const AsyncFrame& frame : list.framesOf(chain)) writeFrame(json, snapshot, list, frame, withLocals, isRedacted);
  json.endArray();
  json.endObject();
}

}  // namespace

void writeAsyncChains(JsonWriter& json, const Snapshot& snapshot, const AsyncList& list, bool withLocals,
                      const RowSelection& selection) {
  json.key("chains");
  json.beginRows();
  for (const AsyncGroup& group : selection.of(list.groups))
    writeGroup(json, snapshot, list, group, withLocals, selection.isRedacted);
  json.endArray();
  json.member("methodsPending", list.methods);
}

void writeThreadPool(JsonWriter& json, const ThreadPoolState& pool, const RowSelection& selection) {
  json.key("queues");
  json.beginRows();
  for (const WorkQueueRow& queue : selection.of(pool.queues)) {
    json.beginObject();
    json.member("name", queue.name);
    if (queue.threadId) json.member("thread", queue.threadId);
    json.member("object", queue.object);
    json.member("count", queue.count);
    json.key("items");
    json.beginArray();
    for (const WorkItemRow& item : selection.of(queue.items)) {
      json.beginObject();
      json.member("object", item.object);
      json.member("type", item.typeName);
      json.member("method", item.method);
      json.endObject();
    }
    json.endArray();
    json.endObject();
  }
  json.endArray();
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
  json.key("timers");
  json.beginRows();
  for (const TimerRow& timer : selection.of(list.timers)) {
    json.beginObject();
    json.member("object", timer.object);
    json.member("method", timer.method);
    json.member("dueMilliseconds", timer.dueMilliseconds);
    json.member("periodMilliseconds", timer.periodMilliseconds);
    json.key("remainingMilliseconds");
    if (timer.remainingMilliseconds && *timer.remainingMilliseconds >= 0) {
      json.value(static_cast<std::uint64_t>(*timer.remainingMilliseconds));
    } else {
      json.null();
    }
    json.member("state", timer.state);
    json.member("stateType", timer.stateType);
    json.endObject();
  }
  json.endArray();
  if (!list.missing.empty()) json.member("timersMissing", list.missing);
}

}  // namespace heapscape::engine
