// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <mutex>

#include <tbb/task_arena.h>

#include "base/result.h"

namespace heapscape::engine {

/// Something large that is made once, when it is first asked for. Several threads may ask; a making that was cancelled
/// or failed is tried again by the next who asks.
template <class T>
class OnDemand {
 public:
  /// `make()` gives an Outcome<T>.
  template <class Make>
  Outcome<std::shared_ptr<const T>> get(const Make& make) const {
    const std::lock_guard lock(m_mutex);
    if (!m_value) {
      // While it waits for other cores it takes on no other work, which might ask for this very thing.
      HEAPSCAPE_TRY(T made, tbb::this_task_arena::isolate([&] { return make(); }));
      m_value = std::make_shared<const T>(std::move(made));
    }
    return m_value;
  }
  /// Null before it was made.
  std::shared_ptr<const T> made() const {
    const std::lock_guard lock(m_mutex);
    return m_value;
  }

 private:
  mutable std::mutex m_mutex;
  mutable std::shared_ptr<const T> m_value;
};

}  // namespace heapscape::engine
