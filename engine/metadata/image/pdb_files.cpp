// SPDX-License-Identifier: MIT
#include "metadata/image/pdb_files.h"

#include "memory/files/regular_file.h"
#include "memory/packing/inflate.h"

namespace heapscape::engine {
namespace {

constexpr std::uint64_t kMostPdbBytes = 512ull << 20;

using Buffer = std::shared_ptr<std::byte[]>;

std::shared_ptr<const PortablePdb> parseMatching(Buffer bytes, std::size_t size, const PdbId& id) {
  const Bytes view(bytes.get(), size);
  const auto pdb = PortablePdb::parse(view, std::move(bytes));
  return pdb && (*pdb)->id() == id ? *pdb : nullptr;
}

// PE-COFF.md, "Embedded Portable PDB Debug Directory Entry".
std::shared_ptr<const PortablePdb> unpackEmbedded(Bytes bytes, const PdbId& id) {
  constexpr std::uint32_t kPortablePdbSignature = 0x4244504d;  // "MPDB"
  BoundedReader reader(bytes);
  const auto signature = reader.read<std::uint32_t>();
  const auto size = reader.read<std::uint32_t>();
  if (reader.failed() || signature != kPortablePdbSignature || size == 0 || size > kMostPdbBytes) return nullptr;
  Buffer unpacked = inflateBytes(bytes.subspan(reader.position()), size);
  return unpacked ? parseMatching(std::move(unpacked), size, id) : nullptr;
}

std::shared_ptr<const PortablePdb> readMatching(const std::filesystem::path& path, const PdbId& id) {
  const auto file = openRegularFile(path, {});
  if (!file || file->sizeBytes > kMostPdbBytes) return nullptr;
  auto bytes = std::make_shared_for_overwrite<std::byte[]>(file->sizeBytes);
  if (!tryReadFile(*file, 0, std::span(bytes.get(), file->sizeBytes))) return nullptr;
  return parseMatching(std::move(bytes), file->sizeBytes, id);
}

}  // namespace

std::shared_ptr<const PortablePdb> findPdb(const DebugDirectory& directory,
                                           std::span<const std::filesystem::path> candidates) {
  if (!directory.pdbId) return nullptr;
  if (auto inside = unpackEmbedded(directory.embeddedPdb, *directory.pdbId)) return inside;
  for (const std::filesystem::path& candidate : candidates) {
    if (auto beside = readMatching(candidate, *directory.pdbId)) return beside;
  }
  return nullptr;
}

std::string pdbFileName(const DebugDirectory& directory) {
  return directory.pdbPath.substr(directory.pdbPath.find_last_of("/\\") + 1);
}

}  // namespace heapscape::engine
