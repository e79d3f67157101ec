// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "base/address.h"
#include "values/value.h"

namespace heapscape::engine {

/// Where one item of a collection lies.
struct ItemPlace {
  Address key;                      // 0 where there are no keys
  Address value;                    // 0 if `known` has the value
  std::string label = {};           // where the collection's own way of labels does not do
  Address valueType = {};           // a method table, where it is not the collection's
  std::optional<Value> known = {};  // a value that does not lie in memory as such
};

/// Takes the places of items [first, first + count) as a collection offers all of them in its order.
class ItemCollector {
 public:
  using Visit = std::function<bool(const ItemPlace&)>;

  ItemCollector(std::uint64_t first, std::size_t count, std::stop_token stop)
      : m_first(first), m_count(count), m_stop(std::move(stop)) {}
  /// Keeps no places but hands all of them, or those from `first` on, to `visit`, until it returns false.
  ItemCollector(Visit visit, std::stop_token stop, std::uint64_t first = 0)
      : m_first(first), m_count(SIZE_MAX), m_stop(std::move(stop)), m_visit(std::move(visit)) {}

  /// How many of the next items are not wanted; they may be left out with skip().
  std::uint64_t unwanted() const { return m_first - std::min(m_first, m_offered); }
  void skip(std::uint64_t items) { m_offered += items; }
  /// False once no more are wanted.
  bool offer(ItemPlace place) {
    if (m_offered++ >= m_first) {
      if (m_visit) {
        m_isEnough = !m_visit(place);
      } else if (m_places.size() < m_count) {
        m_places.push_back(std::move(place));
      }
    }
    return !isDone();
  }
  bool isDone() {
    constexpr std::uint64_t kStopInterval = 4096;
    if (m_isEnough || m_places.size() >= m_count) return true;
    if (m_steps++ % kStopInterval == 0 && m_stop.stop_requested()) m_isStopped = true;
    return m_isStopped;
  }

  bool isStopped() const { return m_isStopped; }
  /// Items offered or skipped so far.
  std::uint64_t offered() const { return m_offered; }
  std::uint64_t first() const { return m_first; }
  const std::vector<ItemPlace>& places() const { return m_places; }

 private:
  std::uint64_t m_first;
  std::size_t m_count;
  std::stop_token m_stop;
  Visit m_visit = nullptr;
  bool m_isEnough = false;
  std::uint64_t m_offered = 0;
  std::uint64_t m_steps = 0;
  bool m_isStopped = false;
  std::vector<ItemPlace> m_places;
};

}  // namespace heapscape::engine
