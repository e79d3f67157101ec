// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "base/finding.h"
#include "base/progress.h"
#include "base/result.h"
#include "insight/insight.h"
#include "insight/insight_input.h"

namespace heapscape::engine {

class ObjectVisitor;

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
  /// Instead of claims, where they are all alike: all of each object of the insight but one, which stays. No two
  /// insights with copies are about the same object.
  struct Copies {
    std::uint32_t units = 0;    // of 8 bytes, of each
    std::uint32_t staying = 0;  // ObjectId
  };
  std::optional<Copies> copies = {};

  bool isOfCopies() const { return copies && claims.empty() && dominating.empty(); }
  bool hasClaims() const { return copies || !claims.empty() || !dominating.empty(); }
};

/// Findings of the detectors so far.
struct FoundInsights {
  std::vector<FoundInsight> insights = {};
  /// Those below InsightInput::minimumBytes that were not worth making one of; others may be given whatever their size.
  std::uint64_t smallInsights = 0, smallBytes = 0;
};

/// Looks for some kinds of insight.
class Detector {
 public:
  virtual ~Detector() = default;
  /// The kinds that it can find. It is not run if none of them is asked for.
  virtual std::vector<InsightKind> kinds() const = 0;
  /// Visitor for the pass over the heap before find(); null if it needs none.
  virtual ObjectVisitor* visitor(const InsightInput&) { return nullptr; }
  /// Appends what it finds.
  virtual Outcome<void> find(const InsightInput& input, FoundInsights& found, FindingList& findings,
                             StageProgress& progress, std::stop_token stop) = 0;
};

}  // namespace heapscape::engine
