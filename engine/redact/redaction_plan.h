// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/result.h"
#include "redact/memory_plan.h"
#include "redact/redact_options.h"
#include "redact/redacted_objects.h"
#include "redact/renamed_names.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// What a redacted copy of one dump has, byte by byte. Safe from any thread once it is made.
class RedactionPlan {
 public:
  /// Needs the stage Objects; the snapshot must outlive the plan.
  static Outcome<std::unique_ptr<const RedactionPlan>> of(const Snapshot& snapshot, const RedactOptions& options,
                                                          std::stop_token stop);

  /// Pages of which a copy has something, by address, neighbours as one.
  const std::vector<AddressRange>& pages() const { return m_pages; }
  /// Writes a range of pages as the copy has it, and counts what is left: bytes other than zero.
  void fill(AddressRange range, std::span<std::byte> target, KindCounts& kept) const;

  /// Whether a register of a thread says where it is or what it refers to, rather than what it computes with.
  bool keepsRegister(std::uint32_t osThread, std::uint64_t value) const;
  /// The path of a mapped file as the copy has it, of the same length: without what lies below a home, and without
  /// names of namespaces that are renamed.
  std::string hiddenPath(const std::string& path) const;
  const RedactOptions& options() const { return m_options; }

 private:
  RedactionPlan(const Snapshot& snapshot, const RedactOptions& options);

  Outcome<void> make(std::stop_token stop);
  void findMappings();
  /// Whether the dump has of the heap only what stacks need.
  bool isMini() const;
  void hideStrings(AddressRange range);
  void keepHeap();
  void keepCode();
  void keepLoaderHeaps();
  void keepSignature(Address methodDesc);
  void keepSyncBlocks();
  Outcome<void> keepStacks(std::stop_token stop);
  Outcome<void> keepNative(std::stop_token stop);
  Outcome<void> blankStatics(std::stop_token stop);
  void keepTexts();
  void findPages();
  void copyKept(const KeptRange& kept, AddressRange range, std::span<std::byte> target) const;
  void copyWords(const KeptRange& kept, AddressRange part, std::byte* target) const;
  bool staysOnStack(Address slot, std::uint64_t word) const;

  const Snapshot m_snapshot;
  const RedactOptions m_options;
  MappedAddresses m_mapped;                                                              // all of the process
  MappedAddresses m_outsideHeap;                                                         // less the objects
  std::vector<Address> m_rootSlots;                                                      // on stacks, sorted
  std::unordered_map<std::uint32_t, std::unordered_set<std::uint64_t>> m_rootRegisters;  // values by thread
  std::vector<Address> m_stackLimits;             // where the runtime notes them, sorted
  std::unordered_set<Address> m_registerObjects;  // that registers may refer to, where no frame tells
  std::vector<AddressRange> m_heapRanges;         // all that the GC has for objects
  std::vector<AddressRange> m_codeMaps;           // that may lie among native memory
  RenamedNames m_names;
  std::unordered_map<std::string, std::string> m_hiddenPaths;  // of mapped files
  MemoryPlan m_plan;
  std::unique_ptr<const RedactedObjects> m_objects;
  std::vector<AddressRange> m_pages;
};

}  // namespace heapscape::engine
