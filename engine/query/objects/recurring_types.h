// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.h"

namespace heapscape::engine {

/// Of which types objects come back that are alike, as a part of them tells now and then. Of all others it takes longer
/// to look for one that was met before than to find out anew. For one thread.
class RecurringTypes {
 public:
  /// Whether to look for what was met before; of each object once.
  bool mayRecur(TypeId type) {
    Trial& trial = of(type);
    if (trial.objects == kUntilNextTrial) trial = {};
    return trial.objects++ < kTried || trial.known >= kFewKnown;
  }
  /// Of an object that was found so.
  void countKnown(TypeId type) { ++of(type).known; }

 private:
  static constexpr std::uint32_t kTried = 1 << 15, kFewKnown = kTried / 8, kUntilNextTrial = 1 << 18;
  struct Trial {
    std::uint32_t objects = 0;
    std::uint32_t known = 0;
  };

  Trial& of(TypeId type) {
    if (type.value >= m_trials.size()) m_trials.resize(type.value + 1);
    return m_trials[type.value];
  }

  std::vector<Trial> m_trials;  // by TypeId
};

}  // namespace heapscape::engine
