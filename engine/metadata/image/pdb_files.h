// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <memory>
#include <span>

#include "metadata/image/debug_directory.h"

namespace heapscape::engine {

/// The portable PDB that an image names: the one inside it, else the first of the files that has the image's id. Null
/// if there is none. Files are read as a whole, so that they may be built anew at any time.
std::shared_ptr<const PortablePdb> findPdb(const DebugDirectory& directory,
                                           std::span<const std::filesystem::path> candidates);

/// The file name in the path that the compiler noted, which may be one of Windows; empty if it is none.
std::string pdbFileName(const DebugDirectory& directory);

}  // namespace heapscape::engine
