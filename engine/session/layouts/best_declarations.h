// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "layout/advice/layout_advice.h"
#include "session/layouts/heap_savings.h"

namespace heapscape::engine {

/// One type definition and the declaration that makes the heap smallest. All closed types of a generic definition share
/// it, so it is chosen for all of them together.
struct BestDeclarationOnHeap {
  std::vector<std::uint32_t> parts;  // of the definition
  AdviceKind means = AdviceKind::NothingToGain;
  std::vector<std::string> order;  // of the own fields; empty if there is nothing to gain
  DeclarationChange change;
  std::string separation;       // why its empty bytes are not to be won back, see separationOf(); or empty
  std::int64_t savedBytes = 0;  // of the heap, over all parts

  HeapSavings::Changes changes() const;
};

/// For every definition among the parts whose type is known.
Outcome<std::vector<BestDeclarationOnHeap>> chooseDeclarations(HeapSavings& savings, std::size_t partCount,
                                                               StageProgress& progress, std::stop_token stop);

/// Bytes that the heap would shrink by with all of these together. One that the runtime would not load beside those
/// that save more is left out.
Outcome<std::int64_t> savedByAll(HeapSavings& savings, std::vector<const BestDeclarationOnHeap*> chosen,
                                 std::stop_token stop);

}  // namespace heapscape::engine
