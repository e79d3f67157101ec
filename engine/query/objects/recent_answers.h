// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>

#include "base/content_hash.h"

namespace heapscape::engine {

/// What was found out last of what a few bytes stand for; as much as lies in a core's cache, so that it costs little
/// where nothing comes back. For one thread.
template <class Answer>
class RecentAnswers {
 public:
  /// Null for what is not known (any more), and for what has too many bytes or none.
  const Answer* find(std::string_view origin) {
    m_next = nullptr;
    if (origin.empty() || origin.size() > kLongest) return nullptr;
    if (!m_slots) m_slots = std::make_unique<Slots>();
    m_hash = hashOf(std::as_bytes(std::span(origin)));
    Slot& slot = (*m_slots)[m_hash % kSlots];
    if (slot.hash == m_hash && std::string_view(slot.origin, slot.size) == origin) return &slot.answer;
    m_next = &slot;
    m_origin = origin;
    return nullptr;
  }
  /// Of what was looked for last, if that was not known; its bytes are still there.
  void keep(const Answer& answer) {
    if (!m_next) return;
    m_next->hash = m_hash;
    m_next->answer = answer;
    m_next->size = static_cast<std::uint32_t>(m_origin.size());
    std::memcpy(m_next->origin, m_origin.data(), m_origin.size());
  }

 private:
  static constexpr std::size_t kLongest = 112;
  static constexpr std::size_t kSlots = 1 << 13;
  struct Slot {
    std::uint64_t hash = 0;
    Answer answer = {};
    std::uint32_t size = 0;
    char origin[kLongest];
  };
  using Slots = std::array<Slot, kSlots>;

  std::unique_ptr<Slots> m_slots;
  Slot* m_next = nullptr;
  std::uint64_t m_hash = 0;
  std::string_view m_origin;
};

}  // namespace heapscape::engine
