// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <set>
#include <stop_token>
#include <vector>

#include "models/insights_source.h"

namespace heapscape::gui {

enum class InsightColumn : int { Title, Bytes, Objects, Subject, Owner };
inline constexpr int kInsightColumns = 5;

/// Which insights to list, and in what order.
struct InsightQuestion {
  QString text = {};                         // in title, subject, contents or owner, in any case
  std::set<engine::InsightKind> kinds = {};  // only these; empty for all
  bool includesFramework = false;            // those that the framework alone holds, too
  InsightColumn sortColumn = InsightColumn::Bytes;
  bool descending = true;
};

/// Insights of one kind that mean the same.
struct InsightGroup {
  engine::InsightKind kind = engine::InsightKind::Suspect;
  engine::InsightMeaning meaning = engine::InsightMeaning::Waste;
  std::uint64_t bytes = 0;  // of its insights, without what earlier kinds count already
  std::uint64_t objects = 0;
  std::vector<std::uint32_t> insights = {};  // indices, in display order
};

struct InsightTable {
  std::vector<InsightGroup> groups;  // waste, leaks, what is held; of these the most bytes first
  std::uint64_t listed = 0;          // insights in the groups
};

/// Nothing if it was stopped.
std::optional<InsightTable> groupInsights(const FoundInsights& found, const InsightQuestion& question,
                                          std::stop_token stop);

/// Insights of a kind, whatever they mean.
struct InsightKindCount {
  engine::InsightKind kind;
  std::uint64_t insights = 0;
};
/// Of the kinds that were found, in their own order.
std::vector<InsightKindCount> insightKinds(const FoundInsights& found, bool includesFramework);

}  // namespace heapscape::gui
