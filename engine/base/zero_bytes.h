// SPDX-License-Identifier: MIT
#pragma once

#include <cstring>

#include "base/bounded_reader.h"

namespace heapscape::engine {

/// Whether all of these bytes, at least one, are zero.
inline bool areZero(Bytes bytes) {
  return bytes[0] == std::byte{0} && std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0;
}

}  // namespace heapscape::engine
