// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/bounded_reader.h"
#include "base/result.h"
#include "metadata/image/pe_image.h"

namespace heapscape::engine {

/// Id that an assembly and its PDB have in common: a GUID and a time stamp.
using PdbId = std::array<std::byte, 20>;

/// A place in a source file.
struct SourceLine {
  std::string file;  // as the compiler was given it
  std::uint32_t line = 0;

  bool operator==(const SourceLine&) const = default;
};

/// A portable PDB (docs/design/specs/PortablePdb-Metadata.md of dotnet/runtime), read in place: metadata with tables of
/// its own. Every read is bounded; what lies outside gives nothing. Safe from any thread.
class PortablePdb {
 public:
  /// Fails with Damaged. `owner` is kept alive with the PDB.
  static Result<std::shared_ptr<const PortablePdb>> parse(Bytes bytes, std::shared_ptr<const void> owner = {});
  ~PortablePdb();
  PortablePdb(const PortablePdb&) = delete;
  PortablePdb& operator=(const PortablePdb&) = delete;

  const PdbId& id() const;

  /// The statement that an IL offset of a method belongs to: the last one that begins at or before it. Code that the
  /// compiler hides from debuggers belongs to what is in front of it.
  std::optional<SourceLine> lineOf(std::uint32_t methodRow, std::uint32_t ilOffset) const;
  /// Name of the local variable in a slot, as it is in the source. A slot may serve several variables one after the
  /// other, so that without an IL offset only a slot of one name is told; empty if it cannot be told.
  std::string_view localName(std::uint32_t methodRow, std::uint32_t slot, std::optional<std::uint32_t> ilOffset) const;
  /// Whether the source has a name for what lies in a slot, in whatever part of the method.
  bool namesLocal(std::uint32_t methodRow, std::uint32_t slot) const;

 private:
  struct Parts;
  explicit PortablePdb(std::unique_ptr<const Parts> parts);
  std::string documentName(std::uint32_t row) const;
  template <class Visit>
  void forEachName(std::uint32_t methodRow, std::uint32_t slot, const Visit& visit) const;

  std::unique_ptr<const Parts> m_parts;
};

/// Facts of an image on its PDB (docs/design/specs/PE-COFF.md of dotnet/runtime).
struct DebugDirectory {
  std::optional<PdbId> pdbId;          // only of a portable PDB
  std::string pdbPath;                 // where the compiler wrote it
  std::vector<std::byte> embeddedPdb;  // as it lies in the image: packed, with its head; empty if there is none
  bool isWhole = true;                 // nothing of this was missing
};

/// Returns nullopt where the image has no readable debug directory. What is missing or damaged in one is left out.
std::optional<DebugDirectory> readDebugDirectory(const PeReader& read, bool mapped);

/// The portable PDB that an image names: the one inside it, else the first of the files that has the image's id. Null
/// if there is none. Files are read as a whole, so that they may be built anew at any time.
std::shared_ptr<const PortablePdb> findPdb(const DebugDirectory& directory,
                                           std::span<const std::filesystem::path> candidates);

/// The file name in the path that the compiler noted, which may be one of Windows; empty if it is none.
std::string pdbFileName(const DebugDirectory& directory);

}  // namespace heapscape::engine
