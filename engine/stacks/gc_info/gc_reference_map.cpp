// SPDX-License-Identifier: MIT
#include "stacks/gc_info/gc_reference_map.h"

#include "stacks/ready_to_run_sections.h"

namespace heapscape::engine {
namespace {

constexpr unsigned kBitsPerByte = 7;  // the eighth says that another byte follows
constexpr std::uint8_t kMoreBytes = 0x80;
constexpr std::uint32_t kMaximumPosition = 1u << 20;
constexpr std::size_t kMaximumMapBytes = 64 * 1024;
constexpr std::size_t kMaximumImportSections = 4096;

class MapBits {
 public:
  explicit MapBits(Bytes map) : m_map(map) {}

  /// Nothing but zeros are left in the last byte.
  bool atEnd() const {
    const std::size_t byte = m_position / kBitsPerByte;
    if (byte >= m_map.size()) return true;
    return byte + 1 == m_map.size() && byteAt(byte) >> (m_position % kBitsPerByte) == 0;
  }

  std::uint32_t read(unsigned bits) {
    std::uint32_t value = 0;
    for (unsigned i = 0; i < bits; ++i, ++m_position) {
      const std::size_t byte = m_position / kBitsPerByte;
      if (byte < m_map.size()) value |= (byteAt(byte) >> (m_position % kBitsPerByte) & 1u) << i;
    }
    return value;
  }

  /// Groups of three bits, each followed by one that says whether another follows.
  std::optional<std::uint32_t> readNumber() {
    std::uint32_t value = 0;
    for (unsigned shift = 0; shift < 30; shift += 3) {
      value |= read(3) << shift;
      if (read(1) == 0) return value;
    }
    return std::nullopt;
  }

 private:
  std::uint32_t byteAt(std::size_t index) const { return static_cast<std::uint8_t>(m_map[index]) & (kMoreBytes - 1u); }

  Bytes m_map;
  std::size_t m_position = 0;
};

struct ImportSection {
  AddressRange cells;
  std::uint64_t cellBytes = 0;
  Address maps;  // 0 if there are none
};

Result<ImportSection> readImportSection(const ClrRuntime& runtime, Address section, Address imageBase) {
  HEAPSCAPE_TRY(const auto offset,
                runtime.valueAt<std::uint32_t>(section, "ReadyToRunImportSection", "VirtualAddress"));
  HEAPSCAPE_TRY(const auto size, runtime.valueAt<std::uint32_t>(section, "ReadyToRunImportSection", "Size"));
  HEAPSCAPE_TRY(const auto cellBytes, runtime.valueAt<std::uint8_t>(section, "ReadyToRunImportSection", "EntrySize"));
  HEAPSCAPE_TRY(const auto maps, runtime.valueAt<std::uint32_t>(section, "ReadyToRunImportSection", "AuxiliaryData"));
  const Address start = imageBase + offset;
  return ImportSection{{start, start + size}, cellBytes, maps == 0 ? Address{} : imageBase + maps};
}

Result<ImportSection> findImportSection(const ClrRuntime& runtime, Address module, Address cell) {
  const auto image = readReadyToRunSections(runtime, module);
  if (!image) return failure(ErrorCode::NotInDump, "The dump does not hold the header of the ReadyToRun image.");
  const AddressRange list = image->find(runtime.contract().constant("R2RSection.ImportSections"));
  const std::uint64_t size = runtime.contract().sizeOf("ReadyToRunImportSection");
  for (std::uint64_t i = 0; size != 0 && i < kMaximumImportSections && (i + 1) * size <= list.sizeBytes(); ++i) {
    HEAPSCAPE_TRY(const ImportSection section, readImportSection(runtime, list.start + i * size, image->imageBase));
    if (section.cells.contains(cell) && section.cellBytes != 0 && section.maps) return section;
  }
  return failure(ErrorCode::NotFound, "The call's cell is in no import section that describes arguments.");
}

/// The bytes of the map at an address; the next one begins behind them.
Result<std::vector<std::byte>> readMap(const AddressSpace& memory, Address map) {
  std::vector<std::byte> bytes;
  while (bytes.size() < kMaximumMapBytes) {
    HEAPSCAPE_TRY(bytes.emplace_back(), memory.read<std::byte>(map + bytes.size()));
    if ((static_cast<std::uint8_t>(bytes.back()) & kMoreBytes) == 0) return bytes;
  }
  return failure(ErrorCode::Damaged, "A map of a call's arguments has no end.");
}

}  // namespace

std::optional<std::vector<ReferenceMapEntry>> decodeReferenceMap(Bytes map) {
  constexpr std::uint32_t kExtended = 3;
  std::vector<ReferenceMapEntry> entries;
  std::uint32_t position = 0;
  for (MapBits bits(map); !bits.atEnd();) {
    std::uint32_t token = bits.read(2);
    if (token == kExtended) {
      const auto number = bits.readNumber();
      if (!number) return std::nullopt;
      // Even numbers skip words, of which short codes would take more than this one; odd ones are rarer tokens.
      if (*number % 2 == 0) {
        position += *number / 2 + 4;
        if (position > kMaximumPosition) return std::nullopt;
        continue;
      }
      token = *number / 2 + kExtended;
    }
    if (token > static_cast<std::uint32_t>(ReferenceMapToken::VariableArguments)) return std::nullopt;
    if (token != 0) entries.push_back({position, static_cast<ReferenceMapToken>(token)});
    if (++position > kMaximumPosition) return std::nullopt;
  }
  return entries;
}

// FindGCRefMap (src/coreclr/vm/frames.cpp): offsets of every so many maps come first, so that few have to be skipped.
Result<std::vector<ReferenceMapEntry>> readReferenceMap(const ClrRuntime& runtime, Address module, Address cell) {
  HEAPSCAPE_TRY(const ImportSection section, findImportSection(runtime, module, cell));
  const std::uint64_t index = (cell - section.cells.start) / section.cellBytes;
  const std::uint64_t stride = runtime.contract().constant("GCRefMap.Stride");
  if (stride == 0) return failure(ErrorCode::NotFound, "This version of .NET has no maps of calls' arguments.");
  HEAPSCAPE_TRY(const auto offset,
                runtime.memory().read<std::uint32_t>(section.maps + index / stride * sizeof(std::uint32_t)));
  Address map = section.maps + offset;
  for (std::uint64_t skipped = 0; skipped < index % stride; ++skipped) {
    HEAPSCAPE_TRY(const auto bytes, readMap(runtime.memory(), map));
    map += bytes.size();
  }
  HEAPSCAPE_TRY(const auto bytes, readMap(runtime.memory(), map));
  const auto entries = decodeReferenceMap(bytes);
  if (!entries) return failure(ErrorCode::Damaged, "A map of a call's arguments is damaged.");
  return *entries;
}

}  // namespace heapscape::engine
