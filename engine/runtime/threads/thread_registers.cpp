// SPDX-License-Identifier: MIT
#include "runtime/threads/thread_registers.h"

#include <elf.h>

#include <algorithm>
#include <vector>

#include "runtime/threads/threads.h"

namespace heapscape::engine {
namespace {

std::vector<RuntimeThread> allThreads(const ClrRuntime& runtime) {
  FindingList known;  // the list of threads tells of its own damage where it is asked for
  return readThreads(runtime, known);
}

/// Stacks of the threads that run, by address.
class StackPlaces {
 public:
  StackPlaces(const ClrRuntime& runtime, const ElfCore& core, std::span<const RuntimeThread> threads)
      : m_pid(core.pid) {
    for (const RuntimeThread& thread : threads) {
      const AddressRange limits = stackLimitsOf(runtime, thread);
      if (isAlive(thread) && !limits.isEmpty()) m_places.push_back({limits, thread.address});
    }
    std::ranges::sort(m_places, {}, [](const Place& place) { return place.limits.start; });
    // The kernel puts what it tells a program behind the stack of its first thread.
    for (const AuxiliaryEntry& entry : core.auxiliaryVector) {
      if (entry.type == AT_RANDOM) m_firstThread = at({entry.value});
    }
  }

  /// The thread whose stack the registers lead to; 0 if there is none. While a signal is handled the stack pointer may
  /// lie on another stack; the C library keeps a thread's own data, which its thread pointer leads to, at the top of
  /// its stack, but for the first thread, whose id is that of the process.
  Address threadOf(const CoreThread& core) const {
    if (const Address thread = at(core.stackPointer())) return thread;
    if (const Address thread = at(core.threadPointer())) return thread;
    return core.osId == m_pid ? m_firstThread : Address{};
  }

 private:
  struct Place {
    AddressRange limits;
    Address thread;
  };

  Address at(Address address) const {
    const auto next =
        std::ranges::upper_bound(m_places, address, {}, [](const Place& place) { return place.limits.start; });
    if (next == m_places.begin() || !std::prev(next)->limits.contains(address)) return {};
    return std::prev(next)->thread;
  }

  std::vector<Place> m_places;
  std::uint32_t m_pid;
  Address m_firstThread;
};

}  // namespace

ThreadRegisters::ThreadRegisters(const ClrRuntime& runtime, const ElfCore& core)
    : ThreadRegisters(runtime, core, allThreads(runtime)) {}

ThreadRegisters::ThreadRegisters(const ClrRuntime& runtime, const ElfCore& core,
                                 std::span<const RuntimeThread> threads) {
  std::unordered_map<std::uint32_t, Address> noted;
  for (const RuntimeThread& thread : threads) {
    if (thread.osId == 0) continue;
    if (isAlive(thread))
      noted.insert_or_assign(thread.osId, thread.address);
    else
      noted.try_emplace(thread.osId, thread.address);
  }
  const StackPlaces places(runtime, core, threads);
  const auto byId = [&](const CoreThread& thread) {
    const auto found = noted.find(thread.osId);
    return found == noted.end() ? Address{} : found->second;
  };
  // No thread uses another's stack, so where ids say so they are those of another namespace.
  std::size_t agreed = 0;
  std::size_t contradicted = 0;
  for (const CoreThread& thread : core.threads) {
    const Address place = places.threadOf(thread);
    if (place) ++(place == byId(thread) ? agreed : contradicted);
  }
  m_isByStacks = contradicted > agreed;
  if (!m_isByStacks) {
    for (const CoreThread& thread : core.threads) add(byId(thread), thread);
  }
  if (contradicted == 0) return;
  for (const CoreThread& thread : core.threads) add(places.threadOf(thread), thread);
}

void ThreadRegisters::add(Address thread, const CoreThread& core) {
  if (!thread || m_byThread.contains(thread) || !m_byId.try_emplace(core.osId, thread).second) return;
  m_byThread.emplace(thread, &core);
}

const CoreThread* ThreadRegisters::of(Address thread) const {
  const auto found = m_byThread.find(thread);
  return found == m_byThread.end() ? nullptr : found->second;
}

Address ThreadRegisters::threadOf(std::uint32_t osId) const {
  const auto found = m_byId.find(osId);
  return found == m_byId.end() ? Address{} : found->second;
}

}  // namespace heapscape::engine
