// SPDX-License-Identifier: MIT
#include "runtime/methods/precode.h"

#include <array>
#include <cstring>

namespace heapscape::engine {
namespace {

// Both kinds of precode load their MethodDesc, with an offset from the next instruction:
// StubPrecode   mov r10, [rip + offset]; jmp [rip + …]
// FixupPrecode  jmp [rip + …]; mov r10, [rip + offset]; jmp [rip + …]
constexpr std::array<std::uint8_t, 3> kMoveR10{0x4c, 0x8b, 0x15};
constexpr std::array<std::uint8_t, 2> kJump{0xff, 0x25};
constexpr std::size_t kMoveBytes = 7;
constexpr std::size_t kJumpBytes = 6;

using CodeBytes = std::array<std::uint8_t, kJumpBytes + kMoveBytes>;

}  // namespace

Address methodOfPrecode(const ClrRuntime& runtime, Address entry) {
  CodeBytes code{};
  if (!runtime.memory().tryRead(entry, std::as_writable_bytes(std::span(code)))) return {};
  const std::size_t move = std::memcmp(code.data(), kJump.data(), kJump.size()) == 0 ? kJumpBytes : 0;
  if (std::memcmp(code.data() + move, kMoveR10.data(), kMoveR10.size()) != 0) return {};
  std::int32_t offset = 0;
  std::memcpy(&offset, code.data() + move + kMoveR10.size(), sizeof offset);
  const Address slot{entry.value + move + kMoveBytes + static_cast<std::uint64_t>(std::int64_t{offset})};
  Address method;
  return runtime.memory().tryRead(slot, method) ? method : Address{};
}

}  // namespace heapscape::engine
