// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "metadata/metadata.h"

namespace heapscape::engine {

/// One assembly's metadata and what of its image matters for layouts.
struct AssemblySource {
  std::string name;            // simple name, "System.Private.CoreLib"
  std::filesystem::path path;  // of its file; of the dump if it came out of one
  std::array<std::uint16_t, 4> version{};
  std::shared_ptr<const Metadata> metadata;
  bool isReadyToRun = false;
  std::vector<std::string> versionBubble =
      {};                           // names of assemblies that its native manifest says it was compiled with
  std::string compositeImage = {};  // of a ReadyToRun composite: file name of the image that has all their code
  std::uint64_t loadContext = 0;    // assemblies of one context mean each other where a name is there twice
};

/// Reads an assembly from its file. Fails as readAssemblyFile does, and with NotFound for a reference assembly, which
/// has no private fields.
Result<AssemblySource> openAssembly(const std::filesystem::path& path);

/// Finds assemblies that others reference.
class AssemblyFinder {
 public:
  virtual ~AssemblyFinder() = default;
  /// Fails with NotFound (where it was looked for), or with what is wrong with the file that was found.
  virtual Result<AssemblySource> find(std::string_view simpleName) = 0;
  /// Where it looks, for people.
  virtual std::vector<std::string> places() const { return {}; }
};

}  // namespace heapscape::engine
