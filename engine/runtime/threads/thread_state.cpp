// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <array>

#include "runtime/threads/thread_details.h"

namespace heapscape::engine {
namespace {

/// Thread::ThreadState in src/coreclr/vm/threads.h, lowest bit first; the bits have had these meanings since before
/// .NET 8, and null for those that .NET 8 to 10 do not use.
constexpr std::array<const char*, 32> kBitNames{
    "abortRequested",
    "gcSuspendPending",
    "gcSuspendRedirected",
    "debugSuspendPending",
    "gcOnTransitions",
    "legalToJoin",
    "executingOnAltStack",
    "hijacked",
    nullptr,
    "background",
    "unstarted",
    "dead",
    "weOwn",
    "coInitialized",
    "inSta",
    "inMta",
    "reportDead",
    "fullyInitialized",
    "taskReset",
    "syncSuspended",
    "debugWillSync",
    "stackCrawlNeeded",
    nullptr,
    nullptr,
    "threadPoolWorker",
    "interruptible",
    "interrupted",
    "completionPortThread",
    "abortInitiated",
    "finalized",
    "failedToStart",
    "detached",
};

constexpr std::uint32_t kBackground = 0x200;
constexpr std::uint32_t kUnstarted = 0x400;
constexpr std::uint32_t kDead = 0x800;
constexpr std::uint32_t kThreadPool = 0x0100'0000 | 0x0800'0000;  // worker or completion port

}  // namespace

ThreadState decodeThreadState(std::uint32_t bits) {
  ThreadState state;
  for (std::size_t bit = 0; bit < kBitNames.size(); ++bit) {
    if ((bits >> bit & 1) == 0) continue;
    state.names.push_back(kBitNames[bit] ? kBitNames[bit] : fmt::format("bit{}", bit));
  }
  state.isStarted = (bits & kUnstarted) == 0;
  state.isDead = (bits & kDead) != 0;
  state.isBackground = (bits & kBackground) != 0;
  state.isThreadPool = (bits & kThreadPool) != 0;
  return state;
}

bool isAlive(const RuntimeThread& thread) {
  const ThreadState state = decodeThreadState(thread.state);
  return thread.osId != 0 && state.isStarted && !state.isDead;
}

}  // namespace heapscape::engine
