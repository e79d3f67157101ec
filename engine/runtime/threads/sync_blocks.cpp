// SPDX-License-Identifier: MIT
#include "runtime/threads/sync_blocks.h"

#include <fmt/format.h>

#include <bit>

#include "base/limits.h"

namespace heapscape::engine {
namespace {

constexpr std::uint64_t kFreeEntryBit = 1;  // in the entry's object: the rest is the index of the next free entry
constexpr std::uint32_t kFirstIndex = 1;    // headers use 0 for "none"

struct SyncTable {
  Address entries;
  std::uint32_t end = 0;  // of the indices in use: [1, end)
};

Result<SyncTable> readTable(const ClrRuntime& runtime) {
  SyncTable table;
  HEAPSCAPE_TRY(table.entries, runtime.globalPointer("SyncTableEntries"));
  HEAPSCAPE_TRY(const Address cache, runtime.globalPointer("SyncBlockCache"));
  HEAPSCAPE_TRY(table.end, runtime.valueAt<std::uint32_t>(cache, "SyncBlockCache", "FreeSyncTableIndex"));
  HEAPSCAPE_TRY(const std::uint32_t size, runtime.valueAt<std::uint32_t>(cache, "SyncBlockCache", "SyncTableSize"));
  if (table.end > size || table.end > kLimits.syncBlocks) {
    return failure(ErrorCode::Damaged, fmt::format("The sync table claims to use {} of {} entries.", table.end, size));
  }
  return table;
}

// .NET 8 and 9 store the holder's Thread, later versions its managed id; of a thread that has ended a mark.
Result<void> readHolder(const ClrRuntime& runtime, SyncBlock& block) {
  const std::uint64_t ended = runtime.contract().constant("SyncBlock.HolderHasEnded");
  if (!runtime.contract().constant("SyncBlock.HoldingThreadIsPointer")) {
    HEAPSCAPE_TRY(const std::uint32_t id, runtime.valueAt<std::uint32_t>(block.address, "SyncBlock", "HoldingThread"));
    block.hasHolderEnded = id == ended;
    block.holderManagedId = block.hasHolderEnded ? 0 : id;
    return {};
  }
  HEAPSCAPE_TRY(const Address thread, runtime.pointerAt(block.address, "SyncBlock", "HoldingThread"));
  block.hasHolderEnded = thread.value == ended;
  if (!thread || block.hasHolderEnded) return {};
  HEAPSCAPE_TRY(block.holderManagedId, runtime.valueAt<std::uint32_t>(thread, "Thread", "Id"));
  return {};
}

// .NET 8 to 10: the monitor is the block's first members.
Result<void> readNativeMonitor(const ClrRuntime& runtime, SyncBlock& block) {
  const Contract& contract = runtime.contract();
  HEAPSCAPE_TRY(const std::uint32_t state, runtime.valueAt<std::uint32_t>(block.address, "SyncBlock", "LockState"));
  block.isHeld = (state & contract.constant("LockState.IsLocked")) != 0;
  block.waiting = static_cast<std::uint32_t>(state >> contract.constant("LockState.WaiterShift"));
  HEAPSCAPE_TRY(block.recursion, runtime.valueAt<std::uint32_t>(block.address, "SyncBlock", "Recursion"));
  if (!block.isHeld) return {};
  HEAPSCAPE_CHECK(readHolder(runtime, block));
  // 64 bits wide in the runtime, but Linux's thread ids are 32.
  HEAPSCAPE_TRY(block.holderOsId, runtime.valueAt<std::uint32_t>(block.address, "SyncBlock", "HoldingOSThreadId"));
  if (block.hasHolderEnded) block.holderOsId = 0;  // the same mark
  return {};
}

// Since .NET 11: a handle to a System.Threading.Lock. Before somebody waits the owner may stand in the block as it
// would in a header.
Result<void> readManagedMonitor(const ClrRuntime& runtime, SyncBlock& block) {
  const Contract& contract = runtime.contract();
  HEAPSCAPE_TRY(const Address handle, runtime.pointerAt(block.address, "SyncBlock", "Lock"));
  if (handle) {
    HEAPSCAPE_TRY(block.lock, runtime.memory().readPointer(handle));
  }
  if (!block.lock) {
    HEAPSCAPE_TRY(const std::uint32_t thin, runtime.valueAt<std::uint32_t>(block.address, "SyncBlock", "ThinLock"));
    block.holderManagedId = static_cast<std::uint32_t>(thin & contract.constant("ThinLock.ThreadIdMask"));
    block.isHeld = block.holderManagedId != 0;
    const std::uint64_t mask = contract.constant("ThinLock.RecursionMask");
    if (block.isHeld) block.recursion = static_cast<std::uint32_t>((thin & mask) >> std::countr_zero(mask)) + 1;
    return {};
  }
  HEAPSCAPE_TRY(const std::uint32_t state, runtime.valueAt<std::uint32_t>(block.lock, "ManagedLock", "State"));
  block.isHeld = (state & contract.constant("LockState.IsLocked")) != 0;
  block.waiting = static_cast<std::uint32_t>(state >> contract.constant("LockState.WaiterShift"));
  if (!block.isHeld) return {};
  HEAPSCAPE_TRY(block.holderManagedId, runtime.valueAt<std::uint32_t>(block.lock, "ManagedLock", "OwningThreadId"));
  HEAPSCAPE_TRY(const std::uint32_t again, runtime.valueAt<std::uint32_t>(block.lock, "ManagedLock", "RecursionCount"));
  block.recursion = again + 1;
  return {};
}

Result<SyncBlock> readEntry(const ClrRuntime& runtime, const SyncTable& table, std::uint32_t index) {
  const Contract& contract = runtime.contract();
  const Address entry = table.entries + index * contract.sizeOf("SyncTableEntry");
  SyncBlock block;
  block.index = index;
  HEAPSCAPE_TRY(block.object, runtime.pointerAt(entry, "SyncTableEntry", "Object"));
  HEAPSCAPE_TRY(block.address, runtime.pointerAt(entry, "SyncTableEntry", "SyncBlock"));
  if ((block.object.value & kFreeEntryBit) || !block.address)
    return failure(ErrorCode::NotFound, fmt::format("Entry {} of the sync table is free.", index));

  HEAPSCAPE_CHECK(contract.has("SyncBlock", "LockState") ? readNativeMonitor(runtime, block)
                                                         : readManagedMonitor(runtime, block));
  HEAPSCAPE_TRY(block.hashCode, runtime.valueAt<std::uint32_t>(block.address, "SyncBlock", "HashCode"));
  HEAPSCAPE_TRY(block.interop, runtime.pointerAt(block.address, "SyncBlock", "InteropInfo"));
  return block;
}

}  // namespace

bool hasSyncBlocks(const ClrRuntime& runtime) {
  return !runtime.aot();
}

std::vector<SyncBlock> readSyncBlocks(const ClrRuntime& runtime, FindingList& findings) {
  std::vector<SyncBlock> blocks;
  if (!hasSyncBlocks(runtime)) return blocks;
  const auto table = readTable(runtime);
  if (!table) {
    findings.add(FindingKind::RuntimeDataDamaged, {}, "The sync blocks cannot be read: " + table.error().what);
    return blocks;
  }
  for (std::uint32_t index = kFirstIndex; index < table->end; ++index) {
    auto block = readEntry(runtime, *table, index);
    if (block) {
      blocks.push_back(*block);
    } else if (block.error().code != ErrorCode::NotFound) {
      findings.add(FindingKind::RuntimeDataDamaged,
                   table->entries + index * runtime.contract().sizeOf("SyncTableEntry"),
                   fmt::format("Sync block {} cannot be read: {}", index, block.error().what));
    }
  }
  return blocks;
}

std::uint32_t countSyncEntries(const ClrRuntime& runtime) {
  const auto table = readTable(runtime);
  return table && table->end > kFirstIndex ? table->end - kFirstIndex : 0;
}

Result<SyncBlock> readSyncBlock(const ClrRuntime& runtime, std::uint32_t index) {
  HEAPSCAPE_TRY(const SyncTable table, readTable(runtime));
  if (index < kFirstIndex || index >= table.end) {
    return failure(ErrorCode::NotFound,
                   fmt::format("There is no sync block {}: the table ends at {}.", index, table.end));
  }
  return readEntry(runtime, table, index);
}

}  // namespace heapscape::engine
