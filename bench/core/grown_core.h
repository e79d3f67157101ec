// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/template_heap.h"

namespace heapscape::bench {

/// A copy of the template's core file with further regions. Pages of zeros take no room on the disk.
class GrownCore {
 public:
  static constexpr std::uint64_t kRegionBytes = 4ull << 20;
  static constexpr std::uint64_t kLargeRegionBytes = 32ull << 20;

  GrownCore(const TemplateHeap& from, const std::string& path);
  ~GrownCore();
  GrownCore(const GrownCore&) = delete;
  GrownCore& operator=(const GrownCore&) = delete;

  /// Where the next region is to begin, behind all other memory of the process.
  std::uint64_t nextRegion() const { return m_nextRegion; }
  /// Adds the region at nextRegion() with this memory, of which the rest up to `reservedBytes` is not in use.
  void addRegion(std::span<const std::byte> used, std::uint64_t reservedBytes, bool isLarge);
  /// Changes what was there before, of the template or of an added region.
  template <class T>
  void patch(std::uint64_t address, T value) {
    patchBytes(address, std::as_bytes(std::span(&value, 1)));
  }
  /// Links the regions to the GC's lists (the youngest of ten are generation 0 or 1) and writes the program headers.
  void finish();

 private:
  struct Piece {  // of memory
    std::uint64_t address = 0, bytes = 0, fileOffset = 0;
  };
  struct Region {
    std::uint64_t start = 0, end = 0, reserved = 0;
    bool isLarge = false;
  };

  void patchBytes(std::uint64_t address, std::span<const std::byte> bytes);
  void copyTemplate();
  Piece append(std::uint64_t address, std::span<const std::byte> bytes);
  void write(std::uint64_t fileOffset, std::span<const std::byte> bytes) const;
  void link(std::size_t generation, std::span<const Region> regions, std::vector<std::byte>& records,
            std::uint64_t recordsAt);
  void writeHeaders() const;

  const TemplateHeap& m_from;
  int m_file;
  std::uint64_t m_fileBytes = 0;
  std::uint64_t m_nextRegion = 0;
  std::vector<Piece> m_old;  // by address
  std::vector<Piece> m_new;  // by address
  std::vector<Region> m_regions;
};

}  // namespace heapscape::bench
