// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "base/address.h"

namespace heapscape::engine {

/// How many nodes come behind some nodes of chains, so that the end of a chain is walked once, whichever of its nodes
/// is asked for: each node of an F# list is a list itself. Safe from any thread.
class ChainLengths {
 public:
  struct Length {
    std::uint64_t nodes = 0;  // the one it is about among them; up to what is no node, if the chain is damaged
    bool isEndless = false;   // it leads into a circle
  };

  /// Whether this node is one of those that are kept: one of 64, wherever a walk begins.
  static bool isKept(Address node) { return node.value * 0x9E3779B97F4A7C15ull >> 58 == 0; }
  std::optional<Length> find(Address node) const;
  void keep(Address node, const Length& length);

 private:
  mutable std::mutex m_mutex;
  std::unordered_map<Address, Length> m_lengths;
};

}  // namespace heapscape::engine
