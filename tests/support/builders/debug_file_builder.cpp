// SPDX-License-Identifier: MIT
#include "support/builders/debug_file_builder.h"

#include <dwarf.h>
#include <elf.h>

#include <array>
#include <cstring>

namespace heapscape::test {
namespace {

enum Abbreviation : std::uint8_t {
  Unit = 1,
  Number,
  Reference,
  Pointer,
  Declaration,
  Type,
  EmptyType,
  Base,
  InstanceMember,
  StaticMember,
  Enumeration,
  Literal,
  Variable,
};

struct Attribute {
  std::uint8_t name;
  std::uint8_t form;
};

void addAbbreviation(FileBytes& bytes, std::uint8_t code, std::uint8_t tag, bool hasChildren,
                     const std::vector<Attribute>& attributes) {
  const auto put = [&](std::uint8_t value) { bytes.push_back(static_cast<std::byte>(value)); };
  put(code);
  put(tag);
  put(hasChildren ? DW_CHILDREN_yes : DW_CHILDREN_no);
  for (const Attribute& attribute : attributes) {
    put(attribute.name);
    put(attribute.form);
  }
  put(0);
  put(0);
}

FileBytes abbreviations() {
  FileBytes bytes;
  addAbbreviation(bytes, Unit, DW_TAG_compile_unit, true, {{DW_AT_producer, DW_FORM_string}});
  addAbbreviation(bytes, Number, DW_TAG_base_type, false,
                  {{DW_AT_name, DW_FORM_string}, {DW_AT_encoding, DW_FORM_data1}, {DW_AT_byte_size, DW_FORM_data1}});
  addAbbreviation(bytes, Reference, DW_TAG_reference_type, false,
                  {{DW_AT_type, DW_FORM_ref4}, {DW_AT_byte_size, DW_FORM_data1}});
  addAbbreviation(bytes, Pointer, DW_TAG_pointer_type, false,
                  {{DW_AT_type, DW_FORM_ref4}, {DW_AT_byte_size, DW_FORM_data1}});
  addAbbreviation(bytes, Declaration, DW_TAG_class_type, false,
                  {{DW_AT_name, DW_FORM_string}, {DW_AT_declaration, DW_FORM_flag_present}});
  const std::vector<Attribute> ofType{{DW_AT_name, DW_FORM_string}, {DW_AT_byte_size, DW_FORM_data4}};
  addAbbreviation(bytes, Type, DW_TAG_class_type, true, ofType);
  addAbbreviation(bytes, EmptyType, DW_TAG_class_type, false, ofType);
  addAbbreviation(bytes, Base, DW_TAG_inheritance, false,
                  {{DW_AT_type, DW_FORM_ref4}, {DW_AT_data_member_location, DW_FORM_data1}});
  addAbbreviation(
      bytes, InstanceMember, DW_TAG_member, false,
      {{DW_AT_name, DW_FORM_string}, {DW_AT_type, DW_FORM_ref4}, {DW_AT_data_member_location, DW_FORM_data4}});
  addAbbreviation(bytes, StaticMember, DW_TAG_member, false,
                  {{DW_AT_name, DW_FORM_string},
                   {DW_AT_type, DW_FORM_ref4},
                   {DW_AT_external, DW_FORM_flag_present},
                   {DW_AT_declaration, DW_FORM_flag_present}});
  addAbbreviation(bytes, Enumeration, DW_TAG_enumeration_type, true,
                  {{DW_AT_name, DW_FORM_string}, {DW_AT_type, DW_FORM_ref4}, {DW_AT_byte_size, DW_FORM_data1}});
  addAbbreviation(bytes, Literal, DW_TAG_enumerator, false,
                  {{DW_AT_name, DW_FORM_string}, {DW_AT_const_value, DW_FORM_sdata}});
  addAbbreviation(bytes, Variable, DW_TAG_variable, false,
                  {{DW_AT_specification, DW_FORM_ref4}, {DW_AT_location, DW_FORM_exprloc}});
  bytes.push_back({});
  return bytes;
}

void append(FileBytes& bytes, const void* data, std::size_t size) {
  const auto* begin = static_cast<const std::byte*>(data);
  bytes.insert(bytes.end(), begin, begin + size);
}

}  // namespace

// The unit's header: its length, which is filled in at last, version, abbreviations, bytes of an address.
DebugFileBuilder::DebugFileBuilder(std::string_view producer) {
  put(0, 4);
  put(4, 2);
  put(0, 4);
  put(8, 1);
  begin(Unit);
  putText(producer);
}

void DebugFileBuilder::put(std::uint64_t value, std::size_t bytes) {
  append(m_info, &value, bytes);
}

void DebugFileBuilder::putUnsigned(std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) put((value & 0x7f) | 0x80, 1);
  put(value, 1);
}

