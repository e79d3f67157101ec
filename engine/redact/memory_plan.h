// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "base/address.h"
#include "base/enum_names.h"

namespace heapscape::engine {

/// What is left of a stretch of memory in a redacted copy. All else of it becomes zero.
enum class KeepRule : std::uint8_t {
  Bytes,      // all bytes as they are
  Structure,  // words that are addresses, or small numbers that are no text
  Variables,  // words that are no text
  Addresses,  // words that are addresses
  Stack,      // words of a thread's stack: addresses of code, stacks and structures, and the slots of roots
  Objects,    // of objects what the heap is made of: see redacted_objects.h
  Zeros,      // nothing; but the memory is there
};

/// Why something is left in a redacted copy.
enum class KeptKind : std::uint8_t {
  Objects,
  GcTables,
  HandleTables,
  LoaderHeaps,
  CodeMaps,
  RuntimeData,
  NativeStructures,
  Stacks,
  Metadata,
  Libraries,
  Kernel,
};
template <>
inline constexpr auto kEnumNames<KeptKind> =
    std::to_array<EnumName<KeptKind>>({{KeptKind::Objects, "objects"},
                                       {KeptKind::GcTables, "gcTables"},
                                       {KeptKind::HandleTables, "handleTables"},
                                       {KeptKind::LoaderHeaps, "loaderHeaps"},
                                       {KeptKind::CodeMaps, "codeMaps"},
                                       {KeptKind::RuntimeData, "runtimeData"},
                                       {KeptKind::NativeStructures, "nativeStructures"},
                                       {KeptKind::Stacks, "stacks"},
                                       {KeptKind::Metadata, "metadata"},
                                       {KeptKind::Libraries, "libraries"},
                                       {KeptKind::Kernel, "kernel"}});

/// Bytes of a copy by kind.
using KindCounts = std::array<std::uint64_t, membersOf<KeptKind>().size()>;

/// "addresses of frames and roots on stacks": what the bytes of a kind are, for people.
const char* meaningOf(KeptKind kind);

/// A stretch of memory that a copy has, and what of it.
struct KeptRange {
  AddressRange range;
  KeepRule rule = KeepRule::Bytes;
  KeptKind kind = KeptKind::RuntimeData;
};

/// Bytes that stand in for others, of the same length.
struct ReplacedBytes {
  Address address;
  std::vector<std::byte> bytes;
};

/// What of a process's memory a copy has. What was not entered is not in it.
class MemoryPlan {
 public:
  /// Of addresses that were entered before, the earlier entry stays.
  void keep(AddressRange range, KeepRule rule, KeptKind kind);
  /// These bytes become zero, whatever rule holds for them.
  void blank(AddressRange range);
  void replace(Address address, std::vector<std::byte> bytes);
  /// Orders what was entered; call once, before asking.
  void finish();

  /// Those that overlap `range`, by address. None overlaps another.
  std::span<const KeptRange> keptIn(AddressRange range) const;
  std::span<const AddressRange> blanksIn(AddressRange range) const;
  std::span<const ReplacedBytes> replacedIn(AddressRange range) const;
  const std::vector<KeptRange>& kept() const { return m_kept; }

 private:
  std::map<Address, KeptRange> m_byAddress;  // until finish()
  std::vector<KeptRange> m_kept;
  std::vector<AddressRange> m_blanks;
  std::vector<ReplacedBytes> m_replaced;
};

}  // namespace heapscape::engine
