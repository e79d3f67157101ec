// SPDX-License-Identifier: MIT
#pragma once

#include "memory/elf/elf_core.h"
#include "runtime/runtime_readers.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// A finding if the runtime knows of living threads that the dump has no registers of, as where its notes are damaged,
/// and one if stacks are not in it: all that only they hold seems to be garbage.
void noteLostThreads(const RuntimeReaders& readers, const ElfCore& core, FindingList& findings);

/// Whether the dump has other ids of threads than the process itself, as where a container was dumped from its host:
/// their registers were found by their stacks (runtime/threads/thread_registers.h).
bool hasIdsOfOtherNamespace(const Snapshot& snapshot);

}  // namespace heapscape::engine
