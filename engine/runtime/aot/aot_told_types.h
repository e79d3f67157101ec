// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "memory/address_space.h"
#include "runtime/aot/aot_method_table.h"
#include "runtime/aot/aot_thread_statics.h"
#include "runtime/aot/aot_type_names.h"
#include "runtime/aot/dwarf_types.h"
#include "runtime/aot/linker_names.h"

namespace heapscape::engine {

/// A field that a program's debugging information tells of.
struct AotField {
  enum class Place : std::uint8_t {
    Instance,
    Object,  // static, in the object that holds its class's references
    Beside,  // static, among the program's own variables
    Thread,  // static, in an object that each thread has
  };

  std::string name;
  Place place = Place::Instance;
  /// Of an instance field from where fields begin, of a static one from its area, of a thread's in the object.
  std::uint32_t offset = 0;
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

/// How a type is declared.
struct AotDeclaration {
  std::string definition;        // the linker's name of it: the same for all instances of a generic type
  std::string assembly;          // simple name; empty if nothing tells
  std::vector<AotField> fields;  // of instances, in the order of the source
  std::optional<AotMetadata::Declared> attributes;
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
  /// Fails as declaredBy() does.
  Result<AotDeclaration> declarationOf(Address type) const;
  struct Literal {
    std::string name;
    std::uint64_t value = 0;  // sign-extended
  };
  /// The members of an enum; none if nothing tells of them.
  std::vector<Literal> literalsOf(Address type) const;
  AotStaticsArea staticsOf(Address type) const;
  /// Where the thread statics of a type lie; nullopt if it has none.
  std::optional<AotThreadPlace> threadPlaceOf(Address type) const;

  /// Whether the static fields in an object all have names. `cell`: where the reference to the object lies.
  bool areStaticsNamed(Address cell) const { return m_namedCells.contains(cell); }

  /// A class whose static fields lie in an object.
  struct StaticsOwner {
    Address type;           // 0 if nothing more than its name is told
    std::string typeName;   // full
    bool areNamed = false;  // the fields have names: declaredBy() gives them
  };
  /// `cell`: where the reference to the object lies; nullopt if nothing tells whose object it is.
  std::optional<StaticsOwner> staticsOwner(Address cell) const;
  struct ThreadStaticsOwner : StaticsOwner {
    AotThreadPlace place;
  };
  /// By module, object and place in it.
  const std::vector<ThreadStaticsOwner>& threadStaticsOwners() const { return m_threadOwners; }
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
  std::vector<AotField> instanceFieldsOf(Address type, DwarfTypeId id) const;
  std::string assemblyOf(std::string_view linkerName) const;
  AotField fieldOf(const DwarfMember& member) const;
  struct Statics {
    std::vector<AotField> fields;
    Address cell;    // of the reference to the object; 0 if there is none
    Address others;  // 0 if there are none
    bool hasThreadStatics = false;
  };
  Statics staticsIn(DwarfTypeId id) const;
  std::vector<AotField> threadStaticsIn(DwarfTypeId id, std::span<const DwarfMember* const> members) const;
  bool addReferencePlaces(DwarfTypeId id, std::uint32_t start, std::vector<std::uint32_t>& places,
                          std::size_t depth = 0) const;
  StaticsOwner ownerNamed(std::string_view linkerName) const;
  void connectStatics();
  bool holdsReferences(DwarfTypeId id, std::size_t depth = 0) const;
  std::uint32_t alignmentOf(DwarfTypeId id, std::size_t depth = 0) const;
  std::uint32_t sizeOf(DwarfTypeId id, std::size_t depth = 0) const;
  bool isOfOneField(const DwarfType& type) const;
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
  std::vector<std::pair<std::string, std::string>> m_assemblies;  // how names of the linker begin, and whose these are
  /// How many bytes a value may have by what lies behind it.
  struct Room {
    std::uint32_t least = 0;
    std::uint32_t most = UINT32_MAX;
  };
  std::unordered_map<DwarfTypeId, Room> m_roomFor;         // of types without a MethodTable
  std::vector<AotThreadPlaces::Noted> m_threadNotes;       // until they are connected
  std::unordered_map<Address, std::string> m_classOfCell;  // the linker's name of whose static fields it leads to
  std::optional<AotThreadPlaces> m_threadPlaces;
  std::vector<ThreadStaticsOwner> m_threadOwners;
  std::unordered_set<Address> m_namedCells;
  std::unordered_set<DwarfTypeId> m_namedThreadStatics;
  std::vector<Address> m_all;
  mutable std::mutex m_mutex;
  mutable std::unordered_map<Address, std::string> m_plainNames;
};

}  // namespace heapscape::engine
