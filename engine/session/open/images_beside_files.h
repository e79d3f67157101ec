// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "memory/elf/elf_core.h"
#include "memory/file_backed_memory.h"
#include "runtime/clr_runtime.h"

namespace heapscape::engine {

/// Images of loaded modules that lie in memory as their files do, and of which the dump's list of mapped files does not
/// tell: those inside a single-file program, which maps itself for them or unpacks them, and the composite image in it.
std::vector<LoadedImage> imagesBesideFiles(const ElfCore& core, const ClrRuntime& runtime);

}  // namespace heapscape::engine
