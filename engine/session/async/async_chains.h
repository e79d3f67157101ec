// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <stop_token>

#include "session/async/async_graph.h"
#include "session/async/async_names.h"
#include "session/async/async_query.h"

namespace heapscape::engine {

/// Whether an object waits in a queue of the thread pool; nothing if these cannot be read.
using IsInPool = std::function<std::optional<bool>(Address)>;

/// Follows who waits for whom through the graph, from the outermost methods down, and makes a chain of every way. Ways
/// in a circle end where they come back. False if it was stopped.
bool addChains(const Contents& contents, const AsyncGraph& graph, AsyncNames& names, const IsInPool& isInPool,
               AsyncList& list, const std::stop_token& stop);

}  // namespace heapscape::engine
