// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "base/address.h"
#include "base/finding.h"
#include "base/result.h"
#include "session/layouts/declared_layouts.h"

namespace heapscape::engine {

/// The layouts that the runtime made against those that its rules give.
struct LayoutCheck {
  std::uint64_t compared = 0;
  std::uint64_t equal = 0;
  struct Row {
    std::string type;
    Address methodTable;
    std::string what;  // "Total: offset 8, by the rules 16", or why it cannot be computed
  };
  std::vector<Row> different;
  std::vector<Row> notComputed;
};

/// Every type with objects on the heap, or every loaded one. Sizes, every field's offset and size, references.
Outcome<LayoutCheck> checkLayouts(const Snapshot& snapshot, const DeclaredLayouts& layouts, bool allLoaded,
                                  std::stop_token stop);
/// A finding for each type that differs.
void addFindings(const LayoutCheck& check, FindingList& findings);

}  // namespace heapscape::engine
