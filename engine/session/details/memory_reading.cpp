// SPDX-License-Identifier: MIT
#include "session/details/memory_reading.h"

#include <algorithm>
#include <cstring>

#include "session/snapshot/contents.h"

namespace heapscape::engine {
namespace {

constexpr std::uint64_t kWordBytes = 8;

std::optional<std::uint64_t> wordAt(const AddressSpace& memory, Address address) {
  std::uint64_t value = 0;
  return memory.tryRead(address, value) ? std::optional(value) : std::nullopt;
}

}  // namespace

AddressRange memoryFrom(Address address, std::uint64_t bytes) {
  const std::uint64_t most = ~address.value;
  return {address, address + std::min(bytes, most)};
}

Outcome<void> readMemory(const Snapshot& snapshot, AddressRange range,
                         const std::function<bool(const MemoryRun&)>& visit, std::stop_token stop) {
  const AddressSpace& memory = *snapshot.contents().memory;
  std::vector<std::byte> copy;
  Address at = range.start;
  for (const AddressRange& present : memory.readable(range)) {
    if (at < present.start && !visit({{at, present.start}, {}})) return {};
    for (at = present.start; at < present.end;) {
      if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
      const std::uint64_t size = std::min(present.end - at, kLongestMemoryRun);
      Bytes bytes = memory.prefix(at, size);
      if (bytes.size() < size) {
        copy.resize(size);
        bytes = memory.tryRead(at, copy) ? Bytes(copy) : Bytes{};
      }
      if (!visit({{at, at + size}, bytes})) return {};
      at = at + size;
    }
  }
  if (at < range.end) visit({{at, range.end}, {}});
  return {};
}

Outcome<void> readWords(const Snapshot& snapshot, AddressRange range,
                        const std::function<bool(const MemoryWord&)>& visit,
                        const std::function<bool(AddressRange)>& missing, std::stop_token stop) {
  const AddressSpace& memory = *snapshot.contents().memory;
  Address next = range.start;  // of the next word
  bool goesOn = true;
  const auto visitPart = [&](const MemoryRun& part) {
    if (part.isMissing()) {
      // Words that lie in it as a whole are told together; one that it only cuts is told by itself.
      const std::uint64_t whole = part.range.end <= next ? 0 : (part.range.end - next) / kWordBytes * kWordBytes;
      if (whole > 0) goesOn = missing({next, next + whole});
      next = next + whole;
      if (goesOn && next < part.range.end) {
        goesOn = visit({next, std::nullopt});
        next = next + kWordBytes;
      }
      return goesOn;
    }
    while (goesOn && next < part.range.end) {
      MemoryWord word{next, std::nullopt};
      if (next >= part.range.start && part.range.end - next >= kWordBytes) {
        std::uint64_t value = 0;
        std::memcpy(&value, part.bytes.data() + (next - part.range.start), sizeof value);
        word.value = value;
      } else {
        word.value = wordAt(memory, next);
      }
      goesOn = visit(word);
      if (next.value > ~kWordBytes) return false;
      next = next + kWordBytes;
    }
    return goesOn;
  };
  return readMemory(snapshot, range, visitPart, std::move(stop));
}

std::optional<AddressMeaning> meaningOf(const AddressMeanings& meanings, std::uint64_t word) {
  constexpr std::uint64_t kLowestAddress = 64 * 1024;  // nothing is ever mapped below
  if (word < kLowestAddress) return std::nullopt;
  std::vector<AddressMeaning> found = meanings.of({word});
  if (found.front().kind == AddressKind::Unmapped) return std::nullopt;
  return std::move(found.front());
}

}  // namespace heapscape::engine
