// SPDX-License-Identifier: MIT
#pragma once

#include <utility>

namespace heapscape::gui {

/// Until it ends, brushes that would be patterns are plain colours. Of the window's thread.
class PlainPatterns {
 public:
  PlainPatterns() { ++s_wanted; }
  ~PlainPatterns() { end(); }
  PlainPatterns(const PlainPatterns&) = delete;
  PlainPatterns& operator=(const PlainPatterns&) = delete;
  void end() {
    if (std::exchange(m_lasts, false)) --s_wanted;
  }

  static bool areWanted() { return s_wanted > 0; }

 private:
  inline static int s_wanted = 0;
  bool m_lasts = true;
};

}  // namespace heapscape::gui
