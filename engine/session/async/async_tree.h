// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "session/async/async_query.h"

namespace heapscape::engine {

/// A call that chains have in common, with all who wait for it.
struct AsyncTreeNode {
  static constexpr std::uint32_t kNone = 0xffffffff;

  std::uint32_t parent = kNone;  // index; each node is followed by all below it
  std::uint32_t depth = 0;       // 0 for all chains
  std::string name;              // empty for all chains
  bool isMethod = true;          // false: a task between methods, or what the innermost method waits for
  std::uint64_t chains = 0;
  std::vector<std::uint32_t> groups;  // in AsyncList::groups, ascending: of all that pass through it
};

/// Chains laid over each other from the call that nobody waits for, in to what is waited for. Most chains first; those
/// that only garbage leads to are left out.
std::vector<AsyncTreeNode> asyncTree(const AsyncList& list);

}  // namespace heapscape::engine
