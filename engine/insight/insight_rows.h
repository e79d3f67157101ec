// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "insight/insight.h"

namespace heapscape::engine {

/// A group of insights of one kind with more of them than this is told as one.
inline constexpr std::size_t kFewInsights = 12;

/// A line in a list of insights: one of them, or all of a kind that mean the same and that the same side holds.
struct InsightRow {
  InsightKind kind = InsightKind::Suspect;
  InsightMeaning meaning = InsightMeaning::Waste;
  bool isFramework = false;
  std::uint64_t bytes = 0;  // of several without what earlier kinds count already
  std::uint64_t objects = 0;
  std::vector<std::uint32_t> insights = {};  // indices; the most bytes first

  bool isGroup() const { return insights.size() > 1; }
};

/// All groups, however few they are; the most bytes first.
std::vector<InsightRow> groupsOfInsights(const InsightList& list);

/// All insights, those of groups of more than `few` together: first those whose bytes could be won back; of these
/// the most bytes first.
std::vector<InsightRow> insightRows(const InsightList& list, std::size_t few = kFewInsights);

/// "1,100 texts, 15,000 strings": what several insights of a kind are about; the objects left out where there are none.
std::string insightGroupTitle(InsightKind kind, std::uint64_t insights, std::uint64_t objects);

}  // namespace heapscape::engine
