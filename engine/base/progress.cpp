// SPDX-License-Identifier: MIT
#include "base/progress.h"

#include <algorithm>

namespace heapscape::engine {

StageProgress::StageProgress(ProgressSink* sink, std::string activity, double from, double to)
    : m_sink(sink), m_activity(std::move(activity)), m_from(from), m_to(to) {
  report(0);
}

void StageProgress::report(double fractionOfStage) {
  const double fraction = m_from + (m_to - m_from) * std::clamp(fractionOfStage, 0.0, 1.0);
  // The end of a stage is told however small the last step is, so that the whole comes to 1.
  const bool isEnd = fractionOfStage >= 1 && fraction > m_last;
  if (!m_sink || (fraction < m_last + 0.001 && !isEnd)) return;
  m_last = fraction;
  m_sink->progressed({m_activity, fraction});
}

}  // namespace heapscape::engine
