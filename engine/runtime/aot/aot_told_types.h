// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "memory/address_space.h"
#include "runtime/aot/aot_method_table.h"
#include "runtime/aot/aot_type_names.h"
#include "runtime/aot/dwarf_lines.h"
#include "runtime/aot/dwarf_types.h"
#include "runtime/aot/linker_names.h"

namespace heapscape::engine {

/// A field that a program's debugging information tells of.
struct AotField {
  enum class Place : std::uint8_t {
    Instance,
    Object,  // static, in the object that holds its class's references
    Beside,  // static, among the program's own variables
  };

  std::string name;
  Place place = Place::Instance;
  std::uint32_t offset = 0;  // of an instance field from where fields begin, of a static one from its area
  ElementType element = ElementType::End;  // Class for every kind of reference, of an enum its underlying one
  Address type = {};     // of values their type; of others the one that they lead to if the program has it, else 0
  std::string typeName;  // as declared
};

/// A type without a MethodTable: the program has none where no object, cast or array asks for it, as of many value
/// types that lie inside others, and of classes that have static fields alone.
struct AotPlainType {
  std::uint32_t sizeBytes = 0;  // of a value
  bool isValueType = false;
  bool isEnum = false;
  bool isNullable = false;
  bool containsPointers = false;
  ElementType element = ElementType::ValueType;  // under an enum
};

/// Where a class's static fields lie.
struct AotStaticsArea {
  Address object;  // that holds those with references; 0 until the class is used, and if there are none
  Address others;  // 0 if there are none
};

/// What a program's debugging information tells of its types, put together with the program's own MethodTables. Safe
/// from any thread.
class AotToldTypes {
 public:
  /// `bias`: where the program was loaded, see ElfImage. All but the file have to live as long as this. Fails with
  /// Damaged, or NotFound where the file tells of no managed code.
  static Result<std::unique_ptr<const AotToldTypes>> read(DwarfFile& file, Address bias,
                                                          const AotMethodTables& methodTables,
                                                          const AotModules& modules, const AotTypeNames& names);

  /// What a type itself declares: instance fields by offset, then those static fields whose places are certain. Fails
  /// with NotFound where nothing tells of them, or with Damaged where what is told contradicts the MethodTable.
  Result<std::vector<AotField>> declaredBy(Address type) const;
  struct Literal {
    std::string name;
    std::uint64_t value = 0;  // sign-extended
  };
  /// The members of an enum; none if nothing tells of them.
  std::vector<Literal> literalsOf(Address type) const;
  AotStaticsArea staticsOf(Address type) const;
  /// Whether the static fields in an object all have names. `cell`: where the reference to the object lies.
  bool areStaticsNamed(Address cell) const { return m_namedCells.contains(cell); }
  /// The class of the core library that has that full name and is not generic; 0 if there is none.
  Address libraryType(std::string_view fullName) const;
  /// All types that it tells of and that have a MethodTable or static fields with names, in no order.
  const std::vector<Address>& all() const { return m_all; }

  /// Handles of plain types lie where no process has memory.
  static bool isPlain(Address handle) { return handle >= kPlainTypes && handle < kPlainTypesEnd; }
  /// nullopt unless the handle is that of a plain type.
  std::optional<AotPlainType> plainType(Address handle) const;
  /// Of a plain type; lives as long as this.
  const std::string& nameOf(Address handle) const;

 private:
  AotToldTypes(DwarfTypes types, Address bias, const AotMethodTables& methodTables, const AotModules& modules,
               const AotTypeNames& names);

  static constexpr Address kPlainTypes{0xffffdb6000000000};
  static constexpr Address kPlainTypesEnd{0xffffdb7000000000};

  void addSymbol(std::string_view symbol, std::uint64_t address);
  void connect();
  void findRoom();
  Result<DwarfTypeId> idOf(Address type) const;
  Result<DwarfTypeId> checkedIdOf(Address type) const;
  DwarfTypeId canonicalOf(const AotMethodTable& type) const;
  std::string canonicalName(Address argument, std::size_t depth) const;
  Address handleOf(DwarfTypeId id) const;
  AotField fieldOf(const DwarfMember& member) const;
  struct Statics {
    std::vector<AotField> fields;
    Address cell;    // of the reference to the object; 0 if there is none
    Address others;  // 0 if there are none
  };
  Statics staticsIn(DwarfTypeId id) const;
  bool holdsReferences(DwarfTypeId id, std::size_t depth = 0) const;
  std::uint32_t alignmentOf(DwarfTypeId id, std::size_t depth = 0) const;
  std::uint32_t sizeOf(DwarfTypeId id, std::size_t depth = 0) const;
  std::string typeNameOf(DwarfTypeId id, std::size_t depth = 0) const;

  const AotMethodTables& m_methodTables;
  const AotModules& m_modules;
  const AotTypeNames& m_names;
  const DwarfTypes m_types;
  const Address m_bias;
  std::unordered_map<Address, std::string> m_linkerNames;         // of all types with a MethodTable
  std::unordered_map<std::string_view, Address> m_methodTableOf;  // by these
  std::unordered_map<Address, DwarfTypeId> m_ids;
  std::unordered_map<DwarfTypeId, Address> m_handles;
  LinkerNames m_namer;
  std::unordered_map<DwarfTypeId, std::uint32_t> m_roomFor;  // bytes, of types without a MethodTable
  std::unordered_set<Address> m_namedCells;
  std::vector<Address> m_all;
  mutable std::mutex m_mutex;
  mutable std::unordered_map<Address, std::string> m_plainNames;
};

/// The file with a program's debugging information, which the linker wrote beside it ("shop.dbg"), or the program
/// itself if it was not stripped. It is taken if its build-id is the program's, and read when something first needs it.
/// Safe from any thread.
class AotDebugFile {
 public:
  struct Program {
    std::string path;     // on the machine of the dump
    std::string buildId;  // empty if not known: then no file is taken
    Address base;         // where its first byte is mapped
  };
  /// The others have to live as long as this.
  AotDebugFile(const AddressSpace& memory, Program program, const AotMethodTables& methodTables,
               const AotModules& modules, const AotTypeNames& names)
      : m_memory(memory),
        m_program(std::move(program)),
        m_methodTables(methodTables),
        m_modules(modules),
        m_names(names) {}

  /// What it tells of types; null if there is no such file, or if it is damaged.
  const AotToldTypes* types() const;
  /// The line of the source that an instruction of the process was compiled from; nullopt where nothing tells of it.
  std::optional<SourceLine> lineOf(Address instruction) const;
  /// The name that it is looked for by.
  std::string fileName() const;
  /// The file that was taken; empty if there is none.
  const std::filesystem::path& file() const;
  /// Why a file that was found is not used; empty if there is none, or if nothing hinders.
  const std::string& problem() const;

 private:
  void find() const;
  void readLines() const;

  const AddressSpace& m_memory;
  const Program m_program;
  const AotMethodTables& m_methodTables;
  const AotModules& m_modules;
  const AotTypeNames& m_names;
  mutable std::once_flag m_once;
  mutable std::unique_ptr<const AotToldTypes> m_types;
  mutable std::filesystem::path m_file;
  mutable std::string m_problem;
  mutable Address m_bias;
  mutable std::once_flag m_linesOnce;
  mutable std::optional<DwarfLines> m_lines;
};

}  // namespace heapscape::engine
