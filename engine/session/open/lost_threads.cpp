// SPDX-License-Identifier: MIT
#include "session/open/lost_threads.h"

#include <fmt/format.h>

#include <algorithm>

#include "memory/address_space.h"
#include "runtime/threads/thread_registers.h"
#include "runtime/threads/threads.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {

namespace {

void noteLostStacks(const AddressSpace& memory, const ElfCore& core, FindingList& findings) {
  const auto lost = std::ranges::count_if(core.threads, [&](const CoreThread& thread) {
    std::uint64_t top = 0;
    return !memory.tryRead(thread.stackPointer(), top);
  });
  if (lost == 0) return;
  findings.add(FindingKind::MemoryMissing, {},
               fmt::format("The dump has no stack of {} of the {} threads, so what they hold is not known.", lost,
                           core.threads.size()));
}

}  // namespace

void noteLostThreads(const RuntimeReaders& readers, const ElfCore& core, FindingList& findings) {
  noteLostStacks(readers.runtime.memory(), core, findings);
  FindingList known;  // the list of threads tells of its own damage where it is asked for
  const std::vector<RuntimeThread> threads = readThreads(readers.runtime, known);
  const ThreadRegisters registers(readers.runtime, core, threads);
  std::size_t alive = 0;
  std::size_t lost = 0;
  for (const RuntimeThread& thread : threads) {
    if (!isAlive(thread)) continue;
    ++alive;
    lost += registers.of(thread.address) ? 0 : 1;
  }
  if (lost == 0) return;
  findings.add(FindingKind::MemoryMissing, {},
               fmt::format("The dump has no registers of {} of the {} threads that were running, so what their stacks "
                           "hold is not known.",
                           lost, alive));
}

bool hasIdsOfOtherNamespace(const Snapshot& snapshot) {
  const Contents& contents = snapshot.contents();
  return contents.readers && ThreadRegisters(contents.readers->runtime, *contents.core).isByStacks();
}

}  // namespace heapscape::engine
