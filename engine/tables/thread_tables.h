// SPDX-License-Identifier: MIT
#pragma once

#include "session/threads/locks_query.h"
#include "session/threads/threads_query.h"
#include "tables/table.h"

namespace heapscape::engine {

/// What a thread is for, and whether it has ended: the first that holds.
enum class ThreadRole : std::uint8_t { Foreground, Background, ThreadPool, Finalizer, Gc, Dead };
/// "foreground", "background", "threadPool", "finalizer", "gc", "dead".
const char* toString(ThreadRole role);
ThreadRole roleOf(const ThreadRow& thread);

/// Whether a lock is in anybody's way.
enum class LockStanding : std::uint8_t { Contended, Held, Free };
/// "contended", "held", "free".
const char* toString(LockStanding standing);
LockStanding standingOf(const LockRow& lock);
/// How many times its owner has entered it; 0 for one that is free.
std::uint64_t entersOf(const LockRow& lock);

const TableOf<ThreadRow>& threadsTable();
const TableOf<LockRow>& locksTable();

}  // namespace heapscape::engine
