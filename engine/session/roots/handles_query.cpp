// SPDX-License-Identifier: MIT
#include "session/roots/handles_query.h"

#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_sort.h>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

#include "base/progress.h"
#include "heap/object_head.h"
#include "runtime/gc/finalizer_queue.h"
#include "session/objects/object_query.h"
#include "session/objects/retained_query.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {
namespace {

HandleRow rowOf(const Snapshot& snapshot, const GcHandle& handle) {
  ReferredObject primary = referredObject(snapshot, handle.object);
  return {.address = handle.address,
          .kind = handle.kind,
          .heap = handle.heap,
          .object = handle.object,
          .typeName = std::move(primary.typeName),
          .methodTable = primary.methodTable,
          .dependent = handle.dependent,
          .dependentType = referredObject(snapshot, handle.dependent).typeName,
          .referenceCount = handle.referenceCount,
          .isHolding = handle.isHolding,
          .retainedBytes = retainedBytesAt(snapshot, handle.object)};
}

bool leadsToNoObject(const Snapshot& snapshot, Address object) {
  return object && !methodTableOfReferred(snapshot, object);
}

void check(const Snapshot& snapshot, const GcHandle& handle, FindingList& findings) {
  const auto checkOne = [&](Address object, const char* what) {
    if (!leadsToNoObject(snapshot, object)) return;
    findings.add(FindingKind::ReferenceDamaged, handle.address,
                 fmt::format("{} {} handle leads to {}, where no object begins.", what, toString(handle.kind),
                             toString(object)));
  };
  checkOne(handle.object, "A");
  checkOne(handle.dependent, "The secondary of a");
}

}  // namespace

Outcome<std::vector<GcHandle>> checkHandles(const Snapshot& snapshot, bool includeNull, FindingList& findings,
                                            std::stop_token stop) {
  auto handles = readHandles(snapshot.contents().readers->runtime, includeNull, findings);
  // Each waits for memory; those that are damaged are told of in their order.
  std::vector<std::uint8_t> isDamaged(handles.size());
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, handles.size(), kStopInterval), [&](const auto& part) {
    if (stop.stop_requested()) return;
    for (std::size_t i = part.begin(); i < part.end(); ++i)
      isDamaged[i] = leadsToNoObject(snapshot, handles[i].object) || leadsToNoObject(snapshot, handles[i].dependent);
  });
  if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
  for (std::size_t i = 0; i < handles.size(); ++i) {
    if (isDamaged[i]) check(snapshot, handles[i], findings);
  }
  tbb::parallel_sort(handles.begin(), handles.end(), [](const GcHandle& one, const GcHandle& other) {
    return std::tie(one.kind, one.address) < std::tie(other.kind, other.address);
  });
  return handles;
}

Outcome<HandleList> listHandles(const Snapshot& snapshot, bool includeNull, std::stop_token stop) {
  HandleList list;
  HEAPSCAPE_TRY(const auto handles, checkHandles(snapshot, includeNull, list.findings, stop));
  list.handles.reserve(handles.size());
  for (const GcHandle& handle : handles) {
    if (list.handles.size() % kStopInterval == 0 && stop.stop_requested())
      return tl::unexpected(Unfinished::cancelled());
    list.handles.push_back(rowOf(snapshot, handle));
  }
  return list;
}

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
