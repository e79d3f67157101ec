// SPDX-License-Identifier: MIT
#include "heap/header_reader.h"

#include <fmt/format.h>
#include <tbb/parallel_for.h>
#include <algorithm>
#include <bit>

#include "base/progress.h"
#include "heap/object_head.h"

namespace heapscape::engine {
namespace {

constexpr std::uint32_t kTopBit = 0x80000000;
constexpr int kHeaderBits = 32;

/// Takes the 32 bits apart, from the highest down.
class BitRuler {
 public:
  explicit BitRuler(std::uint32_t header) : m_header(header) {}

  /// The part under a mask, whose bits must be neighbours; bits above it that nobody took are unused.
  std::uint32_t take(std::uint32_t mask, const char* name, std::string meaning) {
    if (mask == 0) return 0;
    const int first = std::countr_zero(mask);
    const int count = std::popcount(mask);
    leaveUnusedDownTo(first + count);
    const std::uint32_t value = (m_header & mask) >> first;
    add(first, count, name, std::move(meaning));
    return value;
  }

  std::vector<HeaderBits> finish() {
    leaveUnusedDownTo(0);
    return std::move(m_bits);
  }

 private:
  void leaveUnusedDownTo(int end) {
    if (end < m_next) add(end, m_next - end, "unused", "not used here");
  }

  void add(int first, int count, const char* name, std::string meaning) {
    const auto mask = static_cast<std::uint32_t>(((1ull << count) - 1) << first);
    m_bits.push_back({static_cast<std::uint8_t>(first), static_cast<std::uint8_t>(count), name,
                      (m_header & mask) >> first, std::move(meaning)});
    m_next = first;
  }

  std::uint32_t m_header;
  int m_next = kHeaderBits;
  std::vector<HeaderBits> m_bits;
};

std::uint32_t maskOf(const Contract& contract, std::string_view name) {
  return static_cast<std::uint32_t>(contract.constant(name));
}

// One bit with a name; it is a flag of the object if it is set.
void takeFlag(BitRuler& ruler, ObjectHeader& header, std::uint32_t mask, const char* name, const char* ifSet,
              const char* ifClear) {
  const bool isSet = (header.value & mask) != 0;
  ruler.take(mask, name, isSet ? ifSet : ifClear);
  if (isSet) header.flags.push_back(name);
}

// Masks of src/coreclr/vm/syncblk.h. Before .NET 8 a thread id had 10 bits and an application domain's index lay above
// the recursion.
void decodeThinLock(BitRuler& ruler, ObjectHeader& header, const Contract& contract) {
  const std::uint32_t domainMask = maskOf(contract, "ThinLock.AppDomainMask");
  const std::uint32_t recursionMask = maskOf(contract, "ThinLock.RecursionMask");
  const std::uint32_t threadMask = maskOf(contract, "ThinLock.ThreadIdMask");
  const std::uint32_t owner = header.value & threadMask;
  const std::uint32_t recursion = recursionMask ? (header.value & recursionMask) >> std::countr_zero(recursionMask) : 0;
  ruler.take(domainMask, "appDomain", "the application domain's index");
  ruler.take(recursionMask, "recursion",
             owner ? fmt::format("the owner has entered {} more times", recursion) : "no recursion");
  ruler.take(threadMask, "threadId", owner ? fmt::format("locked by thread {}", owner) : "not locked");
  if (!owner) return;
  header.kind = HeaderKind::ThinLock;
  header.threadId = owner;
  header.recursion = recursion;
}

void decodeHashOrSyncBlock(BitRuler& ruler, ObjectHeader& header, const Contract& contract) {
  const std::uint32_t hashMask = maskOf(contract, "SyncBlock.IsHash");
  const std::uint32_t indexMask = maskOf(contract, "SyncBlock.IndexMask");
  const bool isHash = (header.value & hashMask) != 0;
  ruler.take(hashMask, "isHashCode",
             isHash ? "the bits below are a hash code" : "the bits below are the index of a sync block");
  if (isHash) {
    header.kind = HeaderKind::HashCode;
    header.hashCode = ruler.take(indexMask, "hashCode", "what RuntimeHelpers.GetHashCode gives");
  } else {
    header.kind = HeaderKind::SyncBlock;
    header.syncBlockIndex = ruler.take(indexMask, "syncBlockIndex", "where the object's sync block is in their table");
  }
}

}  // namespace

ObjectHeader decodeHeader(const Contract& contract, std::uint32_t value) {
  ObjectHeader header;
  header.value = value;
  BitRuler ruler(value);
  takeFlag(ruler, header, kTopBit, "unused31", "set, though nothing uses it", "not used");
  takeFlag(ruler, header, maskOf(contract, "Header.FinalizerRun"), "finalizerRun",
           "its finalizer has run, or GC.SuppressFinalize was called", "no finalizer has run");
  takeFlag(ruler, header, maskOf(contract, "Header.GCReserve"), "gcReserve", "marked by the GC for its own use",
           "not marked by the GC");
  takeFlag(ruler, header, maskOf(contract, "Header.SpinLock"), "spinLock", "a thread is changing this header",
           "no thread is changing this header");
  const std::uint32_t hashOrIndex = maskOf(contract, "SyncBlock.IsHashOrIndex");
  const bool isHashOrIndex = (value & hashOrIndex) != 0;
  ruler.take(hashOrIndex, "hashOrSyncBlock",
             isHashOrIndex ? "holds a hash code or a sync block's index" : "holds a thin lock, or nothing");
  if (isHashOrIndex) {
    decodeHashOrSyncBlock(ruler, header, contract);
  } else {
    decodeThinLock(ruler, header, contract);
  }
  header.bits = ruler.finish();
  return header;
}

Result<ObjectHeader> readHeader(const ClrRuntime& runtime, Address object) {
  const Address at = object + runtime.contract().constant("ObjectHeaderOffset");
  HEAPSCAPE_TRY(const std::uint32_t value, runtime.memory().read<std::uint32_t>(at));
  return decodeHeader(runtime.contract(), value);
}

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
