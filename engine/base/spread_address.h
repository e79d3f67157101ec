// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "base/address.h"

namespace heapscape::engine {

/// A hash of addresses for tables whose size is a power of two, as TBB's are: what is aligned would share a few of
/// their places, for std::hash leaves the lowest bits as they are.
struct SpreadAddress {
  std::size_t operator()(Address address) const { return std::hash<Address>()(address) >> 32; }
};

}  // namespace heapscape::engine
