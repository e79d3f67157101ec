// SPDX-License-Identifier: MIT
#include "insight/trend/trend_series.h"

#include <algorithm>
#include <cmath>

namespace heapscape::engine {
namespace {

/// By more than one percent of the larger figure.
bool isClearlyMore(std::uint64_t figure, std::uint64_t than) {
  return figure > than && figure - than > figure / 100;
}

/// The largest share of all growth that is one step's without being steady.
constexpr double kOneStep = 0.9;

bool isLevel(std::span<const std::uint64_t> values) {
  const auto [least, most] = std::ranges::minmax(values);
  return !isClearlyMore(most, least);
}

struct Steps {
  bool rises = false, falls = false;
  std::uint64_t largestRise = 0;
};
Steps stepsOf(std::span<const std::uint64_t> values) {
  Steps steps;
  for (std::size_t i = 1; i < values.size(); ++i) {
    const std::uint64_t before = values[i - 1], after = values[i];
    steps.rises = steps.rises || isClearlyMore(after, before);
    steps.falls = steps.falls || isClearlyMore(before, after);
    if (after > before) steps.largestRise = std::max(steps.largestRise, after - before);
  }
  return steps;
}

}  // namespace

const char* toString(TrendVerdict verdict) {
  constexpr const char* kNames[] = {"growsSteadily", "grewOnce", "new", "comesAndGoes", "level", "shrinks"};
  return kNames[static_cast<std::size_t>(verdict)];
}

TrendVerdict verdictOf(std::span<const std::uint64_t> values) {
  if (values.size() < 2 || isLevel(values)) return TrendVerdict::Level;
  const auto begin = std::ranges::find_if(values, [](std::uint64_t value) { return value != 0; });
  if (begin != values.begin() && isLevel(std::span(begin, values.end()))) return TrendVerdict::New;
  const Steps steps = stepsOf(values);
  const std::uint64_t first = values.front(), last = values.back();
  if (!steps.falls && isClearlyMore(last, first)) {
    const bool isOneStep = static_cast<double>(steps.largestRise) > kOneStep * static_cast<double>(last - first);
    return isOneStep ? TrendVerdict::GrewOnce : TrendVerdict::GrowsSteadily;
  }
  if (!steps.rises && isClearlyMore(first, last)) return TrendVerdict::Shrinks;
  return TrendVerdict::ComesAndGoes;
}

std::int64_t slopeOf(std::span<const std::uint64_t> values, std::span<const std::uint32_t> places) {
  if (values.size() < 2) return 0;
  const auto count = static_cast<long double>(values.size());
  long double sumOfPlaces = 0, sumOfValues = 0;
  for (const std::uint32_t place : places) sumOfPlaces += place;
  for (const std::uint64_t value : values) sumOfValues += static_cast<long double>(value);
  long double both = 0, squares = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const long double place = places[i] - sumOfPlaces / count;
    both += place * (static_cast<long double>(values[i]) - sumOfValues / count);
    squares += place * place;
  }
  return squares > 0 ? std::llround(both / squares) : 0;
}

const std::vector<std::uint64_t>& TrendSeries::judged() const {
  const bool hasBytes = std::ranges::any_of(bytes, [](std::uint64_t value) { return value != 0; });
  return hasBytes ? bytes : counts;
}

void TrendSeries::judge(std::span<const std::uint32_t> places) {
  slope = slopeOf(bytes, places);
  verdict = verdictOf(judged());
}

std::string sparkline(std::span<const std::uint64_t> values) {
  constexpr const char* kBars[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  constexpr std::size_t kHeights = std::size(kBars);
  const std::uint64_t most = values.empty() ? 0 : std::ranges::max(values);
  std::string line;
  for (const std::uint64_t value : values) {
    const double share = most ? static_cast<double>(value) / static_cast<double>(most) : 0;
    const auto height = static_cast<std::size_t>(std::ceil(share * kHeights));
    line += value ? kBars[std::clamp<std::size_t>(height, 1, kHeights) - 1] : "·";
  }
  return line;
}

}  // namespace heapscape::engine
