// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <utility>

namespace heapscape::engine {

/// Steps between two looks at a stop token: of light steps (an object, a row), and of heavy ones (a type's layout).
inline constexpr std::uint32_t kStopInterval = 4096;
inline constexpr std::uint32_t kHeavyStopInterval = 64;

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

/// Counts what several threads finish, and tells on one of them at a time how many of all there are.
class CountedProgress {
 public:
  /// `tell` gets shares from 0 to 1, each larger than the one before.
  CountedProgress(std::size_t parts, std::function<void(double)> tell) : m_parts(parts), m_tell(std::move(tell)) {}

  /// From any thread. Who finds another one telling leaves it at that.
  void finishOne() { finish(1); }
  void finish(std::size_t parts) {
    m_done.fetch_add(parts, std::memory_order_relaxed);
    const std::unique_lock lock(m_telling, std::try_to_lock);
    if (!lock) return;
    const std::size_t done = m_done.load(std::memory_order_relaxed);
    if (done > m_told) m_tell(static_cast<double>(m_told = done) / static_cast<double>(m_parts));
  }

 private:
  const std::size_t m_parts;
  const std::function<void(double)> m_tell;
  std::atomic<std::size_t> m_done = 0;
  std::mutex m_telling;
  std::size_t m_told = 0;
};

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
