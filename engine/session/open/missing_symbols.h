// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// A PDB that would tell in which lines the frames of an assembly are.
struct MissingSource {
  std::string pdb;       // "shop.pdb"
  std::string assembly;  // "shop.dll"
  bool isFramework = false;
  std::size_t frames = 0;                               // on the stacks
  std::vector<std::filesystem::path> otherBuilds = {};  // files of that name that were found, and have another id
};

/// The runtime's library, without whose unwind information stacks end where its code calls.
struct MissingLibrary {
  std::string path;                                     // on the machine of the dump
  std::string buildId;                                  // empty if the dump does not tell
  std::size_t cutStacks = 0;                            // that were not read to their end
  std::vector<std::filesystem::path> otherBuilds = {};  // files of that name that were found, and are not the same
};

/// What the stacks lack for the want of files.
struct MissingSymbols {
  std::vector<MissingSource> sources;  // the program's own first, then by number of frames
  std::optional<MissingLibrary> runtimeLibrary = {};
};

/// Reads the stacks. From the stage Objects on.
Outcome<MissingSymbols> missingSymbols(const Snapshot& snapshot, std::stop_token stop);

}  // namespace heapscape::engine
