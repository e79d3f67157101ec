// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/enum_names.h"
#include "base/finding.h"
#include "insight/insight.h"
#include "insight/trend/dump_sample.h"
#include "session/roots/roots_query.h"

namespace heapscape::engine {

/// Course over several dumps. A difference of at most one percent of the larger of two figures counts as none.
enum class TrendVerdict : std::uint8_t {
  GrowsSteadily,  // never falls, ends above its first figure, and not by one step alone (nine tenths of all growth)
  GrewOnce,       // the same, but by one step alone; all growth over two dumps
  New,            // 0 in the first dump, and as large as in the last one as soon as it is there
  ComesAndGoes,   // rises and falls
  Level,          // all figures are the same
  Shrinks,        // never rises, and ends below its first figure
};

template <>
inline constexpr auto kEnumNames<TrendVerdict> =
    std::to_array<EnumName<TrendVerdict>>({{TrendVerdict::GrowsSteadily, "growsSteadily"},
                                           {TrendVerdict::GrewOnce, "grewOnce"},
                                           {TrendVerdict::New, "new"},
                                           {TrendVerdict::ComesAndGoes, "comesAndGoes"},
                                           {TrendVerdict::Level, "level"},
                                           {TrendVerdict::Shrinks, "shrinks"}});

TrendVerdict verdictOf(std::span<const std::uint64_t> values);

/// The slope of the straight line with the least squares through values at these places, rounded; 0 of fewer than two.
std::int64_t slopeOf(std::span<const std::uint64_t> values, std::span<const std::uint32_t> places);

/// The figures of a row of a trend, by dump. One that a dump does not have is 0.
struct TrendSeries {
  std::vector<std::uint64_t> counts, bytes;
  std::int64_t slope = 0;  // of the bytes, by dump
  TrendVerdict verdict = TrendVerdict::Level;

  std::uint64_t first() const { return bytes.empty() ? 0 : bytes.front(); }
  std::uint64_t last() const { return bytes.empty() ? 0 : bytes.back(); }
  std::int64_t growth() const { return static_cast<std::int64_t>(last() - first()); }
  /// Figures that the verdict is about: bytes, or counts of what has none in any dump.
  const std::vector<std::uint64_t>& judged() const;
  /// Fills in slope and verdict.
  void judge(std::span<const std::uint32_t> places);
};

/// Values as bars of eight heights, the largest the highest: "▁▃▅█"; "·" for 0.
std::string sparkline(std::span<const std::uint64_t> values);

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

/// Course of each type, owner, root and insight over several dumps, the steepest first; free space last.
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
Trend trendOf(std::span<const SampledDump> film);

}  // namespace heapscape::engine
