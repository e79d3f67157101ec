// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <mutex>
#include <unordered_map>

#include "runtime/methods/code_lookup.h"
#include "stacks/debug_info/debug_info.h"
#include "stacks/unwinding/native_array.h"

namespace heapscape::engine {

/// Finds the debug info of methods: of jitted code beside it, of ReadyToRun code in its image. What was read is kept.
/// Safe from any thread.
class DebugInfoReader {
 public:
  explicit DebugInfoReader(const ClrRuntime& runtime)
      : m_runtime(runtime), m_rules(DebugInfoRules::of(runtime.contract())), m_readyToRun(runtime) {}

  /// Of the method that the code belongs to; null if there is none, or if the dump does not hold it.
  std::shared_ptr<const DebugInfo> of(const CodeLocation& code) const;

 private:
  std::shared_ptr<const DebugInfo> read(const CodeLocation& code) const;
  Address ofJitted(const CodeLocation& code) const;
  Address ofReadyToRun(const CodeLocation& code) const;
  /// What jitted code has in front until .NET 10: how a loop goes on in better code, and what was inlined.
  Address behindExtras(Address debugInfo) const;

  const ClrRuntime& m_runtime;
  DebugInfoRules m_rules;
  ReadyToRunCode m_readyToRun;
  mutable std::mutex m_mutex;
  mutable std::unordered_map<Address, std::shared_ptr<const DebugInfo>> m_known;  // by the start of the code
};

}  // namespace heapscape::engine
