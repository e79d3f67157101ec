// SPDX-License-Identifier: MIT
#include "runtime/aot/dwarf_unit.h"

#include <dwarf.h>

#include <cstring>

#include "memory/elf/elf_on_disk.h"

namespace heapscape::engine {
namespace {

constexpr std::string_view kManagedProducer = "NetRuntime";

/// A section as libdw reads it: unpacked.
std::span<const char> sectionNamed(Elf* elf, std::string_view name) {
  std::span<const char> found;
  forEachSection(elf, [&](Elf_Scn* section, const GElf_Shdr& header) {
    if (header.sh_type == SHT_NOBITS || sectionName(elf, header) != name) return true;
    const Elf_Data* data = elf_rawdata(section, nullptr);
    if (data && data->d_buf) found = {static_cast<const char*>(data->d_buf), data->d_size};
    return found.empty();
  });
  return found;
}

}  // namespace

Result<DwarfTexts> DwarfTexts::of(Dwarf* dwarf) {
  DwarfTexts texts;
  Elf* elf = dwarf_getelf(dwarf);
  texts.m_sections.push_back(sectionNamed(elf, ".debug_info"));
  for (const std::string_view name : {".debug_str", ".debug_line_str"}) {
    const auto section = sectionNamed(elf, name);
    if (!section.empty() && section.back() != '\0')
      return failure(ErrorCode::Damaged, "The texts of the program's debugging information are cut off.");
    texts.m_sections.push_back(section);
  }
  return texts;
}

std::string_view DwarfTexts::text(const char* start) const {
  for (const auto& section : m_sections) {
    if (!start || section.empty() || start < section.data() || start >= section.data() + section.size()) continue;
    const auto rest = static_cast<std::size_t>(section.data() + section.size() - start);
    const void* end = std::memchr(start, '\0', rest);
    return end ? std::string_view(start, static_cast<std::size_t>(static_cast<const char*>(end) - start))
               : std::string_view();
  }
  return {};
}

std::string_view DwarfTexts::text(Dwarf_Die& die, unsigned name) const {
  Dwarf_Attribute attribute;
  return dwarf_attr(&die, name, &attribute) ? text(dwarf_formstring(&attribute)) : std::string_view();
}

std::optional<Dwarf_Die> managedUnitOf(Dwarf* dwarf, const DwarfTexts& texts) {
  Dwarf_CU* unit = nullptr;
  Dwarf_Die root;
  while (dwarf_get_units(dwarf, unit, &unit, nullptr, nullptr, &root, nullptr) == 0)
    if (texts.text(root, DW_AT_producer) == kManagedProducer) return root;
  return std::nullopt;
}

}  // namespace heapscape::engine
