// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "heap/segment.h"
#include "memory/address_space.h"
#include "memory/elf/elf_core.h"
#include "runtime/library/runtime_library.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// Who wrote a dump, told by what only that writer does; Unknown where that is gone. One of createdump's without the
/// heap is told as Heap: see smallDumpKindOf().
DumpKind dumpKindOf(Bytes file, const AddressSpace& memory, const ElfCore& core, const RuntimeLibrary& library);

/// Mini or Triage, of a dump that createdump made without the heap. For both it has the DAC tell which memory to write;
/// only for a mini dump that lists the GC's own structures, its segments among them
/// (src/coreclr/debug/daccess/enummem.cpp; seen on .NET 8 to 10, with a workstation and a server GC, regions and
/// segments).
DumpKind smallDumpKindOf(const std::vector<Segment>& segments);

}  // namespace heapscape::engine
