// SPDX-License-Identifier: MIT
#include "runtime/runtime_library.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>

#include "memory/elf_library_file.h"

namespace heapscape::engine {
namespace {

constexpr std::string_view kLibraryName = "libcoreclr.so";
constexpr std::string_view kGlobalTableSymbol = "g_dacTable";
constexpr std::string_view kDescriptorSymbol = "DotNetRuntimeContractDescriptor";
constexpr std::uint64_t kMaximumDescriptorBytes = 1 << 20;
constexpr std::string_view kHowToDump =
    "Take one of a .NET 8, 9 or 10 process with `createdump --withheap PID` or `dotnet-dump collect --type Heap`.";

// ContractDescriptor, docs/design/datacontracts/contract-descriptor.md in dotnet/runtime.
struct DescriptorHeader {
  std::uint64_t magic;
  std::uint32_t flags;
  std::uint32_t jsonBytes;
  std::uint64_t json;
};
constexpr std::uint64_t kDescriptorMagic = 0x0043414443434e44;  // "DNCCDAC\0"

std::string_view fileNameOf(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

// ".../Microsoft.NETCore.App/10.0.12/libcoreclr.so" names the version in its folder.
std::string versionInPath(std::string_view path) {
  const std::size_t end = path.rfind('/');
  if (end == std::string_view::npos || end == 0) return {};
  const std::string_view folder = fileNameOf(path.substr(0, end));
  const bool looksLikeVersion = !folder.empty() && std::isdigit(static_cast<unsigned char>(folder.front())) &&
                                std::count(folder.begin(), folder.end(), '.') >= 2;
  return looksLikeVersion ? std::string(folder) : std::string();
}

Address loadBias(const ElfCore& core, std::string_view path) {
  Address lowest;
  for (const MappedFile& file : core.files) {
    if (file.path == path && (!lowest || file.range.start < lowest)) lowest = file.range.start;
  }
  return lowest;
}

// A deleted or replaced library keeps its name with a suffix.
std::string_view withoutDeletedMark(std::string_view path) {
  constexpr std::string_view kMark = " (deleted)";
  return path.ends_with(kMark) ? path.substr(0, path.size() - kMark.size()) : path;
}

tl::unexpected<Error> noRuntime(const ElfCore& core) {
  if (core.files.empty()) {
    return failure(
        ErrorCode::NoRuntime,
        "This core dump does not say which files the process had mapped, so no .NET runtime can be found in it.",
        std::string(kHowToDump));
  }
  for (const MappedFile& file : core.files) {
    if (fileNameOf(file.path).starts_with("libmonosgen")) {
      return failure(ErrorCode::NoRuntime,
                     "This is a core dump of a process on the Mono runtime; only CoreCLR is supported.",
                     std::string(kHowToDump));
    }
  }
  return failure(ErrorCode::NoRuntime,
                 fmt::format("This is a core dump of a process without .NET{}: it has no libcoreclr.so mapped.",
                             core.command.empty() ? "" : " (" + core.command + ")"),
                 std::string(kHowToDump));
}

tl::unexpected<Error> runtimeDataMissing(const ElfCore& core, const RuntimeLibrary& library) {
  const std::string version = library.pathVersion.empty() ? "" : " " + library.pathVersion;
  if (core.missingFileBytes > 0) {
    return failure(
        ErrorCode::Truncated,
        fmt::format(
            "This dump of a .NET{} process is cut: {:.1f}% of its bytes are missing, among them the runtime's own "
            "data, without which its heap cannot be read.",
            version,
            100.0 * static_cast<double>(core.missingFileBytes) /
                static_cast<double>(core.fileBytes + core.missingFileBytes)),
        "Copy the file again, or take a new dump.");
  }
  // The kernel leaves out what is in files; of a library it keeps the first page, which has the build-id.
  const std::string orFile =
      library.buildId.empty()
          ? std::string()
          : " Or put the libcoreclr.so of that process beside the dump (build-id " + library.buildId + ").";
  return failure(ErrorCode::NoRuntime, fmt::format("The data of the .NET{} runtime is not in this core dump.", version),
                 std::string(kHowToDump) + orFile);
}

}  // namespace

Result<RuntimeLibrary> findRuntimeLibrary(const AddressSpace& space, const ElfCore& core) {
  std::vector<std::string> candidates;
  for (const MappedFile& file : core.files) {
    if (fileNameOf(withoutDeletedMark(file.path)) == kLibraryName &&
        std::find(candidates.begin(), candidates.end(), file.path) == candidates.end()) {
      candidates.push_back(file.path);
    }
  }
  const bool hasLibrary = !candidates.empty();
  // A single-file program contains the runtime and exports its table itself.
  if (!hasLibrary) {
    for (const MappedFile& file : core.files) {
      if (file.fileOffset == 0 && !fileNameOf(file.path).starts_with("lib")) candidates.push_back(file.path);
    }
  }
  RuntimeLibrary library;
  for (const std::string& path : candidates) {
    library = {loadBias(core, path), std::string(withoutDeletedMark(path)), {}, versionInPath(path), {}};
    const auto image = ElfImage::at(space, library.base);
    if (!image) continue;
    library.buildId = image->buildId();
    const auto symbol = image->findSymbol(kGlobalTableSymbol);
    if (!symbol || !space.holds({symbol->address, symbol->address + symbol->sizeBytes})) continue;
    library.globalTable = *symbol;
    return library;
  }
  if (!hasLibrary) return noRuntime(core);
  return runtimeDataMissing(core, library);
}

std::optional<std::string> descriptorInDump(const AddressSpace& space, const RuntimeLibrary& library) {
  const auto image = ElfImage::at(space, library.base);
  if (!image) return std::nullopt;
  const auto symbol = image->findSymbol(kDescriptorSymbol);
  DescriptorHeader header{};
  if (!symbol || !space.tryRead(symbol->address, header)) return std::nullopt;
  if (header.magic != kDescriptorMagic || header.jsonBytes > kMaximumDescriptorBytes) return std::nullopt;
  // What is read from the file is not the dump's: descriptorOnDisk gives it.
  if (space.isFromFile({header.json})) return std::nullopt;
  std::string json(header.jsonBytes, '\0');
  if (!space.tryRead({header.json}, std::as_writable_bytes(std::span(json)))) return std::nullopt;
  return json;
}

std::optional<std::string> descriptorOnDisk(const RuntimeLibrary& library,
                                            std::span<const std::filesystem::path> folders) {
  if (library.buildId.empty()) return std::nullopt;
  std::vector<std::filesystem::path> places{library.path};
  for (const auto& folder : folders) places.push_back(folder / kLibraryName);
  for (const auto& place : places) {
    const auto file = ElfLibraryFile::openMatching(place, library.buildId);
    const auto symbol = file ? file->findSymbol(kDescriptorSymbol) : std::nullopt;
    DescriptorHeader header{};
    if (!symbol || !file->tryRead(*symbol, std::as_writable_bytes(std::span(&header, 1)))) continue;
    const auto json = file->relocatedPointer(*symbol + offsetof(DescriptorHeader, json));
    if (header.magic != kDescriptorMagic || header.jsonBytes > kMaximumDescriptorBytes || !json) continue;
    std::string text(header.jsonBytes, '\0');
    if (file->tryRead(*json, std::as_writable_bytes(std::span(text)))) return text;
  }
  return std::nullopt;
}

}  // namespace heapscape::engine
