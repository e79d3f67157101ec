// SPDX-License-Identifier: MIT
#pragma once

#include "base/enum_names.h"
#include "session/threads/locks_query.h"
#include "session/threads/threads_query.h"
#include "tables/table.h"

namespace heapscape::engine {

/// Use of a thread, and whether it has ended: the first that holds.
enum class ThreadRole : std::uint8_t { Foreground, Background, ThreadPool, Finalizer, Gc, Dead };
template <>
inline constexpr auto kEnumNames<ThreadRole> =
    std::to_array<EnumName<ThreadRole>>({{ThreadRole::Foreground, "foreground"},
                                         {ThreadRole::Background, "background"},
                                         {ThreadRole::ThreadPool, "threadPool"},
                                         {ThreadRole::Finalizer, "finalizer"},
                                         {ThreadRole::Gc, "gc"},
                                         {ThreadRole::Dead, "dead"}});
ThreadRole roleOf(const ThreadRow& thread);

/// Whether a lock is in anybody's way.
enum class LockStanding : std::uint8_t { Contended, Held, Free };
template <>
inline constexpr auto kEnumNames<LockStanding> = std::to_array<EnumName<LockStanding>>(
    {{LockStanding::Contended, "contended"}, {LockStanding::Held, "held"}, {LockStanding::Free, "free"}});
LockStanding standingOf(const LockRow& lock);
/// How many times its owner has entered it; 0 for one that is free.
std::uint64_t entersOf(const LockRow& lock);

const TableOf<ThreadRow>& threadsTable();
const TableOf<LockRow>& locksTable();

}  // namespace heapscape::engine
