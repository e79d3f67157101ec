// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

#include "base/finding.h"
#include "base/large_array.h"
#include "base/progress.h"
#include "base/result.h"
#include "insight/insight.h"
#include "session/contents.h"

namespace heapscape::engine {

class Ownership;

/// What all detectors work with, made once.
struct InsightInput {
  const Snapshot& snapshot;
  const Contents& contents;
  const LargeArray<std::uint32_t>& objectTypes;  // TypeId by ObjectId
  const Ownership& ownership;

  /// All objects of these types (by TypeId), ascending by ObjectId: one pass over objectTypes.
  std::vector<std::uint32_t> objectsOf(std::span<const TypeId> types) const;
};

/// Bytes of an object that an insight would win back.
struct Claim {
  std::uint32_t object = 0;  // ObjectId
  std::uint32_t units = 0;   // of 8 bytes
};

/// An insight and the bytes behind it, so that no byte is counted twice in sums.
struct FoundInsight {
  Insight insight;
  std::vector<Claim> claims = {};              // adds up to insight.bytes, together with
  std::vector<std::uint32_t> dominating = {};  // objects whose whole retained size it would win back
};

/// Looks for some kinds of insight.
class Detector {
 public:
  virtual ~Detector() = default;
  /// Appends what it finds, whatever its size.
  virtual Outcome<void> find(const InsightInput& input, std::vector<FoundInsight>& found, FindingList& findings,
                             StageProgress& progress, std::stop_token stop) const = 0;
};

}  // namespace heapscape::engine
