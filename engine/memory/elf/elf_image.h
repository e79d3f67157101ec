// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "memory/address_space.h"

namespace heapscape::engine {

struct DynamicSymbol {
  Address address;  // in the process
  std::uint64_t sizeBytes = 0;
  Address entry;  // of the symbol itself, in the library's table; 0 if no symbol told of it
};

/// A function that a library exports.
struct ExportedFunction {
  Address address;  // in the process
  std::uint64_t sizeBytes = 0;
  std::uint32_t nameOffset = 0;  // among the library's names
};

/// A shared library as it is mapped in the dumped process, read from dump memory alone.
class ElfImage {
 public:
  /// Fails with NotInDump or Damaged. `base`: where the file's first byte is mapped (the load bias of a shared
  /// library).
  static Result<ElfImage> at(const AddressSpace& space, Address base);

  /// Lower-case hexadecimal; empty if the note is not in the dump.
  std::string buildId() const;
  /// Looks an exported name up through DT_GNU_HASH, as ld.so does. Bounded, whatever the tables say.
  Result<DynamicSymbol> findSymbol(std::string_view name) const;
  /// All functions that DT_GNU_HASH leads to, in no order; those whose symbols cannot be read are left out. Fails with
  /// NotInDump or Damaged.
  Result<std::vector<ExportedFunction>> exportedFunctions() const;
  /// A name of the library. Fails with NotInDump or Damaged.
  Result<std::string> nameAt(std::uint32_t nameOffset) const;
  Address base() const { return m_base; }
  Address bias() const { return m_bias; }
  /// From the file's first byte to the end of its last segment.
  AddressRange range() const { return {m_base, m_bias + m_spanBytes}; }
  /// Segments that are writable when the library is loaded, zeroed memory behind what the file has included.
  const std::vector<AddressRange>& data() const { return m_data; }
  /// .eh_frame_hdr; empty if the library has none.
  AddressRange unwindTable() const { return m_unwindTable; }

 private:
  ElfImage(const AddressSpace& space, Address base) : m_space(&space), m_base(base) {}

  struct NoteRange {
    AddressRange range;
    std::uint64_t alignment = 4;
  };
  struct DynamicTables {
    Address hash;  // DT_GNU_HASH
    Address symbols;
    Address strings;
  };

  Result<DynamicTables> dynamicTables() const;
  Result<std::uint32_t> symbolCount(Address hash) const;
  bool hasName(const DynamicTables& tables, std::uint32_t nameOffset, std::string_view name) const;

  const AddressSpace* m_space;
  Address m_base;
  Address m_bias;                 // added to the file's virtual addresses
  std::uint64_t m_spanBytes = 0;  // behind the last virtual address of the file
  std::vector<AddressRange> m_data;
  AddressRange m_dynamic;
  AddressRange m_unwindTable;
  std::vector<NoteRange> m_notes;
};

}  // namespace heapscape::engine
