// SPDX-License-Identifier: MIT
#include "heap/header_reader.h"

#include <fmt/format.h>

#include <bit>

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

}  // namespace heapscape::engine
