// SPDX-License-Identifier: MIT
#include "runtime/gc/finalizer_queue.h"

#include <algorithm>
#include <array>

#include "base/address.h"
#include "base/limits.h"

namespace heapscape::engine {
namespace {

// The array's parts: registered objects by generation, oldest first, then critical ready ones, then ready ones. Each
// fill pointer is the end of a part.
constexpr std::size_t kRegisteredParts = 5;
constexpr std::size_t kParts = kRegisteredParts + 2;

}  // namespace

Result<FinalizerQueueParts> readFinalizerQueueParts(const ClrRuntime& runtime, Address queue) {
  HEAPSCAPE_TRY(const Address array, runtime.pointerAt(queue, "FinalizeQueue", "Array"));
  HEAPSCAPE_TRY(const Address arrayEnd, runtime.pointerAt(queue, "FinalizeQueue", "EndArray"));
  std::array<Address, kParts + 2> bounds{array};
  for (std::size_t i = 0; i < kParts; ++i) {
    HEAPSCAPE_TRY(bounds[i + 1], runtime.memory().readPointer(runtime.member(queue, "FinalizeQueue", "FillPointers") +
                                                              kPointerBytes * i));
  }
  bounds.back() = arrayEnd;
  const bool isAligned = std::ranges::all_of(bounds, [](Address bound) { return bound.value % kPointerBytes == 0; });
  if (!isAligned || !std::ranges::is_sorted(bounds) || arrayEnd - array > kPointerBytes * kLimits.finalizableObjects) {
    return failure(ErrorCode::Damaged, "its parts do not follow each other.");
  }
  FinalizerQueueParts parts{.registered = {array, bounds[kRegisteredParts]},
                            .ofGeneration = {},
                            .critical = {bounds[kRegisteredParts], bounds[kRegisteredParts + 1]},
                            .ready = {bounds[kRegisteredParts + 1], bounds[kParts]}};
  for (std::size_t i = 0; i < parts.ofGeneration.size(); ++i)
    parts.ofGeneration[i] = {bounds[kRegisteredParts - 1 - i], bounds[kRegisteredParts - i]};
  return parts;
}

std::vector<FinalizableObject> readFinalizerQueues(const ClrRuntime& runtime, const GcState& gc,
                                                   FindingList& findings) {
  std::vector<FinalizableObject> objects;
  const auto read = [&](AddressRange part, FinalizerQueueKind queue, std::uint32_t heap) {
    const auto view = part.isEmpty() ? MemoryView{} : runtime.memory().view(part);
    if (!view) {
      findings.add(FindingKind::MemoryMissing, part.start, "A part of a finalizer queue is not in the dump.");
      return;
    }
    Address object;
    for (std::uint64_t offset = 0; tryReadAt(view->bytes, offset, object); offset += kPointerBytes) {
      if (object) objects.push_back({object, queue, heap});
    }
  };
  for (std::uint32_t heap = 0; heap < gc.heaps.size(); ++heap) {
    const Address queue = gc.heaps[heap].finalizeQueue;
    const auto parts = readFinalizerQueueParts(runtime, queue);
    if (!parts) {
      findings.add(FindingKind::RuntimeDataDamaged, queue,
                   "The finalizer queue of a heap cannot be read: " + parts.error().what);
      continue;
    }
    read(parts->ready, FinalizerQueueKind::Ready, heap);
    read(parts->critical, FinalizerQueueKind::ReadyCritical, heap);
    read(parts->registered, FinalizerQueueKind::Registered, heap);
  }
  std::ranges::stable_sort(objects, {}, &FinalizableObject::queue);
  return objects;
}

}  // namespace heapscape::engine
