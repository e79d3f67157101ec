// SPDX-License-Identifier: MIT
#include "tables/thread_tables.h"

#include <array>
#include "tables/common_columns.h"

namespace heapscape::engine {

namespace {

// An empty range is none.
Cell rangeCell(AddressRange range) {
  return range.start == range.end ? Cell(Cell::Unknown{}) : Cell(range);
}

std::vector<ColumnOf<ThreadRow>> threadFlags() {
  using Row = ThreadRow;
  return {
      column<Row>({.name = "alive", .title = "Alive", .meaning = "It has not ended.", .kind = ColumnKind::Flag},
                  &Row::isAlive),
      column<Row>({.name = "background",
                   .title = "Background",
                   .meaning = "It does not keep the process from ending.",
                   .kind = ColumnKind::Flag},
                  &Row::isBackground),
      column<Row>(
          {.name = "finalizer", .title = "Finalizer", .meaning = "It runs finalizers.", .kind = ColumnKind::Flag},
          &Row::isFinalizer),
      column<Row>(
          {.name = "gc", .title = "GC", .meaning = "It belongs to the garbage collector.", .kind = ColumnKind::Flag},
          &Row::isGc),
      column<Row>({.name = "threadPool",
                   .title = "Thread pool",
                   .meaning = "It belongs to the thread pool.",
                   .kind = ColumnKind::Flag},
                  &Row::isThreadPool),
      column<Row>({.name = "died", .title = "Died", .meaning = "The process died on it.", .kind = ColumnKind::Flag},
                  &Row::hasDied),
  };
}

std::vector<ColumnOf<ThreadRow>> threadColumns() {
  using Row = ThreadRow;
  std::vector<ColumnOf<Row>> columns{
      column<Row>({.name = "managedId",
                   .title = "Id",
                   .meaning = "The runtime's number of it.",
                   .kind = ColumnKind::Id,
                   .isSearched = true},
                  &Row::managedId),
      column<Row>({.name = "osId",
                   .title = "OS id",
                   .meaning = "The operating system's number of it; none once it has ended.",
                   .kind = ColumnKind::Id,
                   .isSearched = true,
                   .hidesZero = true},
                  &Row::osId),
      column<Row>({.name = "name",
                   .title = "Name",
                   .meaning = "What the program calls it.",
                   .isSearched = true,
                   .holdsContents = true},
                  &Row::name),
      column<Row>({.name = "state",
                   .title = "State",
                   .meaning = "Names of its state's bits.",
                   .kind = ColumnKind::Words,
                   .isSearched = true},
                  &Row::state),
  };
  for (ColumnOf<Row>& flag : threadFlags()) columns.push_back(std::move(flag));
  columns.insert(
      columns.end(),
      {
          column<Row>({.name = "allocationContext",
                       .title = "Allocation context",
                       .meaning = "What is left of the piece of the heap that it allocates from.",
                       .kind = ColumnKind::Range},
                      [](const Row& r) { return rangeCell(r.allocationContext); }),
          column<Row>({.name = "exception",
                       .title = "Exception's object",
                       .meaning = "What it has thrown and is not done with.",
                       .kind = ColumnKind::Address},
                      &Row::exception),
          column<Row>({.name = "exceptionType",
                       .title = "Exception",
                       .meaning = "Type of what it has thrown and is not done with.",
                       .kind = ColumnKind::TypeName,
                       .isSearched = true},
                      [](const Row& r) { return r.exception ? Cell(r.exceptionType) : Cell(); }),
          column<Row>({.name = "exceptionsInFlight",
                       .title = "Exceptions in flight",
                       .meaning = "Types of all that it has thrown and is not done with, the latest first: each was "
                                  "thrown while the next one was handled.",
                       .kind = ColumnKind::Words,
                       .isSearched = true,
                       .between = " < "},
                      &Row::exceptionsInFlight),
          column<Row>({.name = "locks",
                       .title = "Locks",
                       .meaning = "Monitors that it holds.",
                       .kind = ColumnKind::Count,
                       .isAdditive = true,
                       .hidesZero = true},
                      &Row::locks),
          column<Row>({.name = "otherLocks",
                       .title = "Other locks",
                       .meaning = "Locks of System.Threading.Lock and ReaderWriterLockSlim that it holds, to read as "
                                  "well.",
                       .kind = ColumnKind::Count,
                       .hidesZero = true},
                      &Row::otherLocks),
          column<Row>(
              {.name = "waitsFor",
               .title = "Waits for",
               .meaning = "Managed id of the thread that it waits for: which holds the lock, is joined, or runs "
                          "the task.",
               .kind = ColumnKind::Id,
               .hidesZero = true},
              &Row::waitsForManagedId),
          column<Row>({.name = "object",
                       .title = "Object",
                       .meaning = "Its System.Threading.Thread.",
                       .kind = ColumnKind::Address},
                      &Row::managedThread),
          column<Row>({.name = "address",
                       .title = "Thread",
                       .meaning = "Address of the runtime's Thread.",
                       .kind = ColumnKind::Address,
                       .isSearched = true},
                      &Row::address),
          column<Row>(
              {.name = "stateBits", .title = "State bits", .meaning = "The bits of its state.", .kind = ColumnKind::Id},
              &Row::stateBits),
          column<Row>({.name = "stack",
                       .title = "Stack",
                       .meaning = "Limits of its stack, as the runtime noted them.",
                       .kind = ColumnKind::Range},
                      [](const Row& r) { return rangeCell(r.stack); }),
          column<Row>({.name = "retained",
                       .title = "Retained",
                       .meaning = "What its stack and its statics hold, and nothing else does.",
                       .kind = ColumnKind::Bytes,
                       .jsonName = "retainedBytes",
                       .hidesZero = true},
                      &Row::retainedBytes),
          column<Row>({.name = "doing",
                       .title = "Doing",
                       .meaning = "What it was doing, or where it was, as its stack shows.",
                       .isSearched = true},
                      &Row::doing),
          column<Row>({.name = "exactRoots",
                       .title = "Exact roots",
                       .meaning = "All references of its stack are known; else words stand in for them.",
                       .kind = ColumnKind::Flag},
                      &Row::hasExactRoots),
          column<Row>({.name = "role",
                       .title = "Role",
                       .meaning = "What it is for, or that it has ended.",
                       .kind = ColumnKind::Choice,
                       .choices = namesOf<ThreadRole>(),
                       .isSearched = true,
                       .isInJson = false},
                      roleOf),
          column<Row>({.name = "toAllocate",
                       .title = "To allocate",
                       .meaning = "Bytes that are left of the piece of the heap that it allocates from.",
                       .kind = ColumnKind::Bytes,
                       .isAdditive = true,
                       .hidesZero = true,
                       .isInJson = false},
                      [](const Row& r) { return r.allocationContext.sizeBytes(); }),
      });
  return columns;
}

std::vector<ColumnOf<LockRow>> lockColumns() {
  using Row = LockRow;
  const auto ofSyncBlock = [](auto member) {
    return [member](const Row& r) { return r.kind == LockKind::SyncBlock ? Cell(r.*member) : Cell(); };
  };
  const auto ofReaderWriter = [](auto member) {
    return [member](const Row& r) { return r.kind == LockKind::ReaderWriterLock ? Cell(r.*member) : Cell(); };
  };
  return {
      column<Row>(
          {.name = "kind",
           .title = "Kind",
           .meaning = "A monitor, kept in the object's header (thin) or in a sync block; or a lock of .NET that "
                      "keeps its own state.",
           .kind = ColumnKind::Choice,
           .choices = namesOf<LockKind>(),
           .isSearched = true},
          &Row::kind),
      column<Row>({.name = "object",
                   .title = "Object",
                   .meaning = "What is locked.",
                   .kind = ColumnKind::Address,
                   .isSearched = true},
                  &Row::object),
      objectTypeColumn<Row>(&Row::typeName),
      column<Row>({.name = "held", .title = "Held", .meaning = "A thread is inside.", .kind = ColumnKind::Flag},
                  &Row::isHeld),
      column<Row>({.name = "ownerManagedId",
                   .title = "Held by",
                   .meaning = "Managed id of the thread that holds it.",
                   .kind = ColumnKind::Id,
                   .isSearched = true,
                   .hidesZero = true},
                  &Row::ownerManagedId),
      column<Row>({.name = "ownerOsId",
                   .title = "Held by OS id",
                   .meaning = "The operating system's number of the thread that holds it.",
                   .kind = ColumnKind::Id,
                   .hidesZero = true},
                  &Row::ownerOsId),
      column<Row>({.name = "ownerName",
                   .title = "Owner's name",
                   .meaning = "What the program calls the thread that holds it.",
                   .isSearched = true,
                   .holdsContents = true},
                  &Row::ownerName),
      column<Row>({.name = "ownerDoing",
                   .title = "Doing",
                   .meaning = "What the thread that holds it does, as its stack shows.",
                   .isSearched = true},
                  &Row::ownerDoing),
      column<Row>({.name = "ownerEnded",
                   .title = "Owner has ended",
                   .meaning = "The thread that holds it has ended, so that nobody can enter it any more; its ids are "
                              "shown as far as they are known.",
                   .kind = ColumnKind::Flag},
                  &Row::hasOwnerEnded),
      column<Row>({.name = "readers",
                   .title = "Readers",
                   .meaning = "Managed ids of the threads that have entered a ReaderWriterLockSlim to read.",
                   .kind = ColumnKind::Words},
                  ofReaderWriter(&Row::readers)),
      column<Row>({.name = "readerCount",
                   .title = "Read by",
                   .meaning = "How many entries to read a ReaderWriterLockSlim counts.",
                   .kind = ColumnKind::Count,
                   .hidesZero = true},
                  ofReaderWriter(&Row::readerCount)),
      column<Row>({.name = "upgradeable",
                   .title = "Upgradeable",
                   .meaning = "The owner of a ReaderWriterLockSlim reads, and may be the next to write.",
                   .kind = ColumnKind::Flag},
                  ofReaderWriter(&Row::isUpgradeable)),
      column<Row>({.name = "recursion",
                   .title = "Recursion",
                   .meaning = "As the runtime counts: of a thin lock and a Lock all entries but the first, of others "
                              "all.",
                   .kind = ColumnKind::Id,
                   .hidesZero = true},
                  &Row::recursion),
      column<Row>({.name = "waiting",
                   .title = "Waiting",
                   .meaning = "Threads that wait to enter.",
                   .kind = ColumnKind::Count,
                   .isAdditive = true,
                   .hidesZero = true},
                  &Row::waiting),
      column<Row>({.name = "waitingThreads",
                   .title = "Who waits",
                   .meaning = "Managed ids of those that wait, as far as the runtime or their stacks show them.",
                   .kind = ColumnKind::Words},
                  &Row::waitingThreads),
      column<Row>({.name = "syncBlockIndex",
                   .title = "Sync block",
                   .meaning = "Index of the sync block.",
                   .kind = ColumnKind::Id},
                  ofSyncBlock(&Row::syncBlockIndex)),
      column<Row>({.name = "syncBlock",
                   .title = "Sync block at",
                   .meaning = "Address of the sync block.",
                   .kind = ColumnKind::Address},
                  ofSyncBlock(&Row::syncBlock)),
      column<Row>({.name = "hashCode",
                   .title = "Hash code",
                   .meaning = "What the sync block keeps as the object's hash code.",
                   .kind = ColumnKind::Id,
                   .hidesZero = true},
                  ofSyncBlock(&Row::hashCode)),
      column<Row>({.name = "interop",
                   .title = "Interop",
                   .meaning = "The sync block holds data of COM or of a wrapper.",
                   .kind = ColumnKind::Flag},
                  ofSyncBlock(&Row::hasInterop)),
      column<Row>({.name = "standing",
                   .title = "Standing",
                   .meaning = "Whether threads wait for it, a thread is inside, or nobody holds it.",
                   .kind = ColumnKind::Choice,
                   .choices = namesOf<LockStanding>(),
                   .isSearched = true,
                   .isInJson = false},
                  standingOf),
      column<Row>({.name = "entered",
                   .title = "Entered",
                   .meaning = "How many times its owner has entered it.",
                   .kind = ColumnKind::Count,
                   .hidesZero = true,
                   .isInJson = false},
                  entersOf),
  };
}

}  // namespace

ThreadRole roleOf(const ThreadRow& thread) {
  if (!thread.isAlive) return ThreadRole::Dead;
  if (thread.isFinalizer) return ThreadRole::Finalizer;
  if (thread.isGc) return ThreadRole::Gc;
  if (thread.isThreadPool) return ThreadRole::ThreadPool;
  return thread.isBackground ? ThreadRole::Background : ThreadRole::Foreground;
}

LockStanding standingOf(const LockRow& lock) {
  if (lock.waiting > 0) return LockStanding::Contended;
  return lock.isHeld ? LockStanding::Held : LockStanding::Free;
}

std::uint64_t entersOf(const LockRow& lock) {
  if (!lock.isHeld) return 0;
  const bool countsFurther = lock.kind == LockKind::Thin || lock.kind == LockKind::Lock;
  return std::uint64_t{lock.recursion} + (countsFurther ? 1 : 0);
}

const TableOf<ThreadRow>& threadsTable() {
  static const TableOf<ThreadRow> table = TableOf<ThreadRow>{
      "threads",
      threadColumns(),
      {"managedId", "osId", "name", "role", "locks", "waitsFor", "retained", "doing", "exceptionType", "address",
       "state"}}.about("object");
  return table;
}

const TableOf<LockRow>& locksTable() {
  static const TableOf<LockRow> table = TableOf<LockRow>{
      "locks",
      lockColumns(),
      {"kind", "syncBlockIndex", "object", "ownerManagedId", "ownerName", "ownerDoing", "entered", "readers", "waiting",
       "waitingThreads", "hashCode",
       "type"}}.about("object");
  return table;
}

}  // namespace heapscape::engine
