// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <utility>

namespace heapscape::gui {

/// What a picture showed at steps of the history, which knows it by a number (Location::zooms); 0 is all of it. The
/// oldest are forgotten.
template <class State>
class ZoomSteps {
 public:
  std::uint32_t add(State state) {
    m_states.emplace(++m_last, std::move(state));
    if (m_states.size() > kMost) m_states.erase(m_states.begin());
    return m_last;
  }
  /// Null for 0, and for what is forgotten.
  const State* find(std::uint32_t step) const {
    const auto found = m_states.find(step);
    return found == m_states.end() ? nullptr : &found->second;
  }
  /// Numbers go on: those of another dump are not found.
  void clear() { m_states.clear(); }

 private:
  static constexpr std::size_t kMost = 500;

  std::map<std::uint32_t, State> m_states;
  std::uint32_t m_last = 0;
};

}  // namespace heapscape::gui
