// SPDX-License-Identifier: MIT
#include "runtime/library/native_aot.h"

#include <algorithm>
#include <cstring>

namespace heapscape::engine {
namespace {

constexpr std::uint64_t kMostNativeDataBytes = 64 << 20;  // constructed types are among the variables
constexpr std::uint32_t kDebugHeaderMark = 0x48444e44;    // "DNDH"
constexpr std::uint16_t kHighestVersion = 100;            // 4 in .NET 9, 5 in .NET 10

struct DebugHeader {
  std::uint32_t mark;
  std::uint16_t majorVersion;
  std::uint16_t minorVersion;
  std::uint32_t flags;
  std::uint32_t unused;
  Address types;
  Address globals;
};
static_assert(sizeof(DebugHeader) == 32);

bool isHeader(const DebugHeader& header, AddressRange program) {
  return header.mark == kDebugHeaderMark && header.majorVersion > 0 && header.majorVersion <= kHighestVersion &&
         program.contains(header.types) && program.contains(header.globals);
}

}  // namespace

bool hasNativeAotHeader(const AddressSpace& space, AddressRange program, std::span<const AddressRange> data) {
  for (const AddressRange& range : data) {
    const Address start{alignUp(range.start.value, alignof(DebugHeader))};
    for (const AddressRange& part : space.present({start, std::min(range.end, start + kMostNativeDataBytes)})) {
      const auto view = space.view(part);
      if (!view) continue;
      const std::uint64_t first = alignUp(part.start.value, alignof(DebugHeader)) - part.start.value;
      for (std::uint64_t at = first; at + sizeof(DebugHeader) <= view->bytes.size(); at += alignof(DebugHeader)) {
        DebugHeader header{};
        std::memcpy(&header, view->bytes.data() + at, sizeof header);
        if (isHeader(header, program)) return true;
      }
    }
  }
  return false;
}

}  // namespace heapscape::engine
