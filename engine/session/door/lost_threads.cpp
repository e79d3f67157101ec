// SPDX-License-Identifier: MIT
#include "session/door/lost_threads.h"

#include <fmt/format.h>

#include <unordered_set>

#include "runtime/threads/thread_details.h"

namespace heapscape::engine {

void noteLostThreads(const RuntimeReaders& readers, const ElfCore& core, FindingList& findings) {
  std::unordered_set<std::uint32_t> noted;
  for (const CoreThread& thread : core.threads) noted.insert(thread.osId);
  std::size_t alive = 0;
  std::size_t lost = 0;
  FindingList known;  // the list of threads tells of its own damage where it is asked for
  for (const RuntimeThread& thread : readThreads(readers.runtime, known)) {
    if (!isAlive(thread)) continue;
    ++alive;
    lost += noted.contains(thread.osId) ? 0 : 1;
  }
  if (lost == 0) return;
  findings.add(FindingKind::MemoryMissing, {},
               fmt::format("The dump has no registers of {} of the {} threads that were running, so what their stacks "
                           "hold is not known.",
                           lost, alive));
}

}  // namespace heapscape::engine
