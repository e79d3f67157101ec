// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "layout/rules/layout_rules.h"

namespace heapscape::engine {

/// A cache line of x64; the 128 of other processors are whole lines, too.
inline constexpr std::uint32_t kCacheLineBytes = 64;

/// Text for such types where there is no room for more.
inline constexpr const char* kSeparatedOnPurpose = "separated on purpose, for processors' caches";

/// Reason in a declaration by which bytes are left empty on purpose, so that what one processor writes shares no cache
/// line with what another one uses: a Size of whole cache lines of which own fields take half or less; a FieldOffset at
/// the start of a cache line with half a line empty before it; or the name of a type that takes a cache line. A
/// sentence; empty if nothing shows it. Fails as LayoutRules::placementOf does.
Result<std::string> separationOf(LayoutRules& rules, ClosedTypeId type);

/// Whether a full name says that its type is padded: its own last part has Padded, Padding, CacheLine or FalseSharing
/// among its words, as CachePaddedCounter and cache_line do.
bool namesSeparation(std::string_view typeName);

}  // namespace heapscape::engine
