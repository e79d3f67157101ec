// SPDX-License-Identifier: MIT
#include "heap/thin_locks.h"

#include <algorithm>

#include <tbb/parallel_for.h>

#include "base/stop_interval.h"
#include "heap/header_reader.h"
#include "heap/object_head.h"

namespace heapscape::engine {
namespace {

constexpr std::uint64_t kBytesBefore = 8;  // the header and what aligns it

/// Looks at the headers of one segment. Almost all are zero, so that types are asked for only where one is not.
class HeaderScan {
 public:
  HeaderScan(const ClrRuntime& runtime, const WalkedHeap& heap, const Segment& segment)
      : m_runtime(runtime), m_heap(heap), m_start(segment.objects.start - kBytesBefore) {
    if (auto view = runtime.memory().view({m_start, segment.objects.end})) m_view = std::move(*view);
    m_hashOrIndex = static_cast<std::uint32_t>(runtime.contract().constant("SyncBlock.IsHashOrIndex"));
    m_threadId = static_cast<std::uint32_t>(runtime.contract().constant("ThinLock.ThreadIdMask"));
  }

  void look(Address object, std::vector<ThinLock>& found) const {
    std::uint32_t header = 0;
    if (!tryReadAt(m_view.bytes, object - kHeaderDistance - m_start, header) &&
        !m_runtime.memory().tryRead(object - kHeaderDistance, header)) {
      return;
    }
    if ((header & m_threadId) == 0 || (header & m_hashOrIndex) != 0 || isFree(object)) return;
    const ObjectHeader decoded = decodeHeader(m_runtime.contract(), header);
    found.push_back({object, decoded.threadId, decoded.recursion});
  }

 private:
  bool isFree(Address object) const {
    std::uint64_t methodTable = 0;
    if (!m_runtime.memory().tryRead(object, methodTable)) return true;
    const TypeIndex::Slot* slot = m_heap.types.find(methodTable & kMethodTableMask);
    return !slot || slot->freeMask != 0;
  }

  const ClrRuntime& m_runtime;
  const WalkedHeap& m_heap;
  Address m_start;
  MemoryView m_view;  // empty if the dump does not hold the whole segment
  std::uint32_t m_hashOrIndex, m_threadId;
};

}  // namespace

std::vector<ThinLock> findThinLocks(const ClrRuntime& runtime, const std::vector<Segment>& segments,
                                    const WalkedHeap& heap, std::stop_token stop) {
  std::vector<std::vector<ThinLock>> found(segments.size());
  tbb::parallel_for(std::size_t{0}, segments.size(), [&](std::size_t i) {
    const HeaderScan scan(runtime, heap, segments[i]);
    std::uint64_t steps = 0;
    heap.index.forEachStart({static_cast<std::uint32_t>(i)}, segments[i].objects, [&](Address object) {
      if (steps++ % kStopInterval == 0 && stop.stop_requested()) return false;
      scan.look(object, found[i]);
      return true;
    });
  });
  std::vector<ThinLock> all;
  for (const auto& part : found) all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace heapscape::engine
