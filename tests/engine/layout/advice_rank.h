// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <utility>

#include "layout/advice/layout_advice.h"

namespace heapscape::test {

/// What advice is sorted by: the most saving first, Pack behind all that has no price.
inline std::pair<bool, std::int64_t> rankOf(const engine::Advice& advice) {
  return {advice.kind != engine::AdviceKind::Pack, advice.savedBytesPerInstance};
}

}  // namespace heapscape::test
