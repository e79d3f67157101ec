// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/clr_runtime.h"
#include "support/builders/core_builder.h"

namespace heapscape::test {

/// The GC's variables, its handle tables and their segments as bytes, which may be changed before they are read.
struct HandleTablesInMemory {
  static constexpr engine::Address kTables{0x10000};
  static constexpr std::uint64_t kTablesBytes = 0x480;
  /// From here to there a segment's header is looked at.
  static constexpr std::uint64_t kHeaderFrom = 0x600;
  static constexpr std::uint64_t kHeaderEnd = 0x800;
  static constexpr std::uint64_t kValues = 0x1000;

  /// At kTables: variables, generations, maps, buckets, tables.
  FileBytes tables;
  /// Each begins with the part of its header, which its values follow.
  std::vector<FileBytes> segments;

  /// Strong and dependent handles in two segments: one behind the other, or of a heap each.
  static HandleTablesInMemory healthy(unsigned version, bool isServer);

  static engine::Address segmentAddress(std::size_t index) { return kTables + 0x10000 * (index + 1); }
  /// The module whose hash table of constructed types is among the tables.
  static engine::Address moduleOf(const engine::ClrRuntime& runtime);
  engine::ClrRuntime runtime(unsigned version) const;
  /// Puts a value into the tables, at an offset from kTables, or into a segment, at an offset from its start.
  void putInTables(std::uint64_t offset, std::uint64_t value, std::size_t sizeBytes = 8);
  void putInSegment(std::size_t index, std::uint64_t offset, std::uint64_t value, std::size_t sizeBytes = 8);
};

}  // namespace heapscape::test
