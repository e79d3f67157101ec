// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.h"
#include "memory/elf/elf_core.h"
#include "runtime/library/runtime_library.h"

namespace heapscape::engine {

/// Whether the process had the other runtime of .NET.
bool isOnMono(const ElfCore& core);

/// Why no runtime was found in a dump: an error each, with what would help.

/// The process had none that is known.
Error noRuntime(const ElfCore& core);
/// The program was compiled ahead of time.
Error nativeAot(const ElfCore& core);
/// Neither the program's symbols nor its variables are there. `program`: the file that the process was started with.
Error programMissing(const ElfCore& core, const RuntimeLibrary& program);
/// The variables of the runtime are not in the dump.
Error runtimeDataMissing(const RuntimeLibrary& library);
/// Its symbols are not in the dump, and its table of globals was not found by its shape.
Error runtimeSymbolsMissing(const RuntimeLibrary& library);
/// The file of the dump ends too early.
Error runtimeCut(const ElfCore& core, const RuntimeLibrary& library);

}  // namespace heapscape::engine
