// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <unordered_map>

#include "runtime/clr_runtime.h"

namespace heapscape::engine {

/// MVIDs of the loaded assemblies whose native code lies in a composite image, by where their own images begin, in the
/// form of Metadata::mvid. A composite image lists the MVIDs of what it was compiled from, and the runtime loads no
/// other build of them (NativeImage::CheckAssemblyMvid, src/coreclr/vm/nativeimage.cpp). Empty where the image can be
/// read neither from the dump nor from its file.
std::unordered_map<Address, std::string> componentMvids(const ClrRuntime& runtime);

}  // namespace heapscape::engine
