// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <mutex>
#include <utility>

namespace heapscape::engine {

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

}  // namespace heapscape::engine
