// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heapscape::engine {

/// TypeAttributes (ECMA-335 II.23.1.15) in words: "public", "nested private", "abstract", "sequential layout" …
std::vector<std::string> typeAttributeWords(std::uint32_t attributes);

/// FieldAttributes (II.23.1.5) as in a declaration: "private static readonly".
std::string fieldAttributeText(std::uint16_t attributes);

}  // namespace heapscape::engine
