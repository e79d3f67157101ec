// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/finding.h"
#include "insight/insight.h"
#include "insight/trend/dump_frame.h"
#include "insight/trend/trend_series.h"
#include "session/roots/roots_query.h"

namespace heapscape::engine {

/// A dump of the row that could be read.
struct TrendDump {
  std::string path;
  std::uint32_t place = 0;              // in the row as it was given, from 0; slopes go by it
  std::optional<std::int64_t> written;  // when its file was last written, in seconds since 1970
  Summary summary;
  std::uint64_t objects = 0, bytes = 0, freeBytes = 0;  // free space not among objects and bytes
  std::uint64_t reachableBytes = 0;
  std::uint64_t wasteBytes = 0, leakBytes = 0;  // of all insights, each byte once
};

/// One that could not.
struct UnreadDump {
  std::string path;
  std::uint32_t place = 0;
  Error error;
};

struct TypeTrend {
  std::string name, assembly;    // of the last dump that has it
  std::string loadContext = {};  // where a dump has the type in several load contexts; else empty
  bool isFree = false;           // the gaps between objects, not a type
  TrendSeries series;            // its objects and their bytes
  std::vector<std::uint64_t> retained;
};
struct OwnerTrend {
  InsightOwner::Kind kind = InsightOwner::Kind::Other;
  std::string name;
  TrendSeries series;  // the objects that it holds
};
struct RootTrend {
  RootKind kind = RootKind::StrongHandle;
  std::string name;
  TrendSeries series;  // roots, and bytes that their objects retain
};
struct InsightTrend {
  InsightKind kind = InsightKind::Suspect;
  InsightMeaning meaning = InsightMeaning::Waste;
  std::string title;  // of the last dump that has it
  std::string subject;
  std::string contents;  // of strings
  TrendSeries series;    // 0 where it is below the threshold, too
};

/// What became of each type, owner, root and insight over several dumps, the steepest first; free space, which is no
/// type, last.
struct Trend {
  std::vector<TrendDump> dumps;  // in the order given; series have a figure for each
  std::vector<UnreadDump> unread;
  std::vector<TypeTrend> types;  // free space among them: they add up to each heap
  std::vector<OwnerTrend> owners;
  std::vector<RootTrend> roots;
  std::vector<InsightTrend> insights;
  std::vector<std::string> notes;  // in what the dumps differ, so that they may not be of one program or runtime
  bool isComplete = true;          // all were read, and nothing was missing or damaged in any
  FindingList findings;            // of all dumps, each with its file, and what cannot be matched
};

/// Types, insights … are matched as a comparison matches them.
Trend trendOf(std::span<const FilmedDump> film);

}  // namespace heapscape::engine
