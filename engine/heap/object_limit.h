// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include <cstdint>

#include "base/ids.h"
#include "base/result.h"

namespace heapscape::engine {

/// Objects, gaps among them, are numbered with 32 bits: fails with Damaged for more than these tell apart, rather than
/// to number them from 0 again.
inline Result<void> checkObjectLimit(std::uint64_t objects) {
  if (objects < ObjectId::kNone) return {};
  return failure(
      ErrorCode::Damaged,
      fmt::format("The heap has {} objects, more than the {} that can be told apart.", objects, ObjectId::kNone - 1),
      "What is known without objects is there: info, segments, modules, threads.");
}

}  // namespace heapscape::engine
