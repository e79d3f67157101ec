// SPDX-License-Identifier: MIT
#include "session/coverage_text.h"

#include <fmt/format.h>

#include <cmath>

#include "session/snapshot.h"

namespace heapscape::engine {

std::string coverageText(const Snapshot& snapshot) {
  return fmt::format("{:.2f}%", std::floor(snapshot.coverage() * 10'000) / 100);
}

}  // namespace heapscape::engine
