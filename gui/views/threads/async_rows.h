// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "models/rows/row_list.h"
#include "session/async/async_query.h"

namespace heapscape::gui {

/// A group of equal chains as a list shows it.
struct AsyncRow {
  std::uint32_t group = 0;  // index
  std::uint64_t chains = 0;
  std::uint64_t calls = 0;  // of one chain
  std::string innermost;
  std::string outermost;  // that nobody waits for
  std::string waitsFor;   // empty while it runs
  engine::AsyncState state = engine::AsyncState::Suspended;
  bool isReachable = true;
  engine::Address object;  // of the first chain's innermost call
  std::optional<std::uint64_t> retainedBytes;
  bool isRetainedExact = true;
};

std::vector<AsyncRow> asyncRows(const engine::AsyncList& list);
RowSchema<AsyncRow> asyncSchema();

/// "waits for Task.Delay", "runs on thread 7".
QString asyncDoingText(const engine::AsyncList& list, const engine::AsyncChain& chain);

}  // namespace heapscape::gui
