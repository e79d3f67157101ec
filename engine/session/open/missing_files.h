// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "memory/elf/elf_core.h"
#include "memory/file_backed_memory.h"
#include "runtime/clr_runtime.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// Images of loaded modules that lie in memory as their files do, and of which the dump's list of mapped files does not
/// tell: those inside a single-file program, which maps itself for them or unpacks them, and the composite image in it.
std::vector<LoadedImage> imagesBesideFiles(const ElfCore& core, const ClrRuntime& runtime);

/// A module whose names are unknown, because neither the dump nor a file proven to be the same has its metadata.
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
/// Says what is missing, and what would help, in sentences.
Missing describe(const MissingMetadata& missing);
/// Whether something missing is a description of missing metadata.
bool isMissingMetadata(const Missing& missing);

/// The file of debugging information of a program that was compiled ahead of time, without which nothing tells of its
/// fields.
struct MissingDebugFile {
  std::string name;                                     // "shop.dbg"
  std::string program;                                  // on the machine of the dump
  std::string buildId;                                  // empty if the dump does not tell
  std::string problem;                                  // why one that was found is not used
  std::vector<std::filesystem::path> otherBuilds = {};  // files of that name that were found, and are not the program's
};

/// Returns nullopt for others, and where it is there.
std::optional<MissingDebugFile> missingDebugFile(const Snapshot& snapshot);
Missing describe(const MissingDebugFile& missing);

/// The file that a module's metadata was read from, and what proves it to be the same: "buildId", "headers",
/// "nativeCode", "mvid", "metadataShape".
struct MetadataFile {
  std::filesystem::path path;
  std::string proof;
};
/// Returns nullopt if the metadata was read from the dump, or is missing.
std::optional<MetadataFile> metadataFileOf(const Snapshot& snapshot, const ModuleRow& module);

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

/// Symbols that the stacks lack for the want of files.
struct MissingSymbols {
  std::vector<MissingSource> sources;  // the program's own first, then by number of frames
  std::optional<MissingLibrary> runtimeLibrary = {};
};

/// Reads the stacks. From the stage Objects on.
Outcome<MissingSymbols> missingSymbols(const Snapshot& snapshot, std::stop_token stop);

}  // namespace heapscape::engine
