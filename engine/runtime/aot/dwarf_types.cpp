// SPDX-License-Identifier: MIT
#include "runtime/aot/dwarf_types.h"

#include <dwarf.h>
#include <elfutils/libdw.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <tuple>
#include <utility>

#include "base/limits.h"
#include "runtime/aot/dwarf_unit.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kMostDwarfParts = 32'000'000;  // members, enumerators or places of all types

/// Offsets in the file until all types are known.
struct DwarfReferences {
  std::vector<Dwarf_Off> ofTypes;     // where each type stands, ascending
  std::vector<Dwarf_Off> targets;     // of each type; 0 for none
  std::vector<Dwarf_Off> members;     // what each member is of; 0 for none
  std::vector<Dwarf_Off> memberDies;  // where each member stands, ascending
};

/// A place of a static field, by where its declaration stands.
struct PlaceOfMember {
  Dwarf_Off member = 0;
  DwarfStaticPlace place;
};

Dwarf_Off dwarfReference(Dwarf_Die& die, unsigned name) {
  Dwarf_Attribute attribute;
  Dwarf_Die target;
  if (!dwarf_attr(&die, name, &attribute) || !dwarf_formref_die(&attribute, &target)) return 0;
  return dwarf_dieoffset(&target);
}

std::uint64_t dwarfNumber(Dwarf_Die& die, unsigned name) {
  Dwarf_Attribute attribute;
  Dwarf_Word value = 0;
  return dwarf_attr(&die, name, &attribute) && dwarf_formudata(&attribute, &value) == 0 ? value : 0;
}

bool hasDwarfFlag(Dwarf_Die& die, unsigned name) {
  Dwarf_Attribute attribute;
  bool isSet = false;
  return dwarf_attr(&die, name, &attribute) && dwarf_formflag(&attribute, &isSet) == 0 && isSet;
}

/// How the compiler spells numbers (src/coreclr/tools/aot/ObjWriter, PrimitiveTypeDescriptor): IntPtr and UIntPtr by
/// their names, since they are as wide as others.
ElementType dwarfElement(std::string_view name, std::uint64_t encoding, std::uint64_t bytes) {
  const auto bySize = [&](ElementType one, ElementType two, ElementType four, ElementType eight) {
    return bytes == 1 ? one : bytes == 2 ? two : bytes == 4 ? four : bytes == 8 ? eight : ElementType::End;
  };
  if (name == "nint" || name == "System.IntPtr") return ElementType::I;
  if (name == "nuint" || name == "System.UIntPtr") return ElementType::U;
  switch (encoding) {
    case DW_ATE_boolean:
      return bySize(ElementType::Boolean, ElementType::End, ElementType::End, ElementType::End);
    case DW_ATE_UTF:
      return bySize(ElementType::End, ElementType::Char, ElementType::End, ElementType::End);
    case DW_ATE_float:
      return bySize(ElementType::End, ElementType::End, ElementType::R4, ElementType::R8);
    case DW_ATE_signed:
    case DW_ATE_signed_char:
      return bySize(ElementType::I1, ElementType::I2, ElementType::I4, ElementType::I8);
    case DW_ATE_unsigned:
    case DW_ATE_unsigned_char:
      return bySize(ElementType::U1, ElementType::U2, ElementType::U4, ElementType::U8);
    default:
      return ElementType::End;
  }
}

/// Calls `visit` with each child; false if they go back, or if one cannot be read.
template <class Visit>
bool forEachChild(Dwarf_Die& parent, Visit visit) {
  Dwarf_Die child;
  Dwarf_Off last = dwarf_dieoffset(&parent);
  int state = dwarf_haschildren(&parent) > 0 ? dwarf_child(&parent, &child) : 1;
  for (; state == 0; state = dwarf_siblingof(&child, &child)) {
    const Dwarf_Off offset = dwarf_dieoffset(&child);
    if (offset <= last || !visit(child)) return false;
    last = offset;
  }
  return state > 0;
}

std::optional<std::size_t> placeAmong(const std::vector<Dwarf_Off>& sorted, Dwarf_Off offset) {
  const auto found = std::ranges::lower_bound(sorted, offset);
  if (offset == 0 || found == sorted.end() || *found != offset) return std::nullopt;
  return static_cast<std::size_t>(found - sorted.begin());
}

}  // namespace

/// Reads one unit in one pass, and connects its parts afterwards.
class DwarfTypeReader {
 public:
  explicit DwarfTypeReader(DwarfTexts texts) : m_texts(std::move(texts)) {}

  Result<DwarfTypes> read(Dwarf* dwarf) {
    auto root = managedUnitOf(dwarf, m_texts);
    if (!root) return failure(ErrorCode::NotFound, "The program's debugging information tells of no managed code.");
    if (!forEachChild(*root, [&](Dwarf_Die& die) { return add(die); }))
      return failure(ErrorCode::Damaged, "The program's debugging information is damaged.");
    connect();
    return std::move(m_read);
  }

