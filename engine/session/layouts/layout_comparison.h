// SPDX-License-Identifier: MIT
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "layout/advice/layout_difference.h"
#include "session/layouts/declared_layouts.h"

namespace heapscape::engine {

/// A type that both sides have, found by its assembly and name.
struct ComparedLayout {
  std::string type;
  std::string assembly;
  LayoutTypeId before, after;                                     // none if it is not there
  std::uint32_t instanceBytesBefore = 0, instanceBytesAfter = 0;  // of a unit, see TypeLayout::unitBytes()
  std::uint32_t paddingBefore = 0, paddingAfter = 0;
  LayoutDifference difference;  // empty unless it is in both
};

struct LayoutComparison {
  std::vector<ComparedLayout> changed;  // by bytes of difference, the most first; then by name
  std::vector<ComparedLayout> added, removed;
  std::uint64_t same = 0;
  std::vector<std::string> failures;  // types that one of the two could not lay out
};

/// Two dumps, two versions of an assembly, or one by two runtimes' rules: each as its question says.
Outcome<LayoutComparison> compareLayouts(const DeclaredLayouts& before, const LayoutQuestion& questionBefore,
                                         const DeclaredLayouts& after, const LayoutQuestion& questionAfter,
                                         std::stop_token stop);

}  // namespace heapscape::engine
