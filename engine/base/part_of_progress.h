// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>

#include "base/progress.h"

namespace heapscape::engine {

/// The progress of an operation that is a part of a larger one: its 0 to 1 is a slice of the whole's.
class PartOfProgress : public ProgressSink {
 public:
  /// `whole` may be null. With an activity the part is told as this, whatever it says itself.
  PartOfProgress(ProgressSink* whole, double from, double to, std::string activity = {})
      : m_whole(whole), m_from(from), m_to(to), m_activity(std::move(activity)) {}
  void progressed(const Progress& progress) override {
    if (!m_whole) return;
    m_whole->progressed(
        {m_activity.empty() ? progress.activity : m_activity, m_from + (m_to - m_from) * progress.fraction});
  }

 private:
  ProgressSink* m_whole;
  double m_from, m_to;
  std::string m_activity;
};

}  // namespace heapscape::engine