void DebugFileBuilder::putSigned(std::int64_t value) {
  while (value < -0x40 || value >= 0x40) {
    put((static_cast<std::uint64_t>(value) & 0x7f) | 0x80, 1);
    value >>= 7;
  }
  put(static_cast<std::uint64_t>(value) & 0x7f, 1);
}

void DebugFileBuilder::putText(std::string_view text) {
  append(m_info, text.data(), text.size());
  put(0, 1);
}

DebugFileBuilder::Place DebugFileBuilder::begin(std::uint8_t abbreviation) {
  const auto place = static_cast<Place>(m_info.size());
  put(abbreviation, 1);
  return place;
}

DebugFileBuilder::Place DebugFileBuilder::number(std::string_view name, std::uint8_t encoding, std::uint8_t sizeBytes) {
  const Place place = begin(Number);
  putText(name);
  put(encoding, 1);
  put(sizeBytes, 1);
  return place;
}

DebugFileBuilder::Place DebugFileBuilder::reference(Place target) {
  const Place place = begin(Reference);
  put(target, 4);
  put(8, 1);
  return place;
}

DebugFileBuilder::Place DebugFileBuilder::pointer(Place target) {
  const Place place = begin(Pointer);
  put(target, 4);
  put(8, 1);
  return place;
}

DebugFileBuilder::Place DebugFileBuilder::declaration(std::string_view name) {
  const Place place = begin(Declaration);
  putText(name);
  return place;
}

DebugFileBuilder::Place DebugFileBuilder::type(std::string_view name, std::uint32_t sizeBytes, Place base,
                                               const std::vector<Member>& members) {
  m_members.clear();
  const bool isEmpty = base == 0 && members.empty();
  const Place place = begin(isEmpty ? EmptyType : Type);
  putText(name);
  put(sizeBytes, 4);
  if (isEmpty) return place;
  if (base != 0) {
    begin(Base);
    put(base, 4);
    put(0, 1);
  }
  for (const Member& member : members) {
    m_members.push_back(begin(member.isStatic ? StaticMember : InstanceMember));
    putText(member.name);
    put(member.type, 4);
    if (!member.isStatic) put(member.offset, 4);
  }
  put(0, 1);
  return place;
}

DebugFileBuilder::Place DebugFileBuilder::enumeration(
    std::string_view name, Place underlying, std::uint8_t sizeBytes,
    const std::vector<std::pair<std::string_view, std::int64_t>>& literals) {
  const Place place = begin(Enumeration);
  putText(name);
  put(underlying, 4);
  put(sizeBytes, 1);
  for (const auto& [literal, value] : literals) {
    begin(Literal);
    putText(literal);
    putSigned(value);
  }
  put(0, 1);
  return place;
}

void DebugFileBuilder::staticPlace(std::size_t member, std::uint64_t base, std::uint32_t offset, bool isInObject) {
  begin(Variable);
  put(m_members.at(member), 4);
  const std::size_t before = m_info.size();
  put(DW_OP_addr, 1);
  put(base, 8);
  if (isInObject) {
    put(DW_OP_deref, 1);
    put(DW_OP_deref, 1);
  }
  if (offset != 0) {
    put(DW_OP_plus_uconst, 1);
    putUnsigned(offset);
  }
  m_info.insert(m_info.begin() + static_cast<std::ptrdiff_t>(before), static_cast<std::byte>(m_info.size() - before));
}

