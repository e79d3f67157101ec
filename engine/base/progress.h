// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace heapscape::engine {

/// Where a long operation stands. `fraction` runs from 0 to 1 over the whole operation and never goes back.
struct Progress {
  std::string activity;  // "reading segments"
  double fraction = 0;
};

/// Told about progress on the thread that does the work; at most once per thousandth of the whole.
class ProgressSink {
 public:
  virtual ~ProgressSink() = default;
  virtual void progressed(const Progress& progress) = 0;
};

/// Gives one stage its share of the whole: maps the stage's own 0…1 to a slice of the sink's and drops small steps.
class StageProgress {
 public:
  StageProgress(ProgressSink* sink, std::string activity, double from, double to);
  void report(double fractionOfStage);

 private:
  ProgressSink* m_sink;
  std::string m_activity;
  double m_from;
  double m_to;
  double m_last = -1;
};

}  // namespace heapscape::engine
