// SPDX-License-Identifier: MIT
#include "runtime/aot/aot_sections.h"

#include <fmt/format.h>
#include <algorithm>

#include "base/limits.h"

namespace heapscape::engine {
namespace {

constexpr std::uint32_t kAotHeaderMark = 0x00525452;  // "RTR\0"
constexpr std::size_t kMostAotSections = 256;
constexpr std::uint64_t kTypeManagerHeader = 8;

struct AotModuleHeader {
  std::uint32_t mark;
  std::uint16_t majorVersion;
  std::uint16_t minorVersion;
  std::uint32_t attributes;
  std::uint16_t sections;
  std::uint8_t entryBytes;
  std::uint8_t entryType;
};
static_assert(sizeof(AotModuleHeader) == 16);

/// ModuleInfoRow, .NET 8 to 10.
struct AotSectionWithEnd {
  std::uint32_t kind;
  std::uint32_t flags;
  Address start;
  Address end;
};
static_assert(sizeof(AotSectionWithEnd) == 24);
constexpr std::uint32_t kHasAotSectionEnd = 1;

/// From .NET 11 on.
struct AotSectionWithSize {
  std::uint32_t kind;
  std::uint32_t sizeBytes;
  Address start;
};
static_assert(sizeof(AotSectionWithSize) == 16);

}  // namespace

Result<AotSections> AotSections::read(const AddressSpace& memory, Address typeManager) {
  HEAPSCAPE_TRY(const Address at, memory.readPointer(typeManager + kTypeManagerHeader));
  return readAt(memory, at);
}

Result<AotSections> AotSections::readAt(const AddressSpace& memory, Address at) {
  HEAPSCAPE_TRY(const auto header, memory.read<AotModuleHeader>(at));
  const bool hasEnds = header.entryBytes == sizeof(AotSectionWithEnd);
  if (header.mark != kAotHeaderMark || header.sections > kMostAotSections ||
      (!hasEnds && header.entryBytes != sizeof(AotSectionWithSize))) {
    return failure(ErrorCode::Damaged, fmt::format("There is no ReadyToRun header at {}.", toString(at)));
  }
  AotSections sections;
  for (std::uint32_t i = 0; i < header.sections; ++i) {
    const Address entry = at + sizeof header + std::uint64_t{header.entryBytes} * i;
    if (hasEnds) {
      HEAPSCAPE_TRY(const auto section, memory.read<AotSectionWithEnd>(entry));
      const Address end = section.flags & kHasAotSectionEnd ? section.end : section.start + kPointerBytes;
      sections.m_sections[section.kind] = {section.start, end};
    } else {
      HEAPSCAPE_TRY(const auto section, memory.read<AotSectionWithSize>(entry));
      sections.m_sections[section.kind] = {section.start, section.start + section.sizeBytes};
    }
  }
  return sections;
}

std::optional<AddressRange> AotSections::find(AotSectionKind kind) const {
  const auto found = m_sections.find(static_cast<std::uint32_t>(kind));
  if (found == m_sections.end() || found->second.isEmpty()) return std::nullopt;
  return found->second;
}

AotFixups::AotFixups(const AddressSpace& memory, const AotSections& sections) {
  const auto section = sections.find(AotSectionKind::CommonFixups);
  if (!section) return;
  m_section = *section;
  if (auto view = memory.view(*section)) m_view = std::move(*view);
}

// Relative to where they lie.
Address AotFixups::target(std::uint32_t place) const {
  const std::uint64_t offset = std::uint64_t{place} * sizeof(std::int32_t);
  std::int32_t distance = 0;
  if (!tryReadAt(m_view.bytes, offset, distance)) return {};
  return {m_section.start.value + offset + static_cast<std::uint64_t>(std::int64_t{distance})};
}

// RuntimeInstance::TypeManagerEntry: the next entry, then the TypeManager.
std::vector<Address> readTypeManagers(const AddressSpace& memory, const AotLayout& layout, Address runtimeInstance,
                                      FindingList& findings) {
  struct Entry {
    Address next;
    Address typeManager;
  };
  std::vector<Address> typeManagers;
  Address at = runtimeInstance + layout.typeManagersOffset;
  auto next = memory.readPointer(at);
  while (next && *next && typeManagers.size() < kLimits.modules) {
    at = *next;
    const auto entry = memory.read<Entry>(at);
    if (!entry || std::ranges::find(typeManagers, entry->typeManager) != typeManagers.end()) {
      findings.add(FindingKind::RuntimeDataDamaged, at, "The runtime's list of compiled modules is damaged.");
      return typeManagers;
    }
    typeManagers.push_back(entry->typeManager);
    next = entry->next;
  }
  if (!next) findings.add(FindingKind::MemoryMissing, at, "The runtime's list of compiled modules is not in the dump.");
  return typeManagers;
}

}  // namespace heapscape::engine
