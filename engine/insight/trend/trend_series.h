// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace heapscape::engine {

/// What becomes of something over several dumps. A difference of at most one percent of the larger of two figures
/// counts as none.
enum class TrendVerdict : std::uint8_t {
  GrowsSteadily,  // never falls, ends above its first figure, and not by one step alone (nine tenths of all growth)
  GrewOnce,       // the same, but by one step alone; all growth over two dumps
  New,            // 0 in the first dump, and as large as in the last one as soon as it is there
  ComesAndGoes,   // rises and falls
  Level,          // all figures are the same
  Shrinks,        // never rises, and ends below its first figure
};
/// "growsSteadily", "grewOnce", "new", "comesAndGoes", "level", "shrinks".
const char* toString(TrendVerdict verdict);
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
  /// What the verdict is about: bytes, or counts of what has none in any dump.
  const std::vector<std::uint64_t>& judged() const;
  /// Fills in slope and verdict.
  void judge(std::span<const std::uint32_t> places);
};

/// Values as bars of eight heights, the largest the highest: "▁▃▅█"; "·" for 0.
std::string sparkline(std::span<const std::uint64_t> values);

}  // namespace heapscape::engine
