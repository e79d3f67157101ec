// SPDX-License-Identifier: MIT
#include "layout/declared/assembly_source.h"

#include <fmt/format.h>

#include "metadata/image/assembly_file.h"

namespace heapscape::engine {

Result<AssemblySource> openAssembly(const std::filesystem::path& path) {
  HEAPSCAPE_TRY(AssemblyFile file, readAssemblyFile(path));
  const auto identity = file.metadata->assembly();
  if (!identity) {
    return failure(ErrorCode::NotFound, fmt::format("{} is a module without an assembly.", path.string()),
                   "Name the assembly that it belongs to.");
  }
  if (file.metadata->hasAssemblyAttribute("System.Runtime.CompilerServices.ReferenceAssemblyAttribute")) {
    return failure(
        ErrorCode::NotFound, fmt::format("{} is a reference assembly, which has no private fields.", path.string()),
        "Name the assembly that a program runs with; they are in the folder \"lib\" or \"bin\", not \"ref\".");
  }
  return AssemblySource{.name = std::string(identity->name),
                        .path = path,
                        .version = identity->version,
                        .metadata = std::move(file.metadata),
                        .isReadyToRun = file.readyToRun.isReadyToRun,
                        .versionBubble = std::move(file.readyToRun.manifestAssemblies),
                        .compositeImage = std::move(file.readyToRun.compositeImage)};
}

}  // namespace heapscape::engine
