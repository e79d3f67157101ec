// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// A module whose names are unknown, because neither the dump nor a file that is proven to be the same has its
/// metadata.
struct MissingMetadata {
  Address module;
  std::string name;
  std::string path;                                // on the machine of the dump
  std::string version;                             // of the assembly, "10.0.0.0"; empty if the dump does not tell
  std::uint64_t fileBytes = 0;                     // of the file; 0 if the dump does not tell
  bool canBeProven = false;                        // the dump holds what tells its file from others
  std::vector<std::filesystem::path> otherBuilds;  // files of that name that were found, and are not the same
  std::vector<std::filesystem::path> unproven;     // files of that name of which the dump does not tell
};

/// In the order of the modules. From the stage Summary on.
std::vector<MissingMetadata> missingMetadata(const Snapshot& snapshot);
/// The same as sentences: what is missing, and what would help.
Missing describe(const MissingMetadata& missing);
/// Whether something missing is a description of missing metadata.
bool isMissingMetadata(const Missing& missing);

/// The file that a module's metadata was read from, and what proves it to be the same: "buildId", "headers",
/// "nativeCode", "mvid", "metadataShape".
struct MetadataFile {
  std::filesystem::path path;
  std::string proof;
};
/// Nothing if the metadata was read from the dump, or is missing.
std::optional<MetadataFile> metadataFileOf(const Snapshot& snapshot, const ModuleRow& module);

}  // namespace heapscape::engine
