// SPDX-License-Identifier: MIT
#include "runtime/aot/aot_silent_program.h"

#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <string_view>
#include <utility>

#include "base/address.h"
#include "runtime/aot/aot_layout.h"
#include "runtime/aot/aot_method_table.h"
#include "runtime/aot/aot_sections.h"
#include "runtime/aot/aot_words.h"

namespace heapscape::engine {
namespace {

constexpr std::uint32_t kModuleMark = 0x00525452;  // "RTR\0"
constexpr std::uint32_t kLeastModuleSections = 4;  // about a dozen are there

/// The version of a ReadyToRun header by release.
constexpr std::array<std::pair<std::uint16_t, std::uint32_t>, 4> kModuleVersions{{{9, 8}, {10, 9}, {16, 10}, {26, 11}}};

bool isModuleHeader(const AddressSpace& space, Address address, AddressRange program) {
  const auto sections = AotSections::readAt(space, address);
  if (!sections || sections->count() < kLeastModuleSections) return false;
  const auto metadata = sections->find(AotSectionKind::EmbeddedMetadata);
  return metadata && program.contains(metadata->start);
}

/// What fits one of the runtime's structures, if it is the only one.
class OnlyOne {
 public:
  void add(Address found) { m_found.insert(found); }
  Address get() const { return m_found.size() == 1 ? *m_found.begin() : Address{}; }

 private:
  std::set<Address> m_found;
};

class SilentVariables {
 public:
  SilentVariables(const AddressSpace& space, Address header, AddressRange program, const Contract& contract,
                  const AotLayout& layout)
      : m_space(space),
        m_header(header),
        m_program(program),
        m_layout(layout),
        m_methodTables(space, layout),
        m_versions(contract.offset("GcDacVars", "MajorVersion")),
        m_majorVersion(contract.constant("GcDacVars.MajorVersion")),
        m_generationSize(contract.offset("GcDacVars", "GenerationSize")),
        m_generationCount(contract.offset("GcDacVars", "TotalGenerationCount")),
        m_highestGeneration(contract.offset("GcDacVars", "MaxGen")),
        m_firstThread(contract.offset("ThreadStore", "FirstThreadLink")),
        m_nextThread(contract.offset("Thread", "LinkNext")),
        m_osId(contract.offset("Thread", "OSId")),
        m_stackBase(contract.offset("Thread", "CacheStackBase")),
        m_stackLimit(contract.offset("Thread", "CacheStackLimit")) {
    for (const char* member : {"GenerationFieldOffsets", "HandleTableMap"})
      m_pointers.push_back(contract.offset("GcDacVars", member));
  }

  std::map<std::string, Address, std::less<>> find(std::span<const AddressRange> data) {
    OnlyOne instances, freeTypes, gcVariables, threadStores;
    forEachAotWord(m_space, data, [&](Address at, std::uint64_t word) {
      const Address target{word};
      if (word % kPointerBytes == 0 && isRuntimeInstance(target)) instances.add(target);
      if (word % kPointerBytes == 0 && m_program.contains(target) && isFreeType(target)) freeTypes.add(target);
      if (word % kPointerBytes == 0 && isThreadStore(target)) threadStores.add(target);
      if ((word & 0xff) == m_majorVersion && areGcVariables(at - m_versions)) gcVariables.add(at - m_versions);
      return true;
    });
    std::map<std::string, Address, std::less<>> found;
    const auto add = [&](const char* name, Address value) {
      if (value) found[name] = value;
    };
    add("RuntimeInstance", instances.get());
    add("FreeObjectMethodTable", freeTypes.get());
    add("GcDacVars", gcVariables.get());
    add("ThreadStore", threadStores.get());
    return found;
  }

 private:
  /// Its list of modules leads to the header.
  bool isRuntimeInstance(Address address) const {
    Address entry, typeManager, header;
    return m_space.tryRead(address + m_layout.typeManagersOffset, entry) && entry.value % kPointerBytes == 0 &&
           m_space.tryRead(entry + kPointerBytes, typeManager) && typeManager &&
           m_space.tryRead(typeManager + kPointerBytes, header) && header == m_header;
  }

