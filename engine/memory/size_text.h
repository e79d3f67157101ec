// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace heapscape::engine {

/// A size for sentences, in three digits: "512 bytes", "3.20 MB" (1 MB is 1024 KB).
std::string sizeText(std::uint64_t bytes);

}  // namespace heapscape::engine
