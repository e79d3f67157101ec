// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "memory/address_space.h"

namespace heapscape::engine {

/// A number of one to five bytes as ReadyToRun images have it: the count of low bits that are set, up to the first
/// zero, tells how many bytes follow (NativeReader::DecodeUnsigned, src/coreclr/vm/nativeformatreader.h).
struct NativeNumber {
  std::uint32_t value = 0;
  Address end;  // behind it
};
std::optional<NativeNumber> readNativeNumber(const AddressSpace& memory, Address address);

/// Where the element of a sparse array of a ReadyToRun image lies (NativeArray in the same file): blocks of sixteen,
/// each a tree over the bits of the index. Returns nullopt if there is no such element, or if the dump lacks what leads
/// to it.
std::optional<Address> findInNativeArray(const AddressSpace& memory, Address array, std::uint32_t index);

}  // namespace heapscape::engine
