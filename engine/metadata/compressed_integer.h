// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "base/bounded_reader.h"

namespace heapscape::engine {

/// Reads a compressed unsigned integer of one, two or four bytes (ECMA-335 II.23.2); nothing if it is cut or malformed.
std::optional<std::uint32_t> readCompressed(BoundedReader& reader);
/// The same of a signed one, whose sign is its lowest bit.
std::optional<std::int32_t> readCompressedSigned(BoundedReader& reader);

}  // namespace heapscape::engine
