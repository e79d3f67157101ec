// SPDX-License-Identifier: MIT
#include "session/open/coverage_text.h"

#include <fmt/format.h>

#include <cmath>

#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

std::string coverageText(const Snapshot& snapshot) {
  return coverageText(snapshot.coverage());
}

std::string coverageText(double share) {
  return fmt::format("{:.2f}%", std::floor(share * 10'000) / 100);
}

}  // namespace heapscape::engine
