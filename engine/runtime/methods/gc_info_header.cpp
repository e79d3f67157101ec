// SPDX-License-Identifier: MIT
#include "runtime/methods/gc_info_header.h"

namespace heapscape::engine {
namespace {

constexpr unsigned kFatFlagBits = 10;
constexpr unsigned kSlimFlagBits = 1;
constexpr unsigned kFatReturnKindBits = 4;
constexpr unsigned kSlimReturnKindBits = 2;
constexpr unsigned kLengthBase = 8;

}  // namespace

GcInfoStart readGcInfoStart(GcInfoBits& bits, bool hasReturnKind) {
  GcInfoStart start;
  start.isFat = bits.readFlag();
  start.flags = bits.read(start.isFat ? kFatFlagBits : kSlimFlagBits);
  if (hasReturnKind) bits.skip(start.isFat ? kFatReturnKindBits : kSlimReturnKindBits);
  start.codeLength = bits.readUnsigned(kLengthBase);
  return start;
}

std::optional<std::uint32_t> codeLengthInGcInfo(const ClrRuntime& runtime, Address gcInfo) {
  if (!gcInfo) return std::nullopt;
  GcInfoBits bits(runtime.memory(), gcInfo);
  const GcInfoStart start = readGcInfoStart(bits, runtime.contract().constant("GcInfo.HasReturnKind") != 0);
  return bits.failed() || start.codeLength == 0 ? std::nullopt : std::optional(start.codeLength);
}

}  // namespace heapscape::engine
