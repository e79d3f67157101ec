// SPDX-License-Identifier: MIT
#pragma once

#include "memory/file_backed_memory.h"
#include "runtime/clr_runtime.h"

namespace heapscape::engine {

/// Proves files of ReadyToRun images, of which a dump may hold nothing, by what the runtime noted about them on its
/// heap: the size of the image, the place and length of its table of functions, and where methods begin that it has
/// prepared to run. Tells nothing of other images.
FileBackedMemory::Proof readyToRunProof(RuntimeLibrary library, SelectedContract selected);

/// What no process changes of images with ReadyToRun code, wherever the compiler put it: where functions begin and how
/// their frames are unwound, which native code belongs to which IL, and what catches exceptions.
FileBackedMemory::ConstantParts readyToRunConstants(SelectedContract selected);

}  // namespace heapscape::engine
