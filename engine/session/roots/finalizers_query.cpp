// SPDX-License-Identifier: MIT
#include "session/roots/finalizers_query.h"

#include "base/progress.h"
#include "heap/object_head.h"
#include "runtime/gc/finalizer_queue.h"
#include "session/objects/referred_object.h"
#include "session/objects/retained_query.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {
namespace {

const Segment* segmentOf(const Contents& contents, Address object) {
  if (!contents.heap) return nullptr;
  const SegmentId id = contents.heap->index.segmentOf(object);
  return id.isNone() ? nullptr : &(*contents.segments)[id.value];
}

}  // namespace

Outcome<FinalizerList> listFinalizers(const Snapshot& snapshot, std::stop_token stop) {
  const Contents& contents = snapshot.contents();
  const ClrRuntime& runtime = contents.readers->runtime;
  const auto finalizerRun = static_cast<std::uint32_t>(runtime.contract().constant("Header.FinalizerRun"));
  FinalizerList list;
  for (const FinalizableObject& object : readFinalizerQueues(runtime, *contents.gc, list.findings)) {
    if (list.objects.size() % kStopInterval == 0 && stop.stop_requested())
      return tl::unexpected(Unfinished::cancelled());
    ReferredObject referred = referredObject(snapshot, object.object);
    if (!referred.isObject) {
      list.findings.add(FindingKind::ReferenceDamaged, object.object,
                        "The finalizer queue holds an address where no object begins.");
    }
    const Segment* segment = segmentOf(contents, object.object);
    std::uint32_t header = 0;
    contents.memory->tryRead(object.object - kHeaderDistance, header);
    list.objects.push_back({.object = object.object,
                            .typeName = std::move(referred.typeName),
                            .methodTable = referred.methodTable,
                            .queue = object.queue,
                            .heap = object.heap,
                            .generation = segment ? segment->generationOf(object.object) : Generation::Gen0,
                            .isSuppressed = (header & finalizerRun) != 0,
                            .retainedBytes = retainedBytesAt(snapshot, object.object)});
  }
  return list;
}

}  // namespace heapscape::engine
