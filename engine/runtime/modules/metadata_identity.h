// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <unordered_map>

#include "memory/file_backed_memory.h"
#include "runtime/clr_runtime.h"
#include "runtime/modules/noted_images.h"

namespace heapscape::engine {

/// MVIDs of the loaded assemblies whose native code lies in a composite image, by where their own images begin, in the
/// form of Metadata::mvid. A composite image lists the MVIDs of what it was compiled from, and the runtime loads no
/// other build of them (NativeImage::CheckAssemblyMvid, src/coreclr/vm/nativeimage.cpp). Empty where the image can be
/// read neither from the dump nor from its file.
std::unordered_map<Address, std::string> componentMvids(const ClrRuntime& runtime);

/// Proves files of ReadyToRun images, of which a dump may hold nothing, by what the runtime noted about them on its
/// heap: the size of the image, the place and length of its table of functions, and where methods begin that it has
/// prepared to run. Tells nothing of other images.
FileBackedMemory::Proof readyToRunProof(RuntimeLibrary library, SelectedContract selected);

/// Parts of images with ReadyToRun code that no process changes, wherever the compiler put it: where functions begin
/// and how their frames are unwound, which native code belongs to which IL, and what catches exceptions.
FileBackedMemory::ConstantParts readyToRunConstants(SelectedContract selected);

/// Proves files of assemblies, of whose images a dump may hold nothing, by what the runtime noted on its own heap when
/// it opened their metadata (MDInternalRO, src/coreclr/md): place and size of the metadata, which tell the size of all
/// IL before it, its streams and tables, and rows of each; the version of the assembly; and a hash of the name of every
/// type, which it keeps for assemblies without ReadyToRun code. The runtime does not note the MVID. Two builds that
/// agree in all of this have the same names but for members that were renamed with as many letters.
FileBackedMemory::Proof metadataShapeProof(RuntimeLibrary library, SelectedContract selected);

/// A proof for assemblies whose MVID is known from their composite image (`mvids`, by where an image begins), which
/// must be the file's. Tells nothing of others.
FileBackedMemory::Proof componentMvidProof(RuntimeLibrary library, SelectedContract selected,
                                           std::unordered_map<Address, std::string> mvids);

/// Whether the dump holds those notes of an image, so that its file can be told from others.
bool hasNotedMetadata(const ClrRuntime& runtime, const NotedImage& image);
/// The version that the binder noted, "10.0.0.0"; empty if it cannot be read.
std::string notedVersion(const ClrRuntime& runtime, const NotedImage& image);

}  // namespace heapscape::engine
