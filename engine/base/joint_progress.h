// SPDX-License-Identifier: MIT
#pragma once

#include <mutex>

#include "base/progress.h"

namespace heapscape::engine {

/// Adds up the progress of several that work at the same time.
class JointProgress {
 public:
  /// From the share `from` of the whole on; what the shares of all of them count together is `weight`.
  JointProgress(StageProgress& whole, double from, double weight) : m_whole(whole), m_done(from), m_weight(weight) {}

  /// From any thread.
  void add(double share) {
    const std::lock_guard lock(m_mutex);
    m_whole.report(m_done += m_weight * share);
  }

 private:
  StageProgress& m_whole;
  std::mutex m_mutex;
  double m_done;
  double m_weight;
};

/// The progress of one of them, which is done when this is gone.
class PartOfJoint : public ProgressSink {
 public:
  PartOfJoint(JointProgress& joint, double share) : m_joint(joint), m_share(share) {}
  ~PartOfJoint() override { m_joint.add(m_share * (1 - m_told)); }
  void progressed(const Progress& progress) override {
    m_joint.add(m_share * (progress.fraction - m_told));
    m_told = progress.fraction;
  }

 private:
  JointProgress& m_joint;
  double m_share;
  double m_told = 0;
};

}  // namespace heapscape::engine
