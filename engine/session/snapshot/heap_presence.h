// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
#include "heap/segment.h"
#include "memory/elf/elf_core.h"
#include "runtime/runtime_readers.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// Whether a dump has the managed heap.
enum class HeapPresence : std::uint8_t {
  There,
  LeftOut,   // the dump was made without it
  Cut,       // the file ends before it
  Unlisted,  // the GC's lists of segments are not there
};

/// No share of bytes decides, but what the program headers say that the dump was made with: a heap dump has whole
/// mappings, of the heap as of stacks, and of a cut one the headers still tell; a mini dump has pages of both, those
/// that something was read from (src/coreclr/debug/createdump/crashinfo.cpp).
HeapPresence heapPresenceOf(const RuntimeReaders& readers, const ElfCore& core, const std::vector<Segment>& segments);

/// Whether the GC's lists tell of segments of the heap; those of the frozen one are found apart.
bool listHeap(const std::vector<Segment>& segments);

/// False of a dump without the managed heap. Its snapshot stays at the stage Segments, however far it was to be opened:
/// threads, stacks, exceptions and modules can be told, and objects whose memory is there be looked at, but nothing can
/// be listed or counted.
bool hasHeap(const Snapshot& snapshot);

/// What an answer needs of the heap.
enum class HeapUse : std::uint8_t {
  Memory,      // objects with what they hold
  Graph,       // types, sizes, references and roots alone, which a recorded heap has as well
  Optional,    // none: the rest of the process tells what it can
  Any,         // of a recorded heap, and of a dump without one, it tells what it can
  Fields,      // as Memory, with the fields of types, which a program compiled ahead of time does not tell by itself
  Assemblies,  // as Optional, with what metadata tells of assemblies
};

/// Why a recorded heap does not tell what needs more than types, sizes, references and roots.
Error lackOfRecorded();

/// Why a program compiled ahead of time does not tell what needs the fields of types.
Error lackOfFields(const Snapshot& snapshot);
/// Why a program compiled ahead of time does not tell what needs assemblies and what they tell of their types.
Error lackOfAssemblies();

/// Why a snapshot does not have what an answer needs, if so. Of a dump without a heap from the stage Segments on.
std::optional<Error> lackOf(const Snapshot& snapshot, HeapUse use);

/// Why a snapshot has no heap, and what it can tell all the same: for whoever asked for what only a heap tells.
Error noHeapIn(const Snapshot& snapshot);

}  // namespace heapscape::engine
