// SPDX-License-Identifier: MIT
#include "runtime/methods/unwind_record.h"

namespace heapscape::engine {

std::optional<UnwindRecord> readUnwindRecord(const AddressSpace& memory, Address address) {
  constexpr std::uint64_t kWordBytes = 4;
  std::uint32_t head = 0;
  if (address.value % kWordBytes != 0 || !memory.tryRead(address, head) || (head >> 18u & 3u) != 0) return std::nullopt;
  UnwindRecord record{.functionBytes = (head & 0x3ffffu) * 4, .hasOneEpilogue = (head >> 21u & 1u) != 0};
  record.epilogues = head >> 22u & 31u;
  std::uint32_t words = head >> 27u;
  record.scopes = address + kWordBytes;
  if (record.epilogues == 0 && words == 0) {
    std::uint32_t further = 0;
    if (!memory.tryRead(record.scopes, further)) return std::nullopt;
    record.scopes += kWordBytes;
    record.epilogues = further & 0xffffu;
    words = further >> 16u & 0xffu;
  }
  const bool hasPersonality = (head >> 20u & 1u) != 0;
  record.codes = record.scopes + (record.hasOneEpilogue ? 0 : kWordBytes * record.epilogues);
  record.codeBytes = words * kWordBytes;
  record.end = record.codes + record.codeBytes + (hasPersonality ? kWordBytes : 0);
  return record;
}

}  // namespace heapscape::engine
