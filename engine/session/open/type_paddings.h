// SPDX-License-Identifier: MIT
#pragma once

#include <tbb/task_group.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include "base/progress.h"
#include "layout/instance_padding.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {

/// Reads how much padding objects of each type hold, on the cores that nobody uses, while who asked names the types.
class TypePaddings {
 public:
  /// Begins. `contents`: after the walk, of a runtime that tells of fields.
  TypePaddings(const Contents& contents, std::stop_token stop);
  /// Gives up what is not done.
  ~TypePaddings();

  /// Waits for the rest, and notes all in the contents, whose types have their names by now. A type whose layout is not
  /// known becomes a finding. Cancelled if the stop was requested.
  Outcome<void> finish(Contents& contents, StageProgress& progress);

 private:
  void read();
  void readOne(InstancePaddings& reader, std::uint32_t type);

  const std::shared_ptr<const RuntimeReaders> m_runtimeReaders;
  const std::shared_ptr<const WalkedHeap> m_heap;
  const LayoutSources m_sources;
  const std::stop_token m_stop;
  std::shared_ptr<std::vector<PaddingPerInstance>> m_paddings;
  std::shared_ptr<std::vector<std::uint64_t>> m_bytes;
  std::atomic<bool> m_isGivenUp = false;
  std::mutex m_mutex;
  std::map<std::uint32_t, std::string> m_failures;  // by type; guarded by m_mutex
  tbb::task_group m_tasks;
};

}  // namespace heapscape::engine