  /// It begins a list of threads.
  bool isThreadStore(Address address) const {
    Address thread;
    if (!m_space.tryRead(address + m_firstThread, thread) || !thread) return false;
    for (std::size_t i = 0; thread && i < kThreadsLookedAt; ++i)
      if (!isThread(thread) || !m_space.tryRead(thread + m_nextThread, thread)) return false;
    return true;
  }

  bool isThread(Address address) const {
    Address base, limit;
    std::uint64_t osId = 0;
    return address.value % kPointerBytes == 0 && m_space.tryRead(address + m_stackBase, base) &&
           m_space.tryRead(address + m_stackLimit, limit) && m_space.tryRead(address + m_osId, osId) && limit &&
           limit < base && base - limit <= kMostStackBytes && osId > 0 && osId <= kHighestThreadId;
  }

  /// The only array without a type of elements.
  bool isFreeType(Address address) const {
    const auto type = m_methodTables.read(address);
    return type && type->kind == AotTypeKind::Parameterised && type->elementType == ElementType::End &&
           type->componentSize == 1 && !type->parameter && type->vtableSlots == 0 && type->interfaces == 0;
  }

  bool areGcVariables(Address address) const {
    std::uint64_t size = 0;
    std::uint32_t count = 0;
    if (!m_space.tryRead(address + m_generationSize, size) || size < kLeastGenerationBytes ||
        size > kMostGenerationBytes || size % kPointerBytes != 0)
      return false;
    if (!m_space.tryRead(address + m_generationCount, count) || count != kGenerations) return false;
    Address place;
    std::uint32_t highest = 0;
    if (!m_space.tryRead(address + m_highestGeneration, place) || !m_space.tryRead(place, highest) ||
        highest != kHighestGeneration)
      return false;
    return std::ranges::all_of(m_pointers, [&](std::uint64_t offset) {
      Address target, word;
      return m_space.tryRead(address + offset, target) && m_space.tryRead(target, word);
    });
  }

  static constexpr std::uint64_t kLeastGenerationBytes = 64, kMostGenerationBytes = 4096;  // 256 were seen
  static constexpr std::uint32_t kGenerations = 5;  // gen0 to gen2, large and pinned
  static constexpr std::uint32_t kHighestGeneration = 2;

  const AddressSpace& m_space;
  const Address m_header;
  const AddressRange m_program;
  const AotLayout& m_layout;
  const AotMethodTables m_methodTables;
  static constexpr std::size_t kThreadsLookedAt = 4;
  static constexpr std::uint64_t kMostStackBytes = 1ull << 32;
  static constexpr std::uint64_t kHighestThreadId = 1 << 22;  // of Linux

  const std::uint64_t m_versions, m_majorVersion, m_generationSize, m_generationCount, m_highestGeneration;
  const std::uint64_t m_firstThread, m_nextThread, m_osId, m_stackBase, m_stackLimit;
  std::vector<std::uint64_t> m_pointers;  // members that always lead somewhere
};

}  // namespace

Address findAotModuleHeader(const AddressSpace& space, AddressRange program, std::span<const AddressRange> data) {
  Address found;
  forEachAotWord(space, data, [&](Address at, std::uint64_t word) {
    if (static_cast<std::uint32_t>(word) == kModuleMark && isModuleHeader(space, at, program)) found = at;
    return !found;
  });
  return found;
}

std::uint32_t releaseOfAotModule(const AddressSpace& space, Address header) {
  std::uint16_t version = 0;
  space.tryRead(header + sizeof kModuleMark, version);
  const auto known = std::ranges::find(kModuleVersions, version, &std::pair<std::uint16_t, std::uint32_t>::first);
  return known == kModuleVersions.end() ? 0 : known->second;
}

std::map<std::string, Address, std::less<>> findAotVariables(const AddressSpace& space, Address header,
                                                             AddressRange program, std::span<const AddressRange> data,
                                                             const Contract& contract) {
  const AotLayout* layout = findAotLayout(releaseOfAotModule(space, header));
  if (!layout) return {};
  return SilentVariables(space, header, program, contract, *layout).find(data);
}

}  // namespace heapscape::engine
