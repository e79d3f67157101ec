// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>

namespace heapscape::engine {

/// Gives parts of something their places one behind the other, in order, as soon as their sizes are known. Parts must
/// be begun in order, so that those before are under way whenever one has to wait for them.
class OrderedPlaces {
 public:
  /// Waits until all parts before this one have their places; then calls place(start), where what it does is done in
  /// order, too.
  template <class Place>
  void take(std::uint32_t part, std::uint64_t size, Place place) {
    for (std::uint32_t turn = m_turn.load(std::memory_order_acquire); turn != part;
         turn = m_turn.load(std::memory_order_acquire))
      m_turn.wait(turn, std::memory_order_acquire);
    place(m_end);
    m_end += size;
    m_turn.store(part + 1, std::memory_order_release);
    m_turn.notify_all();
  }

  /// Of all parts together; once all have their places.
  std::uint64_t size() const { return m_end; }

 private:
  std::atomic<std::uint32_t> m_turn = 0;
  std::uint64_t m_end = 0;
};

}  // namespace heapscape::engine
