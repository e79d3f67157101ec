// SPDX-License-Identifier: MIT
#pragma once

#include "memory/address_space.h"
#include "memory/elf/elf_core.h"
#include "runtime/library/runtime_library.h"
#include "session/door/snapshot.h"

namespace heapscape::engine {

/// Who wrote a dump that has a heap, told by what only that writer does; Unknown where that
/// is gone.
DumpKind dumpKindOf(Bytes file, const AddressSpace& memory, const ElfCore& core, const RuntimeLibrary& library);

}  // namespace heapscape::engine
