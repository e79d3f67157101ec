// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "stacks/gc_info/gc_info.h"
#include "support/builders/core_builder.h"

namespace heapscape::test {

/// Writes bits as GC info has them, least significant first.
class BitWriter {
 public:
  BitWriter& bits(std::uint64_t value, unsigned count);
  BitWriter& flag(bool value) { return bits(value, 1); }
  /// In groups of `base` bits, each with one more that says whether another follows.
  BitWriter& number(std::uint64_t value, unsigned base);
  BitWriter& signedNumber(std::int64_t value, unsigned base);
  BitWriter& alignToByte();
  BitWriter& append(const BitWriter& other);

  std::size_t size() const { return m_bits.size(); }
  FileBytes bytes() const;

 private:
  std::vector<bool> m_bits;
};

/// A method's GC info as a compiler would know it, to be written down for one version of .NET.
struct GcInfoSketch {
  unsigned runtime = 10;
  engine::Architecture architecture = engine::Architecture::X64;
  std::uint32_t codeLength = 100;
  bool isFat = true;
  std::uint32_t flags = 0;  // of the long form; without the frame's register
  bool hasFrameBase = true;
  std::uint32_t scratchSlots = 0;
  std::vector<std::uint32_t> safePoints = {};  // these and ranges in the units that the version has
  std::vector<engine::GcInfo::Range> interruptible = {};
  std::vector<engine::GcSlot> tracked = {};  // registers first
  std::vector<engine::GcSlot> untracked = {};
  /// For each safe point the numbers of its live slots.
  std::vector<std::vector<std::size_t>> liveAtSafePoints = {};
  /// Where a slot is live, by number; counted in bytes of interruptible ranges.
  struct Life {
    std::size_t slot = 0;
    std::uint32_t start = 0;
    std::uint32_t end = 0;
  };
  std::vector<Life> lives = {};
  bool isIndirect = false;  // states of safe points through a table
  bool hasRuns = false;     // states as lengths of runs

  FileBytes bytes() const;

 private:
  void writeHead(BitWriter& out) const;
  void writeSlots(BitWriter& out) const;
  void writeSafePointStates(BitWriter& out) const;
  void writeChunks(BitWriter& out) const;
  std::vector<bool> statesAt(std::uint32_t place) const;
};

engine::GcSlot registerSlot(engine::Register reg, bool isInterior = false, bool isPinned = false);
engine::GcSlot stackSlot(engine::GcSlotBase base, std::int32_t offset, bool isInterior = false, bool isPinned = false);

/// The rules of a version, from the contract that is shipped for it.
engine::GcInfoRules gcInfoRulesOf(unsigned runtime, engine::Architecture architecture = engine::Architecture::X64);

}  // namespace heapscape::test
