// SPDX-License-Identifier: MIT
#include "tables/thread_tables.h"

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
      flagColumn<Row>("alive", "Alive", "It has not ended.", &Row::isAlive),
      flagColumn<Row>("background", "Background", "It does not keep the process from ending.", &Row::isBackground),
      flagColumn<Row>("finalizer", "Finalizer", "It runs finalizers.", &Row::isFinalizer),
      flagColumn<Row>("gc", "GC", "It belongs to the garbage collector.", &Row::isGc),
      flagColumn<Row>("threadPool", "Thread pool", "It belongs to the thread pool.", &Row::isThreadPool),
      flagColumn<Row>("died", "Died", "The process died on it.", &Row::hasDied),
  };
}

std::vector<ColumnOf<ThreadRow>> threadColumns() {
  using Row = ThreadRow;
  std::vector<ColumnOf<Row>> columns{
      idColumn<Row>("managedId", "Id", "The runtime's number of it.", &Row::managedId).searched(),
      idColumn<Row>("osId", "OS id", "The operating system's number of it; none once it has ended.", &Row::osId)
          .searched()
          .hidingZero(),
      textColumn<Row>("name", "Name", "What the program calls it.", &Row::name).searched().contents(),
      wordsColumn<Row>("state", "State", "Names of its state's bits.", &Row::state).searched(),
  };
  for (ColumnOf<Row>& flag : threadFlags()) columns.push_back(std::move(flag));
  columns.insert(
      columns.end(),
      {
          rangeColumn<Row>("allocationContext", "Allocation context",
                           "What is left of the piece of the heap that it allocates from.",
                           [](const Row& r) { return rangeCell(r.allocationContext); }),
          addressColumn<Row>("exception", "Exception's object", "What it has thrown and is not done with.",
                             &Row::exception),
          typeColumn<Row>("exceptionType", "Exception", "Type of what it has thrown and is not done with.",
                          [](const Row& r) { return r.exception ? Cell(r.exceptionType) : Cell(); })
              .searched(),
          wordsColumn<Row>("exceptionsInFlight", "Exceptions in flight",
                           "Types of all that it has thrown and is not done with, the latest first: each was "
                           "thrown while the next one was handled.",
                           &Row::exceptionsInFlight)
              .searched()
              .between(" < "),
          countColumn<Row>("locks", "Locks", "Monitors that it holds.", &Row::locks).additive().hidingZero(),
          countColumn<Row>("otherLocks", "Other locks",
                           "Locks of System.Threading.Lock and ReaderWriterLockSlim that it holds, to read as "
                           "well.",
                           &Row::otherLocks)
              .hidingZero(),
          idColumn<Row>("waitsFor", "Waits for",
                        "Managed id of the thread that it waits for: which holds the lock, is joined, or runs "
                        "the task.",
                        &Row::waitsForManagedId)
              .hidingZero(),
          addressColumn<Row>("object", "Object", "Its System.Threading.Thread.", &Row::managedThread),
          addressColumn<Row>("address", "Thread", "Address of the runtime's Thread.", &Row::address).searched(),
          idColumn<Row>("stateBits", "State bits", "The bits of its state.", &Row::stateBits),
          rangeColumn<Row>("stack", "Stack", "Limits of its stack, as the runtime noted them.",
                           [](const Row& r) { return rangeCell(r.stack); }),
          bytesColumn<Row>("retained", "Retained", "What its stack and its statics hold, and nothing else does.",
                           &Row::retainedBytes)
              .inJsonAs("retainedBytes")
              .hidingZero(),
          textColumn<Row>("doing", "Doing", "What it was doing, or where it was, as its stack shows.", &Row::doing)
              .searched(),
          flagColumn<Row>("exactRoots", "Exact roots",
                          "All references of its stack are known; else words stand in for them.", &Row::hasExactRoots),
          choiceColumn<Row>("role", "Role", "What it is for, or that it has ended.", roleOf).searched().notInJson(),
          bytesColumn<Row>("toAllocate", "Allocation budget left",
                           "Bytes that are left of the piece of the heap that it allocates from.",
                           [](const Row& r) { return r.allocationContext.sizeBytes(); })
              .additive()
              .hidingZero()
              .notInJson(),
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
      choiceColumn<Row>("kind", "Kind",
                        "A monitor, kept in the object's header (thin) or in a sync block; or a lock of .NET that "
                        "keeps its own state.",
                        &Row::kind)
          .searched(),
      addressColumn<Row>("object", "Object", "What is locked.", &Row::object).searched(),
      objectTypeColumn<Row>(&Row::typeName),
      flagColumn<Row>("held", "Held", "A thread is inside.", &Row::isHeld),
      idColumn<Row>("ownerManagedId", "Held by", "Managed id of the thread that holds it.", &Row::ownerManagedId)
          .searched()
          .hidingZero(),
      idColumn<Row>("ownerOsId", "Held by OS id", "The operating system's number of the thread that holds it.",
                    &Row::ownerOsId)
          .hidingZero(),
      textColumn<Row>("ownerName", "Owner's name", "What the program calls the thread that holds it.", &Row::ownerName)
          .searched()
          .contents(),
      textColumn<Row>("ownerDoing", "Doing", "What the thread that holds it does, as its stack shows.",
                      &Row::ownerDoing)
          .searched(),
      flagColumn<Row>("ownerEnded", "Owner has ended",
                      "The thread that holds it has ended, so that nobody can enter it any more; its ids are shown as "
                      "far as they are known.",
                      &Row::hasOwnerEnded),
      wordsColumn<Row>("readers", "Readers",
                       "Managed ids of the threads that have entered a ReaderWriterLockSlim to read.",
                       ofReaderWriter(&Row::readers)),
      countColumn<Row>("readerCount", "Read by", "How many entries to read a ReaderWriterLockSlim counts.",
                       ofReaderWriter(&Row::readerCount))
          .hidingZero(),
      flagColumn<Row>("upgradeable", "Upgradeable",
                      "The owner of a ReaderWriterLockSlim reads, and may be the next to write.",
                      ofReaderWriter(&Row::isUpgradeable)),
      idColumn<Row>("recursion", "Recursion",
                    "As the runtime counts: of a thin lock and a Lock all entries but the first, of others "
                    "all.",
                    &Row::recursion)
          .hidingZero(),
      countColumn<Row>("waiting", "Waiting", "Threads that wait to enter.", &Row::waiting).additive().hidingZero(),
      wordsColumn<Row>("waitingThreads", "Who waits",
                       "Managed ids of those that wait, as far as the runtime or their stacks show them.",
                       &Row::waitingThreads),
      idColumn<Row>("syncBlockIndex", "Sync block", "Index of the sync block.", ofSyncBlock(&Row::syncBlockIndex)),
      addressColumn<Row>("syncBlock", "Sync block at", "Address of the sync block.", ofSyncBlock(&Row::syncBlock)),
      idColumn<Row>("hashCode", "Hash code", "What the sync block keeps as the object's hash code.",
                    ofSyncBlock(&Row::hashCode))
          .hidingZero(),
      flagColumn<Row>("interop", "Interop", "The sync block holds data of COM or of a wrapper.",
                      ofSyncBlock(&Row::hasInterop)),
      choiceColumn<Row>("standing", "Standing", "Whether threads wait for it, a thread is inside, or nobody holds it.",
                        standingOf)
          .searched()
          .notInJson(),
      countColumn<Row>("entered", "Entered", "How many times its owner has entered it.", entersOf)
          .hidingZero()
          .notInJson(),
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
