// SPDX-License-Identifier: MIT
#include "stacks/unwinding/native_array.h"

namespace heapscape::engine {
namespace {

constexpr std::uint32_t kBlockSize = 16;

// A node of a block's tree: which branches it has, and how far away the upper one is; a leaf names its own index.
constexpr std::uint32_t kHasLower = 1;
constexpr std::uint32_t kHasUpper = 2;
constexpr unsigned kNodeFlagBits = 2;

// The lowest two bits of an array's head say how wide the offsets of its blocks are.
std::optional<std::uint32_t> readBlockOffset(const AddressSpace& memory, Address blocks, std::uint32_t block,
                                             std::uint32_t width) {
  std::uint8_t narrow = 0;
  std::uint16_t middle = 0;
  std::uint32_t wide = 0;
  switch (width) {
    case 0:
      return memory.tryRead(blocks + block, narrow) ? std::optional<std::uint32_t>(narrow) : std::nullopt;
    case 1:
      return memory.tryRead(blocks + 2ull * block, middle) ? std::optional<std::uint32_t>(middle) : std::nullopt;
    default:
      return memory.tryRead(blocks + 4ull * block, wide) ? std::optional(wide) : std::nullopt;
  }
}

}  // namespace

std::optional<NativeNumber> readNativeNumber(const AddressSpace& memory, Address address) {
  constexpr unsigned kMostPrefixBits = 4;  // then a whole number of 32 bits follows
  std::uint8_t first = 0;
  if (!memory.tryRead(address, first)) return std::nullopt;
  unsigned more = 0;
  while (more < kMostPrefixBits && (first >> more & 1) != 0) ++more;
  if (more == kMostPrefixBits) {
    std::uint32_t value = 0;
    if ((first >> kMostPrefixBits & 1) != 0 || !memory.tryRead(address + 1, value)) return std::nullopt;
    return NativeNumber{value, address + (1 + sizeof value)};
  }
  std::uint32_t value = first >> (more + 1);
  for (unsigned i = 1; i <= more; ++i) {
    std::uint8_t byte = 0;
    if (!memory.tryRead(address + i, byte)) return std::nullopt;
    value |= static_cast<std::uint32_t>(byte) << (8 * i - (more + 1));
  }
  return NativeNumber{value, address + (1 + more)};
}

std::optional<Address> findInNativeArray(const AddressSpace& memory, Address array, std::uint32_t index) {
  const auto head = readNativeNumber(memory, array);
  if (!head || index >= head->value >> kNodeFlagBits) return std::nullopt;
  const Address blocks = head->end;
  const auto offset = readBlockOffset(memory, blocks, index / kBlockSize, head->value & 3);
  if (!offset) return std::nullopt;
  Address place = blocks + *offset;
  for (std::uint32_t bit = kBlockSize / 2; bit > 0; bit /= 2) {
    const auto node = readNativeNumber(memory, place);
    if (!node) return std::nullopt;
    const std::uint32_t rest = node->value >> kNodeFlagBits;
    if ((index & bit) != 0 && (node->value & kHasUpper) != 0) {
      place += rest;
    } else if ((index & bit) == 0 && (node->value & kHasLower) != 0) {
      place = node->end;
    } else if ((node->value & (kHasLower | kHasUpper)) == 0 && rest == index % kBlockSize) {
      return node->end;
    } else {
      return std::nullopt;
    }
  }
  return place;
}

}  // namespace heapscape::engine
