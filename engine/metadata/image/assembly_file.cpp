// SPDX-License-Identifier: MIT
#include "metadata/image/assembly_file.h"

#include <fmt/format.h>
#include <array>

#include "base/limits.h"
#include "memory/files/regular_file.h"
#include "metadata/il/il_body.h"

namespace heapscape::engine {
namespace {

constexpr const char* kNameAnAssembly = "Name a .dll or .exe that a .NET compiler made.";
const RegularFileHelp kAssemblyHelp{.notAFile = kNameAnAssembly,
                                    .notReadable = "Change the owner or the permissions of the file, or of its folder.",
                                    .empty = "The assembly was probably not written: build it again."};

// Kind of something that is no PE image, by its first bytes; empty for a PE image.
std::string kindOf(const RegularFile& source) {
  std::array<std::byte, 4> start{};
  if (!tryReadFile(source, 0, start)) return "too short for an assembly";
  const std::string_view text(reinterpret_cast<const char*>(start.data()), start.size());
  if (text.starts_with("MZ")) return {};
  if (text ==
      "\x7f"
      "ELF") {
    return "an ELF file (a library or program of Linux, or a core dump), not an assembly";
  }
  if (text == "BSJB") return "bare metadata or a portable PDB, not an assembly";
  if (text == "\x28\xb5\x2f\xfd") return "a compressed file (zstd), not an assembly";
  return "not an assembly: it does not begin like a PE image";
}

Error inFile(const std::filesystem::path& path, Error error) {
  if (error.code == ErrorCode::NotFound) {
    return {ErrorCode::NotFound, fmt::format("{} is a native image: there is no .NET metadata in it.", path.string()),
            kNameAnAssembly};
  }
  if (error.code == ErrorCode::NotInDump) error = {ErrorCode::Damaged, "The file ends before its headers do."};
  error.what = fmt::format("{} cannot be read as an assembly. {}", path.string(), error.what);
  return error;
}

Result<std::shared_ptr<const Metadata>> readMetadata(const RegularFile& source, const PeMetadataLocation& location) {
  if (location.offset > source.sizeBytes || source.sizeBytes - location.offset < location.sizeBytes) {
    return failure(ErrorCode::Damaged, "The file ends before its metadata does.", "Copy or build it again.");
  }
  auto bytes = std::make_shared_for_overwrite<std::byte[]>(location.sizeBytes);
  const std::span<std::byte> view(bytes.get(), location.sizeBytes);
  if (!tryReadFile(source, location.offset, view)) {
    return failure(ErrorCode::FileUnreadable, "Its metadata cannot be read from the disk.");
  }
  return Metadata::parse(view, std::move(bytes));
}

}  // namespace

Result<AssemblyFile> readAssemblyFile(const std::filesystem::path& path) {
  HEAPSCAPE_TRY(const RegularFile source, openRegularFile(path, kAssemblyHelp));
  if (const std::string kind = kindOf(source); !kind.empty()) {
    return failure(ErrorCode::NotFound, fmt::format("{} is {}.", path.string(), kind), kNameAnAssembly);
  }
  const PeReader read = [&source](std::uint64_t offset, std::span<std::byte> target) {
    return tryReadFile(source, offset, target);
  };
  const auto location = locateMetadata(read, false);
  if (!location) return tl::unexpected<Error>(inFile(path, location.error()));
  auto metadata = readMetadata(source, *location);
  if (!metadata) return tl::unexpected<Error>(inFile(path, metadata.error()));
  return AssemblyFile{
      .path = path, .metadata = std::move(*metadata), .readyToRun = readReadyToRunHeader(read, false, *location)};
}

std::optional<PeReader> openAssembly(const std::filesystem::path& path, const std::string& mvid) {
  auto opened = openRegularFile(path, kAssemblyHelp);
  if (!opened || !kindOf(*opened).empty()) return std::nullopt;
  const auto source = std::make_shared<const RegularFile>(std::move(*opened));
  PeReader read = [source](std::uint64_t offset, std::span<std::byte> target) {
    return tryReadFile(*source, offset, target);
  };
  const auto location = locateMetadata(read, false);
  const auto metadata = location ? readMetadata(*source, *location) : tl::unexpected<Error>(location.error());
  return metadata && (*metadata)->mvid() == mvid ? std::optional(std::move(read)) : std::nullopt;
}

Result<Token> localSignatureOf(const PeReader& read, bool mapped, std::uint32_t rva) {
  HEAPSCAPE_TRY(const std::uint64_t body, locateRva(read, mapped, rva));
  const auto head = readIlHead(read, body);
  if (head) return head->localSignature;
  if (head.error().code != ErrorCode::NotInDump) return tl::unexpected<Error>(head.error());
  return failure(ErrorCode::NotInDump,
                 "The method's IL, which says what types its locals have, is neither in the dump nor on this disk.");
}

}  // namespace heapscape::engine
