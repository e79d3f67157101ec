// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <cstdint>
#include <optional>
#include <vector>

#include "heap/segment.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::gui {

/// A slice of the whole heap: the live objects of one generation, or everything free.
struct AgeShare {
  std::optional<engine::Generation> generation;  // nothing: free space
  std::uint64_t objects = 0;
  std::uint64_t bytes = 0;
};

/// By generation over all heaps, youngest first, then free space; empty ones left out.
std::vector<AgeShare> ageShares(const std::vector<engine::GenerationRow>& rows);
QString ageShareName(const AgeShare& share);

}  // namespace heapscape::gui