void DebugFileBuilder::symbol(std::string_view name, std::uint64_t address) {
  m_symbols.emplace_back(name, address);
}

FileBytes DebugFileBuilder::build() const {
  struct Section {
    std::string_view name;
    std::uint32_t type;
    FileBytes bytes;
    std::uint32_t link = 0;
    std::uint64_t entryBytes = 0;
  };
  FileBytes note;
  const std::array<std::uint32_t, 3> head{4, static_cast<std::uint32_t>(kBuildId.size() / 2), NT_GNU_BUILD_ID};
  append(note, head.data(), sizeof head);
  append(note, "GNU", 4);
  for (std::size_t i = 0; i < kBuildId.size(); i += 2)
    note.push_back(static_cast<std::byte>(std::stoul(std::string(kBuildId.substr(i, 2)), nullptr, 16)));
  note.resize((note.size() + 3) & ~std::size_t{3});

  FileBytes info = m_info;
  info.push_back({});  // the unit's last child
  const auto length = static_cast<std::uint32_t>(info.size() - sizeof(std::uint32_t));
  std::memcpy(info.data(), &length, sizeof length);

  FileBytes symbols(sizeof(Elf64_Sym)), names(1);
  for (const auto& [name, address] : m_symbols) {
    Elf64_Sym symbol{};
    symbol.st_name = static_cast<std::uint32_t>(names.size());
    symbol.st_value = address;
    symbol.st_info = ELF64_ST_INFO(STB_LOCAL, STT_OBJECT);
    symbol.st_shndx = SHN_ABS;
    append(symbols, &symbol, sizeof symbol);
    append(names, name.c_str(), name.size() + 1);
  }
  std::vector<Section> sections{{"", SHT_NULL, {}},
                                {".note.gnu.build-id", SHT_NOTE, note},
                                {".debug_info", SHT_PROGBITS, info},
                                {".debug_abbrev", SHT_PROGBITS, abbreviations()},
                                {".symtab", SHT_SYMTAB, symbols, 5, sizeof(Elf64_Sym)},
                                {".strtab", SHT_STRTAB, names},
                                {".shstrtab", SHT_STRTAB, {}}};
  std::vector<std::uint32_t> nameOffsets;
  for (const Section& section : sections) {
    nameOffsets.push_back(static_cast<std::uint32_t>(sections.back().bytes.size()));
    append(sections.back().bytes, std::string(section.name).c_str(), section.name.size() + 1);
  }

  FileBytes file(sizeof(Elf64_Ehdr));
  std::vector<Elf64_Shdr> headers;
  for (std::size_t i = 0; i < sections.size(); ++i) {
    file.resize((file.size() + 7) & ~std::size_t{7});
    Elf64_Shdr header{};
    header.sh_name = nameOffsets[i];
    header.sh_type = sections[i].type;
    header.sh_offset = i == 0 ? 0 : file.size();
    header.sh_size = sections[i].bytes.size();
    header.sh_link = sections[i].link;
    header.sh_entsize = sections[i].entryBytes;
    header.sh_addralign = i == 0 ? 0 : 4;
    if (sections[i].type == SHT_SYMTAB) header.sh_info = 1;
    headers.push_back(header);
    file.insert(file.end(), sections[i].bytes.begin(), sections[i].bytes.end());
  }
  file.resize((file.size() + 7) & ~std::size_t{7});
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_type = ET_DYN;
  header.e_machine = EM_X86_64;
  header.e_version = EV_CURRENT;
  header.e_shoff = file.size();
  header.e_ehsize = sizeof header;
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = static_cast<std::uint16_t>(headers.size());
  header.e_shstrndx = static_cast<std::uint16_t>(headers.size() - 1);
  std::memcpy(file.data(), &header, sizeof header);
  append(file, headers.data(), headers.size() * sizeof(Elf64_Shdr));
  return file;
}

}  // namespace heapscape::test
