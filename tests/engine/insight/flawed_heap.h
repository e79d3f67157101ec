// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "insight/insight.h"
#include "session/objects/object_query.h"
#include "support/patched_core.h"

namespace heapscape::test {

/// What is found in a dump of the program that plants flaws; of these kinds, or of all. Kept for the next test.
const engine::InsightList& insightsOf(const std::string& dump);

/// What the program says that it planted: "NAME.planted.jsonl" beside a dump.
struct Planted {
  std::string kind, subject, owner;
  std::uint64_t objects = 0, bytes = 0;
};
std::vector<Planted> plantedIn(const std::string& dump);

/// Of one delegate in a dump: it has a field less from .NET 11 on.
inline std::uint64_t delegateBytes(const std::string& dump) {
  return dump.ends_with("-11") ? 56 : 64;
}

/// Of a snapshot, whatever the size; fails the test if they cannot be looked for.
engine::InsightList lookFor(const engine::Snapshot& snapshot, std::vector<engine::InsightKind> kinds);

/// Null if there is none of this kind and subject.
const engine::Insight* findInsight(const engine::InsightList& list, engine::InsightKind kind,
                                   const std::string& subject);

/// The value of a fact; empty if there is none of that label.
std::string factOf(const engine::Insight& insight, const std::string& label);

/// A copy of such a dump that a test damages.
class DamagedHeap : public testing::Test {
 protected:
  engine::Snapshot open() const;
  /// Objects whose type's name has this text.
  static std::vector<engine::ObjectRow> objectsOf(const engine::Snapshot& snapshot, const std::string& text);
  /// Overwrites words of objects of such types at random, time and again, and looks for these kinds: nothing is to
  /// crash or hang, and no figure to contradict another one.
  void lookAtAnyBytesIn(std::span<const char* const> types, const std::vector<engine::InsightKind>& kinds);

  PatchedCore m_core{"flaws-10"};
};

}  // namespace heapscape::test
