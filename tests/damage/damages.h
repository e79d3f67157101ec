// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "support/patched_core.h"

namespace heapscape::test {

enum class DamageKind : std::uint8_t { Header, Note, RuntimeBits, HeapBits, Pointer, Hole, Overlap, Cut };
inline constexpr std::array<DamageKind, 8> kDamageKinds{
    DamageKind::Header,  DamageKind::Note, DamageKind::RuntimeBits, DamageKind::HeapBits,
    DamageKind::Pointer, DamageKind::Hole, DamageKind::Overlap,     DamageKind::Cut};
/// "header", "note", "runtime bits", "heap bits", "pointer", "hole", "overlap", "cut".
const char* toString(DamageKind kind);

/// Damages a core file in pseudo-random ways, one at a time; PatchedCore::restore mends it.
class Damages {
 public:
  /// `heap`: where objects lie.
  Damages(PatchedCore& core, std::vector<engine::AddressRange> heap, std::uint64_t seed);

  /// Says what was done, for people: "bit 3 at 0x1000 in the file".
  std::string make(DamageKind kind);

 private:
  /// Bytes of the file.
  struct Range {
    std::uint64_t start = 0;
    std::uint64_t size = 0;
  };

  std::uint64_t next(std::uint64_t limit) { return limit ? m_random() % limit : 0; }
  std::uint64_t placeIn(const std::vector<Range>& ranges);
  std::string flipBit(const std::vector<Range>& ranges);
  std::string swapPointer();
  std::optional<std::uint64_t> pointerAt(std::uint64_t fileOffset) const;
  std::string changeLoad(bool isHole);
  std::string cut();

  PatchedCore& m_core;
  std::mt19937_64 m_random;
  std::vector<Range> m_headers;
  std::vector<Range> m_notes;
  std::vector<Range> m_runtime;  // writable memory that is not the heap's
  std::vector<Range> m_heap;
  std::vector<std::uint64_t> m_loads;  // file offsets of the program headers of PT_LOAD
};

}  // namespace heapscape::test
