// SPDX-License-Identifier: MIT
#include "runtime/aot/aot_thread_statics.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/limits.h"

namespace heapscape::engine {
namespace {

constexpr std::uint32_t kHeaderBytes = 8;
constexpr std::size_t kMostSeries = 4096;  // runs of references in one object

/// What lies at a note: which module the class belongs to, and the number of its own object, or the place in the common
/// one below zero.
struct AotThreadNote {
  Address moduleSlot;
  std::int64_t index = 0;
};

/// How the runtime knows a module (TypeManagerSlot).
struct AotModuleSlot {
  Address typeManager;
  std::uint32_t number = 0;
  std::uint32_t padding = 0;
};

}  // namespace

AotThreadPlaces::AotThreadPlaces(const AotMethodTables& methodTables, const AotModules& modules,
                                 std::vector<Noted> noted) {
  const AddressSpace& memory = methodTables.memory();
  for (Noted& one : noted) {
    AotThreadNote note;
    AotModuleSlot slot;
    if (!memory.tryRead(one.note, note.moduleSlot) || !memory.tryRead(one.note + kPointerBytes, note.index) ||
        !memory.tryRead(note.moduleSlot, slot.typeManager) ||
        !memory.tryRead(note.moduleSlot + kPointerBytes, slot.number) || note.index > INT32_MAX ||
        note.index < INT32_MIN)
      continue;
    AotThreadPlace place;
    place.typeManager = slot.typeManager;
    place.module = slot.number;
    if (note.index > 0) place.index = static_cast<std::uint32_t>(note.index);
    place.start = note.index > 0 ? kPointerBytes : static_cast<std::uint32_t>(-note.index);
    const auto module = std::ranges::find(modules.items(), slot.typeManager, &AotModules::Module::typeManager);
    if (module == modules.items().end() || place.start < kPointerBytes) continue;
    // The module lists the types of these objects, that of the common one first.
    const auto region = module->sections.find(AotSectionKind::ThreadStatics);
    if (!region || std::uint64_t{place.index} * kPointerBytes >= region->sizeBytes() ||
        !memory.tryRead(region->start + std::uint64_t{place.index} * kPointerBytes, place.holderType))
      continue;
    const auto holder = methodTables.read(place.holderType);
    if (!holder || !holder->isStaticsBase || holder->baseSize < kHeaderBytes + place.start) continue;
    place.end = holder->baseSize - kHeaderBytes;
    m_classes.push_back({std::move(one.className), place});
  }
  std::ranges::sort(m_classes, {}, [](const Class& one) {
    return std::tuple(one.place.module, one.place.index, one.place.start, std::string_view(one.name));
  });
  for (std::size_t i = 0; i + 1 < m_classes.size(); ++i) {
    const AotThreadPlace& next = m_classes[i + 1].place;
    if (next.module == m_classes[i].place.module && next.index == m_classes[i].place.index)
      m_classes[i].place.end = next.start;
  }
  for (std::size_t i = 0; i < m_classes.size(); ++i) m_byName.try_emplace(m_classes[i].name, i);
}

const AotThreadPlace* AotThreadPlaces::find(std::string_view className) const {
  const auto found = m_byName.find(className);
  return found == m_byName.end() ? nullptr : &m_classes[found->second].place;
}

// In front of a MethodTable: how many runs there are, and of each its bytes less those of the object, and where it
// begins (src/coreclr/gc/gcdesc.h).
std::vector<std::uint32_t> referencePlacesOf(const AotMethodTables& methodTables, Address methodTable) {
  std::vector<std::uint32_t> places;
  const auto type = methodTables.read(methodTable);
  const AddressSpace& memory = methodTables.memory();
  std::int64_t series = 0;
  if (!type || !type->containsPointers || !memory.tryRead(methodTable - kPointerBytes, series)) return places;
  if (series <= 0 || static_cast<std::size_t>(series) > kMostSeries) return places;
  for (std::int64_t i = 0; i < series; ++i) {
    const Address entry =
        methodTable - kPointerBytes - std::uint64_t{2 * kPointerBytes} * static_cast<std::uint64_t>(i + 1);
    std::int64_t bytes = 0;
    std::uint64_t start = 0;
    if (!memory.tryRead(entry, bytes) || !memory.tryRead(entry + kPointerBytes, start)) return {};
    bytes += type->baseSize;
    if (bytes <= 0 || bytes > type->baseSize || start > type->baseSize) return {};
    for (std::uint64_t at = start; at < start + static_cast<std::uint64_t>(bytes); at += kPointerBytes)
      places.push_back(static_cast<std::uint32_t>(at));
  }
  std::ranges::sort(places);
  return places;
}

}  // namespace heapscape::engine
