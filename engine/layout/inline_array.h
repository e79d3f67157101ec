// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "metadata/metadata.h"

namespace heapscape::engine {

/// How many elements an InlineArrayAttribute gives a type, as it says; nothing without one.
std::optional<std::uint32_t> inlineArrayLength(const Metadata& metadata, std::uint32_t typeDefRow);

}  // namespace heapscape::engine
