// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/content_hash.h"
#include "base/ids.h"

namespace heapscape::engine {

/// A memory of what was found out last of a few bytes, which are told by their hash. Begins with as much as lies in
/// a core's first caches, so that it costs little where nothing comes back; grows where much is kept, since finding out
/// anew takes longer than memory. For one thread.
template <class Answer>
class RecentAnswers {
 public:
  /// The answer for these bytes; null for what is not known (any more), and for what has too many bytes or none.
  const Answer* find(std::string_view origin) {
    m_isKept = false;
    if (origin.empty() || origin.size() > kLongest) return nullptr;
    if (m_slots.empty()) m_slots.resize(kFewestSlots);
    m_origin = hash128Of(std::as_bytes(std::span(origin)));
    const Slot& slot = slotOf(m_origin);
    m_isKept = !slot.isUsed || slot.origin != m_origin;
    return m_isKept ? nullptr : &slot.answer;
  }
  /// Keeps the answer for what was looked for last, if that was not known.
  void keep(const Answer& answer) {
    if (!m_isKept) return;
    if (++m_keptSinceGrowth > m_slots.size() && m_slots.size() < kMostSlots) grow();
    slotOf(m_origin) = {m_origin, answer, true};
  }

 private:
  static constexpr std::size_t kLongest = 256;
  static constexpr std::size_t kFewestSlots = 1 << 13, kMostSlots = 1 << 17, kGrowth = 4;
  struct Slot {
    Hash128 origin = {};
    Answer answer = {};
    bool isUsed = false;
  };

  Slot& slotOf(const Hash128& origin) { return m_slots[origin.low & (m_slots.size() - 1)]; }
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

/// Tells of which types objects come back that are alike, as a part of them shows now and then. Of all others it takes
/// longer to look for one that was met before than to find out anew. For one thread.
class RecurringTypes {
 public:
  /// Whether to look for what was met before; of each object once.
  bool mayRecur(TypeId type) {
    Trial& trial = of(type);
    if (trial.objects == kUntilNextTrial) trial = {};
    return trial.objects++ < kTried || trial.known >= kFewKnown;
  }
  /// Counts an object that was found so.
  void countKnown(TypeId type) { ++of(type).known; }

 private:
  static constexpr std::uint32_t kTried = 1 << 15, kFewKnown = kTried / 8, kUntilNextTrial = 1 << 18;
  struct Trial {
    std::uint32_t objects = 0;
    std::uint32_t known = 0;
  };

  Trial& of(TypeId type) {
    if (type.value >= m_trials.size()) m_trials.resize(type.value + 1);
    return m_trials[type.value];
  }

  std::vector<Trial> m_trials;  // by TypeId
};

}  // namespace heapscape::engine
