// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "metadata/image/pe_image.h"
#include "metadata/image/portable_pdb.h"

namespace heapscape::engine {

/// What an image says of its PDB (docs/design/specs/PE-COFF.md of dotnet/runtime).
struct DebugDirectory {
  std::optional<PdbId> pdbId;          // only of a portable PDB
  std::string pdbPath;                 // where the compiler wrote it
  std::vector<std::byte> embeddedPdb;  // as it lies in the image: packed, with its head; empty if there is none
  bool isWhole = true;                 // nothing of this was missing
};

/// Nothing where the image has no debug directory, or where it cannot be read. What is missing or damaged in one is
/// left out.
std::optional<DebugDirectory> readDebugDirectory(const PeReader& read, bool mapped);

}  // namespace heapscape::engine
