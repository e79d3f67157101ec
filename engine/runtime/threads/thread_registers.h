// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <unordered_map>

#include "memory/elf/elf_core.h"
#include "runtime/threads/threads.h"

namespace heapscape::engine {

/// Which registers of a dump belong to which of the runtime's threads. Ids of the operating system tell it, unless the
/// dump was taken from outside of the process's PID namespace, as of a container from its host: then the dump has the
/// host's ids, and the runtime those of the container. Where threads have their stacks is the same for both.
class ThreadRegisters {
 public:
  /// `core` outlives it.
  ThreadRegisters(const ClrRuntime& runtime, const ElfCore& core, std::span<const RuntimeThread> threads);
  /// Registers of all threads of the runtime.
  ThreadRegisters(const ClrRuntime& runtime, const ElfCore& core);

  /// Null where the dump has none of a thread.
  const CoreThread* of(Address thread) const;
  /// The runtime's thread to an id that the dump has; 0 for one that the runtime does not know.
  Address threadOf(std::uint32_t osId) const;
  /// Whether the dump has other ids than the runtime, so that stacks decided.
  bool isByStacks() const { return m_isByStacks; }

 private:
  void add(Address thread, const CoreThread& core);

  std::unordered_map<Address, const CoreThread*> m_byThread;
  std::unordered_map<std::uint32_t, Address> m_byId;
  bool m_isByStacks = false;
};

}  // namespace heapscape::engine
