// SPDX-License-Identifier: MIT
#include "query/objects/key_order.h"

#include <tbb/parallel_for.h>
#include <tbb/parallel_sort.h>

#include <algorithm>
#include <span>

namespace heapscape::engine {
namespace {

constexpr std::size_t kSortedAtOnce = 1 << 15;  // more of the same part are sorted on all cores

class KeyOrder {
 public:
  KeyOrder(std::vector<KeyedPlace> keys, std::size_t limit, bool descending, const std::stop_token& stop)
      : m_keys(std::move(keys)), m_wanted(std::min(limit, m_keys.size())), m_isDescending(descending), m_stop(stop) {}

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
  static bool isBefore(const KeyedPlace& left, const KeyedPlace& right) {
    return left.part != right.part ? left.part < right.part : left.place < right.place;
  }

  // Of those whose first part tells that they come behind all that are wanted nothing more has to be known.
  void dropLast() {
    if (m_wanted == m_keys.size() || m_wanted == 0) return;
    const auto last = m_keys.begin() + static_cast<std::ptrdiff_t>(m_wanted - 1);
    std::ranges::nth_element(m_keys, last, {}, &KeyedPlace::part);
    const std::uint64_t part = last->part;
    std::erase_if(m_keys, [part](const KeyedPlace& key) { return key.part > part; });
  }

  /// `number`: of the part that they hold now. `firstPart`: of all of them, unless it is that one.
  void sort(std::span<KeyedPlace> keys, std::size_t number, std::uint64_t firstPart) {
    if (m_stop.stop_requested()) return;
    if (keys.size() <= kSortedAtOnce) {
      std::ranges::sort(keys, isBefore);
      forEachRun(keys, [&](std::span<KeyedPlace> run) { sortFurther(run, number, firstPart); });
      return;
    }
    tbb::parallel_sort(keys.begin(), keys.end(), isBefore);
    std::vector<std::span<KeyedPlace>> runs;
    forEachRun(keys, [&](std::span<KeyedPlace> run) { runs.push_back(run); });
    tbb::parallel_for(std::size_t{0}, runs.size(), [&](std::size_t i) { sortFurther(runs[i], number, firstPart); });
  }

  /// Those that have the same part, where the order of several matters.
  template <class Visit>
  void forEachRun(std::span<KeyedPlace> keys, const Visit& visit) const {
    for (std::size_t from = 0, end = 0; from < keys.size(); from = end) {
      if (keys.data() + from >= m_keys.data() + m_wanted) return;
      while (end < keys.size() && keys[end].part == keys[from].part) ++end;
      if (end - from > 1) visit(keys.subspan(from, end - from));
    }
  }

  /// By the parts behind, if there are any.
  void sortFurther(std::span<KeyedPlace> run, std::size_t number, std::uint64_t firstPart) {
    const std::uint64_t part = run.front().part;
    if (number == 0) firstPart = SortKey::fromOrder(part, m_isDescending);
    const std::uint64_t asItWas = number == 0 ? firstPart : m_isDescending ? ~part : part;
    if (!SortKey::goesOn(firstPart, asItWas, number)) return;
    for (KeyedPlace& key : run) {
      key.part = SortKey::laterPart(firstPart, key.rest, number + 1);
      if (m_isDescending) key.part = ~key.part;
    }
    sort(run, number + 1, firstPart);
  }

  std::vector<KeyedPlace> m_keys;
  const std::size_t m_wanted;
  const bool m_isDescending;
  const std::stop_token m_stop;
};

}  // namespace

std::vector<std::uint32_t> placesInOrder(std::vector<KeyedPlace> keys, std::size_t limit, bool descending,
                                         const std::stop_token& stop) {
  return KeyOrder(std::move(keys), limit, descending, stop).places();
}

}  // namespace heapscape::engine
