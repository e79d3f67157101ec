// SPDX-License-Identifier: MIT
#include "damages.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>

namespace heapscape::test {
namespace {

using namespace engine;

constexpr std::uint64_t kWordBytes = 8;
constexpr std::uint64_t kPageBytes = 4096;
constexpr std::uint64_t kNear = 4096;  // within which pointers are often of one structure, or one list
constexpr int kTries = 200;

template <class T>
T structureAt(const PatchedCore& core, std::uint64_t fileOffset) {
  T value{};
  const auto bytes = core.readAt(fileOffset, sizeof value);
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

bool overlaps(const AddressRange& range, const std::vector<AddressRange>& others) {
  return std::ranges::any_of(
      others, [&](const AddressRange& other) { return range.start < other.end && other.start < range.end; });
}

}  // namespace

const char* toString(DamageKind kind) {
  switch (kind) {
    case DamageKind::Header:
      return "header";
    case DamageKind::Note:
      return "note";
    case DamageKind::RuntimeBits:
      return "runtime bits";
    case DamageKind::HeapBits:
      return "heap bits";
    case DamageKind::Pointer:
      return "pointer";
    case DamageKind::Hole:
      return "hole";
    case DamageKind::Overlap:
      return "overlap";
    case DamageKind::Cut:
      return "cut";
  }
  return "unknown";
}

Damages::Damages(PatchedCore& core, std::vector<AddressRange> heap, std::uint64_t seed) : m_core(core), m_random(seed) {
  const auto header = structureAt<Elf64_Ehdr>(core, 0);
  m_headers = {{0, sizeof header}, {header.e_phoff, std::uint64_t{header.e_phnum} * header.e_phentsize}};
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    const std::uint64_t at = header.e_phoff + std::uint64_t{i} * header.e_phentsize;
    const auto part = structureAt<Elf64_Phdr>(core, at);
    if (part.p_type == PT_NOTE) m_notes.push_back({part.p_offset, part.p_filesz});
    if (part.p_type == PT_LOAD && part.p_filesz > 0) m_loads.push_back(at);
  }
  for (const LoadSegment& load : core.core().loads) {
    if (load.fileBytes == 0 || (load.flags & PF_W) == 0) continue;
    (overlaps(load.range, heap) ? m_heap : m_runtime).push_back({load.fileOffset, load.fileBytes});
  }
}

std::string Damages::make(DamageKind kind) {
  switch (kind) {
    case DamageKind::Header:
      return flipBit(m_headers);
    case DamageKind::Note:
      return flipBit(m_notes);
    case DamageKind::RuntimeBits:
      return flipBit(m_runtime);
    case DamageKind::HeapBits:
      return flipBit(m_heap);
    case DamageKind::Pointer:
      return swapPointer();
    case DamageKind::Hole:
      return changeLoad(true);
    case DamageKind::Overlap:
      return changeLoad(false);
    case DamageKind::Cut:
      return cut();
  }
  return {};
}

std::uint64_t Damages::placeIn(const std::vector<Range>& ranges) {
  std::uint64_t all = 0;
  for (const Range& range : ranges) all += range.size;
  std::uint64_t place = next(all);
  for (const Range& range : ranges) {
    if (place < range.size) return range.start + place;
    place -= range.size;
  }
  return 0;
}

std::string Damages::flipBit(const std::vector<Range>& ranges) {
  // Most of memory is zero, and nothing looks at it.
  std::uint64_t place = placeIn(ranges);
  for (int i = 0; i < kTries && m_core.readAt(place, 1)[0] == std::byte{0}; ++i) place = placeIn(ranges);
  const auto bit = static_cast<unsigned>(next(8));
  const std::byte flipped = m_core.readAt(place, 1)[0] ^ (std::byte{1} << bit);
  m_core.writeAt(place, {&flipped, 1});
  return fmt::format("bit {} at {:#x} in the file", bit, place);
}

std::optional<std::uint64_t> Damages::pointerAt(std::uint64_t fileOffset) const {
  const auto value = structureAt<std::uint64_t>(m_core, fileOffset);
  const bool leadsIntoDump = std::ranges::any_of(
      m_core.core().loads, [&](const LoadSegment& load) { return load.range.contains(Address{value}); });
  return leadsIntoDump ? std::optional(value) : std::nullopt;
}

// A pointer takes the value of one nearby: lists bite their own tails, and structures are taken for others.
std::string Damages::swapPointer() {
  for (int i = 0; i < kTries; ++i) {
    const std::uint64_t place = placeIn(m_runtime) / kWordBytes * kWordBytes;
    if (!pointerAt(place)) continue;
    for (int j = 0; j < kTries; ++j) {
      const std::uint64_t other = place - std::min(place, kNear) + next(2 * kNear) / kWordBytes * kWordBytes;
      if (other == place || other + kWordBytes > m_core.sizeBytes()) continue;
      const auto value = pointerAt(other);
      if (!value || value == pointerAt(place)) continue;
      m_core.writeAt(place, std::as_bytes(std::span(&*value, 1)));
      return fmt::format("the pointer at {:#x} in the file is that at {:#x}", place, other);
    }
  }
  return "nothing: no pointers were found";
}

std::string Damages::changeLoad(bool isHole) {
  const std::uint64_t at = m_loads[next(m_loads.size())];
  auto part = structureAt<Elf64_Phdr>(m_core, at);
  if (isHole) {
    part.p_filesz = next(part.p_filesz / kPageBytes + 1) * kPageBytes;
  } else {
    const auto other = structureAt<Elf64_Phdr>(m_core, m_loads[next(m_loads.size())]);
    part.p_vaddr = other.p_vaddr + next(other.p_memsz / kPageBytes + 1) * kPageBytes;
  }
  m_core.writeAt(at, std::as_bytes(std::span(&part, 1)));
  return isHole ? fmt::format("the memory at {:#x} has {:#x} bytes", part.p_vaddr, part.p_filesz)
                : fmt::format("memory of {:#x} bytes lies at {:#x}", part.p_memsz, part.p_vaddr);
}

std::string Damages::cut() {
  const std::uint64_t size = next(m_core.sizeBytes());
  m_core.cut(size);
  return fmt::format("{} of {} bytes are left", size, m_core.sizeBytes());
}

}  // namespace heapscape::test
