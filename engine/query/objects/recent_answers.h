// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/content_hash.h"

namespace heapscape::engine {

/// What was found out last of what a few bytes stand for, which are told by their hash. Begins with as much as lies in
/// a core's first caches, so that it costs little where nothing comes back; grows where much is kept, since finding out
/// anew takes longer than memory. For one thread.
template <class Answer>
class RecentAnswers {
 public:
  /// Null for what is not known (any more), and for what has too many bytes or none.
  const Answer* find(std::string_view origin) {
    m_isKept = false;
    if (origin.empty() || origin.size() > kLongest) return nullptr;
    return find(hash128Of(std::as_bytes(std::span(origin))));
  }
  const Answer* find(const Hash128& origin) {
    if (m_slots.empty()) m_slots.resize(kFewestSlots);
    const Slot& slot = slotOf(origin);
    m_isKept = !slot.isUsed || slot.origin != origin;
    m_origin = origin;
    return m_isKept ? nullptr : &slot.answer;
  }
  /// What is going to be looked for soon: it may lie far away.
  void prefetch(const Hash128& origin) const {
    if (!m_slots.empty()) __builtin_prefetch(&m_slots[placeOf(origin)]);
  }
  /// Of what was looked for last, if that was not known.
  void keep(const Answer& answer) {
    if (!m_isKept) return;
    if (++m_keptSinceGrowth > m_slots.size() && m_slots.size() < kMostSlots) grow();
    slotOf(m_origin) = {m_origin, answer, true};
  }

 private:
  static constexpr std::size_t kLongest = 112;
  static constexpr std::size_t kFewestSlots = 1 << 13, kMostSlots = 1 << 17, kGrowth = 4;
  struct Slot {
    Hash128 origin = {};
    Answer answer = {};
    bool isUsed = false;
  };

  std::size_t placeOf(const Hash128& origin) const { return origin.low & (m_slots.size() - 1); }
  Slot& slotOf(const Hash128& origin) { return m_slots[placeOf(origin)]; }
  void grow() {
    const std::vector<Slot> before = std::exchange(m_slots, std::vector<Slot>(kGrowth * m_slots.size()));
    for (const Slot& slot : before) {
      if (slot.isUsed) slotOf(slot.origin) = slot;
    }
    m_keptSinceGrowth = 0;
  }

  std::vector<Slot> m_slots;  // a power of two of them
  std::size_t m_keptSinceGrowth = 0;
  bool m_isKept = false;  // whether what was looked for last can be kept
  Hash128 m_origin;
};

}  // namespace heapscape::engine
