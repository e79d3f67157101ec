// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include "base/content_hash.h"

namespace heapscape::engine {

/// What was found out last of what a few bytes stand for, which are told by their hash; as much as lies in a core's
/// cache, so that it costs little where nothing comes back. For one thread.
template <class Answer>
class RecentAnswers {
 public:
  /// Null for what is not known (any more), and for what has too many bytes or none.
  const Answer* find(std::string_view origin) {
    m_next = nullptr;
    if (origin.empty() || origin.size() > kLongest) return nullptr;
    return find(hash128Of(std::as_bytes(std::span(origin))));
  }
  const Answer* find(const Hash128& origin) {
    if (!m_slots) m_slots = std::make_unique<Slots>();
    Slot& slot = (*m_slots)[origin.low % kSlots];
    if (slot.origin == origin && slot.isUsed) return &slot.answer;
    m_next = &slot;
    m_origin = origin;
    return nullptr;
  }
  /// Of what was looked for last, if that was not known.
  void keep(const Answer& answer) {
    if (m_next) *m_next = {m_origin, answer, true};
  }

 private:
  static constexpr std::size_t kLongest = 112;
  static constexpr std::size_t kSlots = 1 << 13;
  struct Slot {
    Hash128 origin = {};
    Answer answer = {};
    bool isUsed = false;
  };
  using Slots = std::array<Slot, kSlots>;

  std::unique_ptr<Slots> m_slots;
  Slot* m_next = nullptr;
  Hash128 m_origin;
};

}  // namespace heapscape::engine
