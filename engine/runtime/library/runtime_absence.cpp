// SPDX-License-Identifier: MIT
#include "runtime/library/runtime_absence.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "memory/files/recorded_path.h"

namespace heapscape::engine {
namespace {

constexpr std::string_view kHowToDump =
    "Take one of a .NET 8, 9 or 10 process with `createdump --withheap PID` or `dotnet-dump collect --type Heap`.";
constexpr std::string_view kHowToDumpData =
    "Take another with `createdump --withheap PID`, `dotnet-dump collect --type Heap` or gcore.";

std::string commandOf(const ElfCore& core) {
  return core.command.empty() ? std::string() : " (" + core.command + ")";
}

std::string versionOf(const RuntimeLibrary& library) {
  return library.version().empty() ? std::string() : " " + library.version();
}

std::string fileThatHelps(const RuntimeLibrary& library) {
  if (library.buildId.empty()) return std::string(kHowToDumpData);
  return fmt::format(
      "Put the {} of that process beside the dump, or name its folder with --search; its build-id is {}.",
      fileNameOf(library.path), library.buildId);
}

}  // namespace

bool isOnMono(const ElfCore& core) {
  return std::ranges::any_of(core.files,
                             [](const MappedFile& file) { return fileNameOf(file.path).starts_with("libmonosgen"); });
}

Error noRuntime(const ElfCore& core) {
  if (core.files.empty()) {
    return {ErrorCode::NoRuntime,
            "This core dump does not say which files the process had mapped, so no .NET runtime can be found in it.",
            std::string(kHowToDump)};
  }
  if (isOnMono(core)) {
    return {ErrorCode::NoRuntime, "This is a core dump of a process on the Mono runtime; only CoreCLR is supported.",
            std::string(kHowToDump)};
  }
  return {
      ErrorCode::NoRuntime,
      fmt::format("This is a core dump of a process without .NET{}: it has no libcoreclr.so mapped, and its program "
                  "contains no runtime.",
                  commandOf(core)),
      std::string(kHowToDump)};
}

Error nativeAot(const ElfCore& core) {
  return {ErrorCode::NoRuntime,
          fmt::format("This is a core dump of a Native AOT program{}: .NET that was compiled ahead of time, which this "
                      "program cannot read.",
                      commandOf(core)),
          "Run the program on the .NET runtime instead, without PublishAot, and take a dump of that."};
}

Error programMissing(const ElfCore& core, const RuntimeLibrary& program) {
  return {ErrorCode::NoRuntime,
          fmt::format("No libcoreclr.so is mapped in this core dump{}, and neither the symbols nor the data of its "
                      "program are in it, so it cannot be told whether that contains .NET.",
                      commandOf(core)),
          fileThatHelps(program)};
}

Error runtimeDataMissing(const RuntimeLibrary& library) {
  return {ErrorCode::NoRuntime,
          fmt::format("The data of the .NET{} runtime is not in this core dump.", versionOf(library)),
          std::string(kHowToDumpData)};
}

Error runtimeSymbolsMissing(const RuntimeLibrary& library) {
  return {ErrorCode::NoRuntime,
          fmt::format("The pages of the .NET{} runtime that name its data are missing in this dump, and the data was "
                      "not found by its shape.",
                      versionOf(library)),
          fileThatHelps(library)};
}

Error runtimeCut(const ElfCore& core, const RuntimeLibrary& library) {
  const auto missing = static_cast<double>(core.missingFileBytes);
  return {ErrorCode::Truncated,
          fmt::format(
              "This dump of a .NET{} process is cut: {:.1f}% of its bytes are missing, among them the runtime's own "
              "data, without which its heap cannot be read.",
              versionOf(library), 100.0 * missing / (static_cast<double>(core.fileBytes) + missing)),
          "Copy the file again, or take a new dump."};
}

}  // namespace heapscape::engine
