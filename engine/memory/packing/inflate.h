// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>

#include "base/bounded_reader.h"

namespace heapscape::engine {

/// Unpacks what was deflated without a head (RFC 1951); null unless it has exactly the size expected.
std::shared_ptr<std::byte[]> inflateBytes(Bytes packed, std::uint32_t sizeBytes);

}  // namespace heapscape::engine
