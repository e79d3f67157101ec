// SPDX-License-Identifier: MIT
#include "query/objects/key_order.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "base/progress.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kSortedAtOnce = 1 << 15;  // more of the same part are sorted on all cores

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
  KeyOrder(LargeArray<KeyedPlace> keys, std::size_t limit, bool descending, std::function<void(double)> told,
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
    sort({m_keys.data(), m_keys.size()}, 0, 0);
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
    if (m_wanted > m_keys.size() / 2 || m_wanted == 0) return;
    const std::vector<std::uint32_t> first = orderOf(m_keys.elements(), m_wanted, [](double) {});
    if (m_stop.stop_requested()) return;
    const std::uint64_t part = m_keys[first.back()].part;
    const auto end = m_keys.data() + m_keys.size();
    const auto dropped = std::remove_if(m_keys.data(), end, [part](const KeyedPlace& key) { return key.part > part; });
    m_progress.finish(kWhole * static_cast<std::size_t>(end - dropped));
    m_keys.truncate(static_cast<std::size_t>(dropped - m_keys.data()));
  }

  /// `number`: of the part that they hold now. `firstPart`: of all of them, unless it is that one.
  void sort(Keys keys, std::size_t number, std::uint64_t firstPart) {
    if (keys.size() <= kSortedAtOnce) {
      sortQuietly(keys, number, firstPart);
      return m_progress.finish(keys.size() * (workOf(number) + workBehind(number)));
    }
    sortOnAllCores(keys, keys.size() * workOf(number));
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

  /// Of keys that stand in the order of their places: the first of them by the part that they hold now.
  std::vector<std::uint32_t> orderOf(std::span<const KeyedPlace> keys, std::size_t limit,
                                     std::function<void(double)> told) const {
    LargeArray<std::uint64_t> parts(keys.size());
    tbb::parallel_for(std::size_t{0}, keys.size(), [&](std::size_t i) { parts[i] = keys[i].part; });
    return placesInOrder(std::move(parts), limit, std::move(told), m_stop);
  }

  /// `work`: what all that is done here counts.
  void sortOnAllCores(Keys keys, std::size_t work) {
    std::size_t done = 0;
    const auto told = [&](double share) {
      const auto now = static_cast<std::size_t>(share * static_cast<double>(work));
      if (now > done) m_progress.finish(now - std::exchange(done, now));
    };
    const std::vector<std::uint32_t> order = orderOf(keys, keys.size(), told);
    if (m_stop.stop_requested()) return;
    LargeArray<KeyedPlace> before(keys.size());
    tbb::parallel_for(std::size_t{0}, keys.size(), [&](std::size_t i) { before[i] = keys[i]; });
    tbb::parallel_for(std::size_t{0}, keys.size(), [&](std::size_t i) { keys[i] = before[order[i]]; });
    m_progress.finish(work - done);
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

  LargeArray<KeyedPlace> m_keys;
  const std::size_t m_wanted;
  const bool m_isDescending;
  CountedProgress m_progress;
  const std::stop_token m_stop;
};

}  // namespace

std::vector<std::uint32_t> placesInOrder(LargeArray<KeyedPlace> keys, std::size_t limit, bool descending,
                                         std::function<void(double)> told, const std::stop_token& stop) {
  return KeyOrder(std::move(keys), limit, descending, std::move(told), stop).places();
}

}  // namespace heapscape::engine