 private:
  std::string_view keep(std::string_view text) {
    if (text.empty() || text.size() > kLimits.nameBytes) return {};
    auto* copy = static_cast<char*>(m_read.m_texts->allocate(text.size(), 1));
    std::memcpy(copy, text.data(), text.size());
    return {copy, text.size()};
  }

  bool add(Dwarf_Die& die) {
    DwarfType type;
    Dwarf_Off target = 0;
    switch (dwarf_tag(&die)) {
      case DW_TAG_class_type:
      case DW_TAG_structure_type:
        type.kind = DwarfType::Kind::Class;
        type.isDeclaration = hasDwarfFlag(die, DW_AT_declaration);
        break;
      case DW_TAG_enumeration_type:
        type.kind = DwarfType::Kind::Enum;
        target = dwarfReference(die, DW_AT_type);
        break;
      case DW_TAG_base_type:
        type.kind = DwarfType::Kind::Number;
        break;
      case DW_TAG_reference_type:
        type.kind = DwarfType::Kind::Reference;
        target = dwarfReference(die, DW_AT_type);
        break;
      case DW_TAG_pointer_type:
        type.kind = DwarfType::Kind::Pointer;
        target = dwarfReference(die, DW_AT_type);
        break;
      case DW_TAG_variable:
        return addPlace(die);
      default:
        return true;
    }
    if (m_read.m_types.size() >= kLimits.typesPerModule) return false;
    type.name = keep(m_texts.text(die, DW_AT_name));
    type.sizeBytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(dwarfNumber(die, DW_AT_byte_size), UINT32_MAX));
    if (type.kind == DwarfType::Kind::Number)
      type.element = dwarfElement(type.name, dwarfNumber(die, DW_AT_encoding), type.sizeBytes);
    const bool isWhole = type.kind == DwarfType::Kind::Class  ? addMembers(die, type, target)
                         : type.kind == DwarfType::Kind::Enum ? addEnumerators(die, type)
                                                              : true;
    m_references.ofTypes.push_back(dwarf_dieoffset(&die));
    m_references.targets.push_back(target);
    m_read.m_types.push_back(type);
    return isWhole;
  }

  bool addMembers(Dwarf_Die& die, DwarfType& type, Dwarf_Off& parent) {
    type.firstMember = static_cast<std::uint32_t>(m_read.m_members.size());
    const bool isWhole = forEachChild(die, [&](Dwarf_Die& child) {
      const int tag = dwarf_tag(&child);
      if (tag == DW_TAG_inheritance) parent = dwarfReference(child, DW_AT_type);
      if (tag != DW_TAG_member) return true;
      const std::uint64_t offset = dwarfNumber(child, DW_AT_data_member_location);
      const bool isStatic = hasDwarfFlag(child, DW_AT_declaration);
      if (m_read.m_members.size() >= kMostDwarfParts || offset > INT32_MAX) return false;
      m_read.m_members.push_back({.name = keep(m_texts.text(child, DW_AT_name)),
                                  .type = kNoDwarfType,
                                  .offset = static_cast<std::uint32_t>(offset),
                                  .isStatic = isStatic});
      m_references.members.push_back(dwarfReference(child, DW_AT_type));
      m_references.memberDies.push_back(dwarf_dieoffset(&child));
      return true;
    });
    type.members = static_cast<std::uint32_t>(m_read.m_members.size()) - type.firstMember;
    return isWhole;
  }

  bool addEnumerators(Dwarf_Die& die, DwarfType& type) {
    type.firstMember = static_cast<std::uint32_t>(m_read.m_enumerators.size());
    const bool isWhole = forEachChild(die, [&](Dwarf_Die& child) {
      if (dwarf_tag(&child) != DW_TAG_enumerator) return true;
      if (m_read.m_enumerators.size() >= kMostDwarfParts) return false;
      Dwarf_Attribute attribute;
      Dwarf_Sword value = 0;
      if (!dwarf_attr(&child, DW_AT_const_value, &attribute) || dwarf_formsdata(&attribute, &value) != 0) return true;
      m_read.m_enumerators.push_back({keep(m_texts.text(child, DW_AT_name)), static_cast<std::uint64_t>(value)});
      return true;
    });
    type.members = static_cast<std::uint32_t>(m_read.m_enumerators.size()) - type.firstMember;
    return isWhole;
  }

  // An address, twice followed where the fields lie in an object, and an offset. Once would be right: the address is
  // that of the reference to the object.
  bool addPlace(Dwarf_Die& die) {
    const Dwarf_Off member = dwarfReference(die, DW_AT_specification);
    Dwarf_Attribute attribute;
    Dwarf_Op* operations = nullptr;
    std::size_t count = 0;
    if (member == 0 || !dwarf_attr(&die, DW_AT_location, &attribute) ||
        dwarf_getlocation(&attribute, &operations, &count) != 0 || count == 0 || operations[0].atom != DW_OP_addr)
      return true;
    PlaceOfMember found{.member = member, .place = {.base = operations[0].number}};
    for (std::size_t i = 1; i < count; ++i) {
      if (operations[i].atom == DW_OP_deref) {
        found.place.isInObject = true;
      } else if (operations[i].atom == DW_OP_plus_uconst && operations[i].number <= INT32_MAX) {
        found.place.offset = static_cast<std::uint32_t>(operations[i].number);
      } else {
        return true;
      }
    }
    if (m_places.size() >= kMostDwarfParts) return false;
    m_places.push_back(found);
    return true;
  }

  void connect() {
    const auto typeAt = [&](Dwarf_Off offset) {
      const auto place = placeAmong(m_references.ofTypes, offset);
      return place ? static_cast<DwarfTypeId>(*place) : kNoDwarfType;
    };
    std::vector<DwarfType>& types = m_read.m_types;
    for (std::size_t i = 0; i < types.size(); ++i) types[i].target = typeAt(m_references.targets[i]);
    for (std::size_t i = 0; i < m_read.m_members.size(); ++i)
      m_read.m_members[i].type = typeAt(m_references.members[i]);
    // The compiler describes a few classes twice, alike.
    m_read.m_byName.reserve(types.size());
    for (const DwarfType::Kind kind : {DwarfType::Kind::Enum, DwarfType::Kind::Class}) {
      for (std::size_t i = 0; i < types.size(); ++i) {
        if (types[i].kind == kind && !types[i].isDeclaration && !types[i].name.empty())
          m_read.m_byName.try_emplace(types[i].name, static_cast<DwarfTypeId>(i));
      }
    }
    connectPlaces();
  }

  void connectPlaces() {
    for (PlaceOfMember& found : m_places) {
      const auto member = placeAmong(m_references.memberDies, found.member);
      if (!member) continue;
      // Types stand in the order of their members.
      const auto behind = std::ranges::upper_bound(classesWithMembers(), *member, {}, [&](DwarfTypeId id) {
        return std::size_t{m_read.m_types[id].firstMember};
      });
      if (behind == classesWithMembers().begin()) continue;
      const DwarfType& type = m_read.m_types[*std::prev(behind)];
      // Of a class that is described twice the description counts that is found by its name.
      const DwarfTypeId described = m_read.find(type.name);
      if (described == kNoDwarfType || m_read.m_types[described].members != type.members) continue;
      found.place.declaring = described;
      m_read.m_places.push_back(found.place);
    }
    const auto key = [](const DwarfStaticPlace& place) {
      return std::tuple(place.declaring, place.isInObject, place.base, place.offset);
    };
    std::ranges::sort(m_read.m_places, {}, key);
    const auto same = std::ranges::unique(m_read.m_places, {}, key);
    m_read.m_places.erase(same.begin(), same.end());
  }

  /// Those that have members, in their order.
  const std::vector<DwarfTypeId>& classesWithMembers() {
    if (m_withMembers.empty()) {
      for (DwarfTypeId id = 0; id < m_read.m_types.size(); ++id) {
        const DwarfType& type = m_read.m_types[id];
        if (type.kind == DwarfType::Kind::Class && type.members > 0) m_withMembers.push_back(id);
      }
    }
    return m_withMembers;
  }

  DwarfTexts m_texts;
  DwarfTypes m_read;
  DwarfReferences m_references;
  std::vector<PlaceOfMember> m_places;
  std::vector<DwarfTypeId> m_withMembers;
};

Result<DwarfTypes> DwarfTypes::read(DwarfFile& file) {
  HEAPSCAPE_TRY(Dwarf * dwarf, file.dwarf());
  HEAPSCAPE_TRY(DwarfTexts texts, DwarfTexts::of(dwarf));
  return DwarfTypeReader(std::move(texts)).read(dwarf);
}

DwarfTypeId DwarfTypes::find(std::string_view name) const {
  const auto found = m_byName.find(name);
  return found == m_byName.end() ? kNoDwarfType : found->second;
}

DwarfTypeId DwarfTypes::described(DwarfTypeId id) const {
  return id < m_types.size() && m_types[id].isDeclaration ? find(m_types[id].name) : id;
}

std::span<const DwarfMember> DwarfTypes::membersOf(const DwarfType& type) const {
  if (type.kind != DwarfType::Kind::Class) return {};
  return std::span(m_members).subspan(type.firstMember, type.members);
}

std::span<const DwarfEnumerator> DwarfTypes::enumeratorsOf(const DwarfType& type) const {
  if (type.kind != DwarfType::Kind::Enum) return {};
  return std::span(m_enumerators).subspan(type.firstMember, type.members);
}

}  // namespace heapscape::engine
