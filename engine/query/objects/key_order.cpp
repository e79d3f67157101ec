// SPDX-License-Identifier: MIT
#include "query/objects/key_order.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

#include "base/counted_progress.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kSortedAtOnce = 1 << 15;  // more of the same part are sorted on all cores
constexpr std::size_t kSamples = 31;            // of them, for the one that divides them

// What each key counts. By how many of its parts it will be sorted is not known: by each for half of what is left, and
// the rest is done as soon as it is in place.
constexpr std::size_t kWhole = 1 << 8;
constexpr std::size_t workOf(std::size_t part) {
  return part < 8 ? kWhole >> (part + 1) : 0;
}
constexpr std::size_t workBehind(std::size_t part) {
  return part < 8 ? kWhole >> (part + 1) : 1;
}

class KeyOrder {
 public:
  KeyOrder(std::vector<KeyedPlace> keys, std::size_t limit, bool descending, std::function<void(double)> told,
           const std::stop_token& stop)
      : m_keys(std::move(keys)),
        m_wanted(std::min(limit, m_keys.size())),
        m_isDescending(descending),
        m_progress(m_keys.size() * kWhole, std::move(told)),
        m_stop(stop) {}

  std::vector<std::uint32_t> places() {
    tbb::parallel_for(std::size_t{0}, m_keys.size(), [&](std::size_t i) {
      m_keys[i].place = static_cast<std::uint32_t>(i);
      m_keys[i].part = SortKey::inOrder(m_keys[i].part, m_isDescending);
    });
    dropLast();
    sort(m_keys, 0, 0);
    std::vector<std::uint32_t> places(m_wanted);
    for (std::size_t i = 0; i < m_wanted; ++i) places[i] = m_keys[i].place;
    return places;
  }

 private:
  using Keys = std::span<KeyedPlace>;

  static bool isBefore(const KeyedPlace& left, const KeyedPlace& right) {
    return left.part != right.part ? left.part < right.part : left.place < right.place;
  }

  // Of those whose first part tells that they come behind all that are wanted nothing more has to be known.
  void dropLast() {
    if (m_wanted == m_keys.size() || m_wanted == 0) return;
    const auto last = m_keys.begin() + static_cast<std::ptrdiff_t>(m_wanted - 1);
    std::ranges::nth_element(m_keys, last, {}, &KeyedPlace::part);
    const std::uint64_t part = last->part;
    m_progress.finish(kWhole * std::erase_if(m_keys, [part](const KeyedPlace& key) { return key.part > part; }));
  }

  /// `number`: of the part that they hold now. `firstPart`: of all of them, unless it is that one.
  void sort(Keys keys, std::size_t number, std::uint64_t firstPart) {
    if (keys.size() <= kSortedAtOnce) {
      sortQuietly(keys, number, firstPart);
      return m_progress.finish(keys.size() * (workOf(number) + workBehind(number)));
    }
    sortInParts(keys, number);
    if (m_stop.stop_requested()) return;
    std::vector<Keys> runs;
    std::size_t inRuns = 0;
    forEachRun(keys, [&](Keys run) {
      runs.push_back(run);
      inRuns += run.size();
    });
    m_progress.finish((keys.size() - inRuns) * workBehind(number));
    tbb::parallel_for(tbb::blocked_range(std::size_t{0}, runs.size()), [&](const auto& some) {
      std::size_t quiet = 0;  // most runs are short: they are told together
      for (std::size_t i = some.begin(); i < some.end(); ++i) {
        const auto first = takeNextPart(runs[i], number, firstPart);
        if (first && runs[i].size() > kSortedAtOnce) {
          sort(runs[i], number + 1, *first);
          continue;
        }
        if (first) sortQuietly(runs[i], number + 1, *first);
        quiet += runs[i].size();
      }
      m_progress.finish(quiet * workBehind(number));
    });
  }

  void sortQuietly(Keys keys, std::size_t number, std::uint64_t firstPart) {
    if (m_stop.stop_requested()) return;
    std::ranges::sort(keys, isBefore);
    forEachRun(keys, [&](Keys run) {
      if (const auto first = takeNextPart(run, number, firstPart)) sortQuietly(run, number + 1, *first);
    });
  }

  // TBB's own sort neither tells how far it is nor can be stopped.
  void sortInParts(Keys keys, std::size_t number) {
    if (m_stop.stop_requested()) return;
    const bool isSorted = std::ranges::is_sorted(keys, isBefore);
    if (isSorted || keys.size() <= kSortedAtOnce) {
      if (!isSorted) std::ranges::sort(keys, isBefore);
      return m_progress.finish(keys.size() * workOf(number));
    }
    const KeyedPlace middle = middleOf(keys);
    const auto behind = std::ranges::partition(keys, [&](const KeyedPlace& key) { return isBefore(key, middle); });
    const std::size_t before = keys.size() - behind.size();
    tbb::parallel_invoke([&] { sortInParts(keys.first(before), number); },
                         [&] { sortInParts(keys.subspan(before), number); });
  }

  static KeyedPlace middleOf(Keys keys) {
    std::array<KeyedPlace, kSamples> samples;
    for (std::size_t i = 0; i < kSamples; ++i) samples[i] = keys[i * keys.size() / kSamples];
    std::ranges::sort(samples, isBefore);
    return samples[kSamples / 2];
  }

  /// Those that have the same part, where the order of several matters.
  template <class Visit>
  void forEachRun(Keys keys, const Visit& visit) const {
    for (std::size_t from = 0, end = 0; from < keys.size(); from = end) {
      if (keys.data() + from >= m_keys.data() + m_wanted) return;
      while (end < keys.size() && keys[end].part == keys[from].part) ++end;
      if (end - from > 1) visit(keys.subspan(from, end - from));
    }
  }

  /// Has them hold the part behind this one and gives their first, if they go on.
  std::optional<std::uint64_t> takeNextPart(Keys run, std::size_t number, std::uint64_t firstPart) const {
    const std::uint64_t part = run.front().part;
    if (number == 0) firstPart = SortKey::fromOrder(part, m_isDescending);
    const std::uint64_t asItWas = number == 0 ? firstPart : m_isDescending ? ~part : part;
    if (!SortKey::goesOn(firstPart, asItWas, number)) return std::nullopt;
    for (KeyedPlace& key : run) {
      key.part = SortKey::laterPart(firstPart, key.rest, number + 1);
      if (m_isDescending) key.part = ~key.part;
    }
    return firstPart;
  }

  std::vector<KeyedPlace> m_keys;
  const std::size_t m_wanted;
  const bool m_isDescending;
  CountedProgress m_progress;
  const std::stop_token m_stop;
};

}  // namespace

std::vector<std::uint32_t> placesInOrder(std::vector<KeyedPlace> keys, std::size_t limit, bool descending,
                                         std::function<void(double)> told, const std::stop_token& stop) {
  return KeyOrder(std::move(keys), limit, descending, std::move(told), stop).places();
}

}  // namespace heapscape::engine
