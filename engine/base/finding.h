// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "base/address.h"
#include "base/enum_names.h"

namespace heapscape::engine {

enum class FindingKind {
  DumpTruncated,        // the file ends before what its headers promise
  MemoryMissing,        // bytes of the heap or the runtime that the dump does not hold
  HeapDamaged,          // the walk met something that is no object
  GcInProgress,         // the dump was taken in the middle of a collection
  ContractNotVerified,  // read with offsets that were verified on another build of the runtime
  MetadataMissing,      // a module whose names and signatures are unknown
  RuntimeDataDamaged,   // a structure of the runtime that contradicts itself
  LayoutMismatch,       // fields that do not fit their object
  LayoutDiffers,        // a type that the runtime laid out otherwise than its rules give it
  ReferenceDamaged,     // a reference, on the heap or in a handle or static, that leads to no object
  SyncBlockMismatch,    // an object and a sync block that do not name each other
  FileChanged,          // others shortened or wrote to the dump, or a file behind it, while it was open
  NamesCut,             // names of types are longer together than is kept
};
template <>
inline constexpr auto kEnumNames<FindingKind> =
    std::to_array<EnumName<FindingKind>>({{FindingKind::DumpTruncated, "dumpTruncated"},
                                          {FindingKind::MemoryMissing, "memoryMissing"},
                                          {FindingKind::HeapDamaged, "heapDamaged"},
                                          {FindingKind::GcInProgress, "gcInProgress"},
                                          {FindingKind::ContractNotVerified, "contractNotVerified"},
                                          {FindingKind::MetadataMissing, "metadataMissing"},
                                          {FindingKind::RuntimeDataDamaged, "runtimeDataDamaged"},
                                          {FindingKind::LayoutMismatch, "layoutMismatch"},
                                          {FindingKind::LayoutDiffers, "layoutDiffers"},
                                          {FindingKind::ReferenceDamaged, "referenceDamaged"},
                                          {FindingKind::SyncBlockMismatch, "syncBlockMismatch"},
                                          {FindingKind::FileChanged, "fileChanged"},
                                          {FindingKind::NamesCut, "namesCut"}});

/// Something wrong with the dump itself that did not stop the rest: shown, never swallowed.
struct Finding {
  FindingKind kind;
  Address address;  // 0 where the finding is about the whole dump
  std::string message;
};

/// Collects findings up to a limit, and counts the rest, so that a hostile dump cannot fill memory with them.
class FindingList {
 public:
  void add(FindingKind kind, Address address, std::string message);
  void append(const FindingList& other);
  const std::vector<Finding>& items() const { return m_items; }
  std::size_t leftOut() const { return m_leftOut; }

 private:
  std::vector<Finding> m_items;
  std::size_t m_leftOut = 0;
};

}  // namespace heapscape::engine
