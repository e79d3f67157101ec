// SPDX-License-Identifier: MIT
#include "runtime/gc/dependent_handle.h"

#include <fmt/format.h>

#include "runtime/gc/handle_kind.h"

namespace heapscape::engine {

Result<Address> secondaryOfDependentHandle(const ClrRuntime& runtime, Address handle) {
  constexpr std::uint64_t kSegmentBytes = 0x10000;  // HANDLE_SEGMENT_SIZE; segments are aligned to it
  constexpr std::uint64_t kHandleBytes = 8;
  const Contract& contract = runtime.contract();
  const std::uint64_t values = contract.constant("HandleSegment.ValuesOffset");
  const std::uint64_t handlesPerBlock = contract.constant("HandleSegment.HandlesPerBlock");
  const std::uint64_t blocks = contract.constant("HandleSegment.BlocksPerSegment");

  const std::uint64_t offset = handle.value % kSegmentBytes;
  const Address segment = handle - offset;
  const std::uint64_t position = offset < values ? UINT64_MAX : (offset - values) / kHandleBytes;
  const std::uint64_t block = position / handlesPerBlock;
  const auto noHandle = [&] {
    return failure(ErrorCode::Damaged, fmt::format("There is no dependent handle at {}.", toString(handle)));
  };
  if (offset % kHandleBytes != 0 || block >= blocks) return noHandle();
  HEAPSCAPE_TRY(const auto kind, runtime.memory().read<std::uint8_t>(
                                     segment + contract.constant("HandleSegment.BlockTypeOffset") + block));
  if (kind != static_cast<std::uint8_t>(HandleKind::Dependent)) return noHandle();
  HEAPSCAPE_TRY(const auto secondaries, runtime.memory().read<std::uint8_t>(
                                            segment + contract.constant("HandleSegment.UserDataOffset") + block));
  if (secondaries >= blocks) return noHandle();
  return segment + values + kHandleBytes * (secondaries * handlesPerBlock + position % handlesPerBlock);
}

}  // namespace heapscape::engine
