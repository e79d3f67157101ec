// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "heap/segment.h"
#include "memory/address_space.h"
#include "memory/elf/elf_core.h"
#include "runtime/library/runtime_library.h"
#include "runtime/runtime_readers.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

class Snapshot;
struct Contents;

/// How much of the heap was read as objects, "99.98%": rounded down, so that what is not whole never looks so.
std::string coverageText(const Snapshot& snapshot);
/// Writes a share, 0 to 1, as coverageText() does.
std::string coverageText(double share);

/// The processor and the C library of a runtime, as far as they are known, and whether it came about ahead of time:
/// "x64, musl", "x64, glibc, Native AOT".
std::string platformText(const RuntimeSummary& runtime);

/// The writer of a dump, by what only that writer does; Unknown where that is gone. A dump of createdump's without the
/// heap counts as Heap: see smallDumpKindOf().
DumpKind dumpKindOf(Bytes file, const AddressSpace& memory, const ElfCore& core, const RuntimeLibrary& library);

/// Mini or Triage, of a dump that createdump made without the heap. For both it has the DAC tell which memory to write;
/// only for a mini dump that lists the GC's own structures, its segments among them
/// (src/coreclr/debug/daccess/enummem.cpp; seen on .NET 8 to 10, with a workstation and a server GC, regions and
/// segments).
DumpKind smallDumpKindOf(const std::vector<Segment>& segments);

/// A finding if the runtime knows of living threads that the dump has no registers of, as where its notes are damaged,
/// and one if stacks are not in it: all that only they hold seems to be garbage.
void noteLostThreads(const RuntimeReaders& readers, const ElfCore& core, FindingList& findings);

/// Whether the dump has other ids of threads than the process itself, as where a container was dumped from its host:
/// their registers were found by their stacks (runtime/threads/thread_registers.h).
bool hasIdsOfOtherNamespace(const Snapshot& snapshot);

/// Makes the stage Summary once modules and the GC's state are read: the dump at `path`, its runtime, modules, what is
/// missing, and as findings what makes figures doubtful.
void summarise(Contents& contents, const std::filesystem::path& path);

}  // namespace heapscape::engine
