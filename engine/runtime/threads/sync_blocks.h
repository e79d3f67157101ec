// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "base/finding.h"
#include "runtime/clr_runtime.h"

namespace heapscape::engine {

/// Data that the runtime keeps beside an object whose header is too small for it: its monitor, hash code and interop
/// data (src/coreclr/vm/syncblk.h).
struct SyncBlock {
  std::uint32_t index = 0;  // in the table; the object's header holds it
  Address address;
  Address object;
  bool isHeld = false;
  bool hasHolderEnded = false;        // a thread holds it that has ended; the runtime no longer tells its managed id
  std::uint32_t holderManagedId = 0;  // 0 if nobody holds it
  std::uint32_t holderOsId = 0;
  std::uint32_t recursion = 0;  // enters, so 1 if entered once
  std::uint32_t waiting = 0;    // threads that wait to enter
  std::uint32_t hashCode = 0;   // 0 for none
  Address interop;              // what COM and wrappers keep of it; 0 for nothing
  Address lock = {};            // the System.Threading.Lock that is its monitor (.NET 11); 0 for none
};

/// False of a program compiled ahead of time, which keeps the locks of objects in objects (System.Threading.SyncTable).
bool hasSyncBlocks(const ClrRuntime& runtime);

/// All entries of the table that belong to an object, by index. One that cannot be read is a finding.
std::vector<SyncBlock> readSyncBlocks(const ClrRuntime& runtime, FindingList& findings);

/// Number of entries that the table has ever used: those that belong to an object, and free ones. 0 if it cannot be
/// read.
std::uint32_t countSyncEntries(const ClrRuntime& runtime);

/// The entry that a header names. Fails with NotFound if the table does not reach so far or the entry is free, and with
/// NotInDump.
Result<SyncBlock> readSyncBlock(const ClrRuntime& runtime, std::uint32_t index);

}  // namespace heapscape::engine
