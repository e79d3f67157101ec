// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "layout/layout_items.h"

namespace heapscape::gui {

inline constexpr std::int64_t kCacheLineBytes = 64;

/// Where a stretch of bytes crosses from one cache line to the next: the first such offset inside of it. Counted as if
/// the object began at a line, though objects are aligned to 8 only.
std::optional<std::int64_t> crossesCacheLine(std::int64_t begin, std::int64_t end);
/// Of a field, element or repetition that is no longer than a line, which would fit into one; nothing for all others.
std::optional<std::int64_t> straddles(const engine::LayoutItem& item);

}  // namespace heapscape::gui
