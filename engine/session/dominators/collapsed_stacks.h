// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "session/dominators/dominators_query.h"

namespace heapscape::engine {

/// A node's name as one frame of a collapsed stack: neither semicolons nor spaces nor line ends, and never empty. Of an
/// object with its address, so that each is a frame of its own.
std::string collapsedFrame(const DominatorShape& shape, bool isRedacted);

/// A picture of the dominator tree in the form that flame graph tools read: "all_roots;Statics;Shop.Order 4096".
/// Calls `visit` for each node with the frames down to it and its own bytes, which are all that no other node of the
/// picture retains; not for nodes that have none. They add up to what the top retains. Until it returns false.
/// Redaction leaves out the names that programs give threads.
using VisitStack = std::function<bool(std::string_view frames, std::uint64_t bytes)>;
void forEachCollapsedStack(std::span<const DominatorShape> shapes, bool isRedacted, const VisitStack& visit);

}  // namespace heapscape::engine
