// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string_view>

namespace heapscape::engine {

/// The texts of resources/contracts, compiled in so that the program needs no installed files; oldest runtime first.
extern const std::array<std::string_view, 4> kShippedContracts;

}  // namespace heapscape::engine
