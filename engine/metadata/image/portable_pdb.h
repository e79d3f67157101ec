// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/bounded_reader.h"
#include "base/result.h"

namespace heapscape::engine {

/// What an assembly and its PDB have in common: a GUID and a time stamp.
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
  /// The method that a state machine's MoveNext was made from; 0 if it is none.
  std::uint32_t kickoffMethodOf(std::uint32_t moveNextRow) const;

 private:
  struct Parts;
  explicit PortablePdb(std::unique_ptr<const Parts> parts);
  std::string documentName(std::uint32_t row) const;
  template <class Visit>
  void forEachName(std::uint32_t methodRow, std::uint32_t slot, const Visit& visit) const;

  std::unique_ptr<const Parts> m_parts;
};

}  // namespace heapscape::engine
