// SPDX-License-Identifier: MIT
#include "runtime/types/method_tables.h"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <bit>

#include "base/address.h"
#include "base/bounded_reader.h"
#include "base/limits.h"
#include "runtime/aot/aot_program.h"

namespace heapscape::engine {
namespace {

constexpr std::uint64_t kSlotsPerVtableChunk = 8;
constexpr std::uint32_t kBoxBytes = 2 * kPointerBytes;  // header and method table pointer

tl::unexpected<Error> noMethodTable(Address address) {
  return failure(ErrorCode::Damaged, fmt::format("There is no method table at {}.", toString(address)));
}

constexpr std::uint64_t kMethodTableBytes = 64;  // of a method table, as far as its members lie on all runtimes

tl::unexpected<Error> noModules() {
  return failure(ErrorCode::NotFound, "A Native AOT program has no modules: its assemblies became one program.");
}

}  // namespace

MethodTables::MethodTables(const ClrRuntime& runtime)
    : m_runtime(runtime), m_aot(runtime.aot() ? &runtime.aot()->methodTables : nullptr) {
  if (m_aot) m_enumType = runtime.globalPointer("EnumMethodTable").value_or(Address{});
  const Contract& contract = runtime.contract();
  m_flags = contract.offset("MethodTable", "MTFlags");
  m_baseSize = contract.offset("MethodTable", "BaseSize");
  m_parent = contract.offset("MethodTable", "ParentMethodTable");
  m_classOrCanonical = contract.offset("MethodTable", "EEClassOrCanonMT");
  m_classMethodTable = contract.offset("EEClass", "MethodTable");
  m_hasComponentSize = contract.constant("MTFlags.HasComponentSize");
  m_componentSizeMask = contract.constant("MTFlags.ComponentSizeMask");
  m_containsPointers = contract.constant("MTFlags.ContainsGCPointers");
  m_collectible = contract.constant("MTFlags.Collectible");
  m_arrayMask = contract.constant("MTFlags.ArrayMask");
  m_arrayValue = contract.constant("MTFlags.ArrayValue");
  m_categoryMask = contract.constant("MTFlags.CategoryMask");
  m_szArray = contract.constant("MTFlags.Category.SzArray");
  m_interface = contract.constant("MTFlags.Category.Interface");
  m_valueType = contract.constant("MTFlags.Category.ValueType");
  m_nullable = contract.constant("MTFlags.Category.Nullable");
  m_primitive = contract.constant("MTFlags.Category.TruePrimitive");
  m_genericsMask = contract.constant("MTFlags.GenericsMask");
  m_canonicalBit = contract.constant("CanonMTBit");
  m_typeDescBit = contract.constant("TypeHandle.TypeDescBit");
  if (contract.has("ContinuationObject", "Next"))
    m_continuationClass = runtime.globalPointer("ContinuationEEClass").value_or(Address{});
}

namespace {

/// A type that was compiled ahead of time, as others are told: it has no EEClass, and is its own canonical form.
MethodTable fromAot(const AotMethodTable& read, Address enumType) {
  MethodTable type;
  type.address = read.address;
  type.flags = read.flags;
  type.baseSize = read.baseSize;
  type.componentSize = read.componentSize;
  type.parent = read.parent;
  type.canonical = read.address;
  type.hasComponentSize = read.hasComponentSize;
  type.containsPointers = read.containsPointers;
  type.isArray = read.isArray;
  type.isSzArray = read.isSzArray;
  type.isInterface = read.isInterface;
  type.isValueType = read.isValueType;
  type.isNullable = read.isNullable;
  type.isPrimitive = read.isValueType && read.elementType != ElementType::ValueType && read.parent != enumType;
  type.isGenericInstance = read.isGenericInstance;
  return type;
}

/// A type that only the program's debugging information tells of.
Result<AotPlainType> plainType(const AotProgram& program, Address handle) {
  const AotToldTypes* told = program.debugFile.types();
  const auto plain = told ? told->plainType(handle) : std::nullopt;
  if (!plain) return noMethodTable(handle);
  return *plain;
}

Result<MethodTable> fromPlain(const AotProgram& program, Address handle, Address enumType) {
  const auto plain = plainType(program, handle);
  if (!plain) return tl::unexpected<Error>(plain.error());
  MethodTable type;
  type.address = type.canonical = handle;
  type.baseSize = static_cast<std::uint32_t>(alignUp(std::uint64_t{plain->sizeBytes} + kBoxBytes, kPointerBytes));
  if (plain->isEnum) type.parent = enumType;
  type.containsPointers = plain->containsPointers;
  type.isValueType = plain->isValueType;
  type.isNullable = plain->isNullable;
  return type;
}

}  // namespace

Result<MethodTable> MethodTables::read(Address address) const {
  if (m_aot && AotToldTypes::isPlain(address)) return fromPlain(*m_runtime.aot(), address, m_enumType);
  if (m_aot) return m_aot->read(address).map([&](const AotMethodTable& read) { return fromAot(read, m_enumType); });
  MethodTable type;
  type.address = address;
  const AddressSpace& memory = m_runtime.memory();
  const Bytes head = memory.prefix(address, kMethodTableBytes);  // found once for all members
  const auto read = [&](std::uint64_t offset, auto& value) {
    return tryReadAt(head, offset, value) || memory.tryRead(address + offset, value);
  };
  Address classOrCanonical;
  if (!read(m_flags, type.flags) || !read(m_baseSize, type.baseSize) || !read(m_parent, type.parent) ||
      !read(m_classOrCanonical, classOrCanonical)) {
    return noMethodTable(address);
  }
  type.hasComponentSize = (type.flags & m_hasComponentSize) != 0;
  type.componentSize = type.hasComponentSize ? static_cast<std::uint32_t>(type.flags & m_componentSizeMask) : 0;
  type.containsPointers = (type.flags & m_containsPointers) != 0;
  type.isCollectible = (type.flags & m_collectible) != 0;
  type.isArray = (type.flags & m_arrayMask) == m_arrayValue;
  type.isSzArray = (type.flags & m_categoryMask) == m_szArray;
  type.isInterface = (type.flags & m_categoryMask) == m_interface;
  // Value type, Nullable, primitive-like and primitive differ only in the category's low bits, which arrays reuse.
  type.isValueType = (type.flags & m_arrayMask) == m_valueType;
  type.isNullable = (type.flags & m_categoryMask) == m_nullable;
  type.isPrimitive = (type.flags & m_categoryMask) == m_primitive;
  type.isGenericInstance = !type.hasComponentSize && (type.flags & m_genericsMask) != 0;

  type.canonical = address;
  type.eeClass = classOrCanonical;
  if (classOrCanonical.value & m_canonicalBit) {
    type.canonical = {classOrCanonical.value & ~m_canonicalBit};
    if (!memory.tryRead(type.canonical + m_classOrCanonical, type.eeClass)) return noMethodTable(address);
  }
  Address named;
  if (!memory.tryRead(type.eeClass + m_classMethodTable, named)) return noMethodTable(address);
  type.isContinuation = m_continuationClass && type.eeClass == m_continuationClass;
  if (named != type.canonical && !type.isContinuation) return noMethodTable(address);
  return type;
}

namespace {

bool isOfModule(const AotProgram& program, const AotMethodTable& type) {
  const auto typeManager = program.methodTables.typeManager(type);
  return typeManager && std::ranges::find(program.typeManagers, *typeManager) != program.typeManagers.end();
}

/// Whether a type lies at an address beyond doubt: it belongs to a module of this program. What holds static fields
/// belongs to none, lies in the program itself, and derives from what does.
bool isTypeOfProgram(const AotProgram& program, Address address) {
  constexpr std::uint32_t kLeastBaseSize = 3 * kPointerBytes;
  const auto type = program.methodTables.read(address);
  if (!type) return false;
  if (!type->isStaticsBase) return isOfModule(program, *type);
  const auto parent = program.methodTables.read(type->parent);
  return program.program.contains(address) && type->baseSize >= kLeastBaseSize && type->baseSize % kPointerBytes == 0 &&
         parent && !parent->isStaticsBase && isOfModule(program, *parent);
}

}  // namespace

bool MethodTables::isMethodTable(Address address) const {
  if (m_aot) return isTypeOfProgram(*m_runtime.aot(), address);
  return address && address.value % kPointerBytes == 0 && read(address).has_value();
}

bool MethodTables::isTypeDesc(TypeHandle handle) const {
  if (!m_aot) return (handle.value & m_typeDescBit) != 0;
  // What has no objects has a method table of its own here.
  const auto type = m_aot->read(handle);
  return type &&
         (type->kind == AotTypeKind::FunctionPointer || (type->kind == AotTypeKind::Parameterised && !type->isArray));
}

bool MethodTables::isTypeVariable(TypeHandle handle) const {
  if (m_aot) return false;  // nothing is open when it was compiled
  if (!isTypeDesc(handle)) return false;
  const auto flags = m_runtime.valueAt<std::uint32_t>(handle - m_typeDescBit, "TypeDesc", "TypeAndFlags");
  if (!flags) return false;
  const auto kind = static_cast<ElementType>(*flags & m_runtime.contract().constant("TypeDesc.KindMask"));
  return kind == ElementType::Var || kind == ElementType::MVar;
}

Result<Address> MethodTables::module(const MethodTable& type) const {
  if (m_aot) return noModules();
  if (m_runtime.contract().has("MethodTable", "Module"))
    return m_runtime.pointerAt(type.address, "MethodTable", "Module");
  return moduleThroughOverride(type);
}

// .NET 8 stores the loader module; where that is not the type's own, an optional member behind the vtable holds the
// module (MethodTable::GetModule, src/coreclr/vm/methodtable.inl).
Result<Address> MethodTables::moduleThroughOverride(const MethodTable& type) const {
  const Contract& contract = m_runtime.contract();
  if (!type.hasComponentSize && !type.isGenericInstance)
    return m_runtime.pointerAt(type.address, "MethodTable", "LoaderModule");
  const Address holder = type.isArray ? type.address : type.canonical;
  HEAPSCAPE_TRY(const std::uint16_t flags2, m_runtime.valueAt<std::uint16_t>(holder, "MethodTable", "Flags2"));
  const std::uint64_t overrideBit = contract.constant("WFlags2.HasModuleOverride");
  if ((flags2 & overrideBit) == 0) return m_runtime.pointerAt(holder, "MethodTable", "LoaderModule");
  HEAPSCAPE_TRY(const Address slot, multipurposeSlot(holder, overrideBit));
  return m_runtime.memory().readPointer(slot);
}

// Optional members take the places of others that are not there, in the order of their flags.
Result<Address> MethodTables::multipurposeSlot(Address methodTable, std::uint64_t flag) const {
  HEAPSCAPE_TRY(const std::uint16_t flags2, m_runtime.valueAt<std::uint16_t>(methodTable, "MethodTable", "Flags2"));
  const std::uint64_t mask = flags2 & m_runtime.contract().constant("WFlags2.MultipurposeMask") & (flag - 1);
  const auto members = static_cast<std::uint64_t>(std::popcount(mask));
  if (members == 0 || mask == 2) return m_runtime.member(methodTable, "MethodTable", "PerInstInfo");
  if (members == 1) return m_runtime.member(methodTable, "MethodTable", "InterfaceMap");
  HEAPSCAPE_TRY(const std::uint64_t size, sizeWithVtableChunks(methodTable));
  return methodTable + size + kPointerBytes * (members - 2);
}

Result<std::uint64_t> MethodTables::sizeWithVtableChunks(Address methodTable) const {
  HEAPSCAPE_TRY(const std::uint16_t virtuals,
                m_runtime.valueAt<std::uint16_t>(methodTable, "MethodTable", "NumVirtuals"));
  return m_runtime.contract().sizeOf("MethodTable") +
         kPointerBytes * ((virtuals + kSlotsPerVtableChunk - 1) / kSlotsPerVtableChunk);
}

Result<Address> MethodTables::loaderModule(const MethodTable& type) const {
  if (m_aot) return noModules();
  if (m_runtime.contract().has("MethodTable", "LoaderModule")) {
    return m_runtime.pointerAt(type.address, "MethodTable", "LoaderModule");
  }
  HEAPSCAPE_TRY(const Address auxiliary, m_runtime.pointerAt(type.address, "MethodTable", "AuxiliaryData"));
  return m_runtime.pointerAt(auxiliary, "MethodTableAuxiliaryData", "LoaderModule");
}

Result<std::uint32_t> MethodTables::typeDefRow(const MethodTable& type) const {
  if (m_aot) return noModules();
  const Contract& contract = m_runtime.contract();
  const Address token = m_runtime.member(type.address, "MethodTable", "Token");
  if (contract.constant("MethodTable.TokenBytes") == 4) {
    HEAPSCAPE_TRY(const std::uint32_t value, m_runtime.memory().read<std::uint32_t>(token));
    return value >> contract.constant("MethodTable.TokenShift");
  }
  HEAPSCAPE_TRY(const std::uint16_t value, m_runtime.memory().read<std::uint16_t>(token));
  if (value == contract.constant("MethodTable.TokenOverflow")) {
    return failure(ErrorCode::NotFound, "The type's token does not fit its method table.");
  }
  return std::uint32_t{value};
}

Result<std::vector<TypeHandle>> MethodTables::typeArguments(const MethodTable& type) const {
  std::vector<TypeHandle> arguments;
  if (!type.isGenericInstance) return arguments;
  if (m_aot) return m_aot->read(type.address).and_then([&](const auto& read) { return m_aot->typeArguments(read); });
  const AddressSpace& memory = m_runtime.memory();
  const Contract& contract = m_runtime.contract();
  HEAPSCAPE_TRY(const Address perInstance, m_runtime.pointerAt(type.address, "MethodTable", "PerInstInfo"));
  // GenericsDictInfo lies right before the dictionaries' pointers.
  const Address info = perInstance - kPointerBytes;
  HEAPSCAPE_TRY(const std::uint16_t dictionaries,
                memory.read<std::uint16_t>(info + contract.offset("GenericsDictInfo", "NumDicts")));
  HEAPSCAPE_TRY(const std::uint16_t count,
                memory.read<std::uint16_t>(info + contract.offset("GenericsDictInfo", "NumTypeArgs")));
  if (dictionaries == 0 || dictionaries > kLimits.parentDepth || count > kLimits.typeArguments) {
    return failure(ErrorCode::Damaged,
                   fmt::format("The type arguments of method table {} are damaged.", toString(type.address)));
  }
  HEAPSCAPE_TRY(const Address dictionary, memory.readPointer(perInstance + kPointerBytes * (dictionaries - 1u)));
  for (std::uint32_t i = 0; i < count; ++i) {
    HEAPSCAPE_TRY(const Address argument, memory.readPointer(dictionary + kPointerBytes * i));
    arguments.push_back(argument);
  }
  return arguments;
}

Result<TypeHandle> MethodTables::arrayElementType(const MethodTable& array) const {
  if (m_aot) return m_aot->read(array.address).map([](const AotMethodTable& read) { return read.parameter; });
  return m_runtime.pointerAt(array.address, "MethodTable", "PerInstInfo");
}

Result<std::uint32_t> MethodTables::arrayRank(const MethodTable& array) const {
  if (array.isSzArray) return 1u;
  if (!m_runtime.contract().has("ArrayClass", "Rank")) {
    // Each dimension has a length and a lower bound between the count and the elements.
    constexpr std::uint64_t kBytesOfDimension = 2 * sizeof(std::int32_t);
    const std::uint64_t withoutBounds = m_runtime.contract().constant("ArrayBaseSize");
    if (array.baseSize <= withoutBounds) return noMethodTable(array.address);
    return static_cast<std::uint32_t>((array.baseSize - withoutBounds) / kBytesOfDimension);
  }
  HEAPSCAPE_TRY(const std::uint8_t rank, m_runtime.valueAt<std::uint8_t>(array.eeClass, "ArrayClass", "Rank"));
  return std::uint32_t{rank};
}

Result<ElementType> MethodTables::normalisedElementType(const MethodTable& type) const {
  if (m_aot && AotToldTypes::isPlain(type.address))
    return plainType(*m_runtime.aot(), type.address).map(&AotPlainType::element);
  if (m_aot) return m_aot->read(type.address).map([](const AotMethodTable& read) { return read.elementType; });
  HEAPSCAPE_TRY(const std::uint8_t element,
                m_runtime.valueAt<std::uint8_t>(type.eeClass, "EEClass", "InternalCorElementType"));
  return static_cast<ElementType>(element);
}

Result<std::uint32_t> MethodTables::valueSize(const MethodTable& type) const {
  if (m_aot && AotToldTypes::isPlain(type.address))
    return plainType(*m_runtime.aot(), type.address).map(&AotPlainType::sizeBytes);
  if (m_aot) return m_aot->read(type.address).and_then([&](const auto& read) { return m_aot->valueSize(read); });
  HEAPSCAPE_TRY(const std::uint8_t rounding,
                m_runtime.valueAt<std::uint8_t>(type.eeClass, "EEClass", "BaseSizePadding"));
  // The padding that the runtime notes includes the two words that every object has.
  if (rounding < 2 * kPointerBytes || type.baseSize < rounding) return noMethodTable(type.address);
  return type.baseSize - rounding;
}

namespace {

constexpr std::uint64_t kFlagBits = 3;

}  // namespace

Result<InterfaceMap> readInterfaceMap(const ClrRuntime& runtime, const MethodTable& type) {
  InterfaceMap map;
  if (const AotProgram* aot = runtime.aot()) {
    HEAPSCAPE_TRY(const AotMethodTable read, aot->methodTables.read(type.address));
    HEAPSCAPE_TRY(map.interfaces, aot->methodTables.interfaces(read));
    return map;
  }
  HEAPSCAPE_TRY(const std::uint16_t count,
                runtime.valueAt<std::uint16_t>(type.address, "MethodTable", "NumInterfaces"));
  if (count == 0) return map;
  HEAPSCAPE_TRY(map.address, runtime.pointerAt(type.address, "MethodTable", "InterfaceMap"));
  map.sizeBytes = static_cast<std::uint32_t>(kPointerBytes * count);
  for (std::uint32_t i = 0; i < count; ++i) {
    HEAPSCAPE_TRY(const Address entry, runtime.memory().readPointer(map.address + kPointerBytes * i));
    map.interfaces.push_back({entry.value & ~kFlagBits});
  }
  return map;
}

namespace {

// Names of constants in the contract; a version that has no such flag has no such constant.
constexpr std::array kHighFlags{"MTFlags.HasFinalizer", "MTFlags.Collectible", "MTFlags.ContainsGCPointers",
                                "MTFlags.ContainsGenericVariables", "MTFlags.HasComponentSize"};
// The component size of arrays and strings takes their place.
constexpr std::array kLowFlags{"MTFlags.HasVariance",          "MTFlags.HasDefaultCtor",
                               "MTFlags.HasPreciseInitCctors", "MTFlags.IsRegStructPassed",
                               "MTFlags.IsByRefLike",          "MTFlags.HasBoxedRegularStatics",
                               "MTFlags.HasBoxedThreadStatics"};
constexpr const char* kCriticalFinalizer = "MTFlags.HasCriticalFinalizer";
constexpr std::array kFlags2{
    "MTFlags2.HasPerInstInfo",          "MTFlags2.HasInterfaceMap",        "MTFlags2.DynamicStatics",
    "MTFlags2.HasDispatchMapSlot",      "WFlags2.HasNonVirtualSlots",      "WFlags2.HasModuleOverride",
    "MTFlags2.HasModuleDependencies",   "MTFlags2.IsIntrinsicType",        "MTFlags2.HasCctor",
    "MTFlags2.HasVirtualStaticMethods", "MTFlags2.HasBoxedRegularStatics", "WFlags2.HasSingleNonVirtualSlot"};
constexpr std::array kCategories{"MTFlags.Category.Class",         "MTFlags.Category.ValueType",
                                 "MTFlags.Category.Nullable",      "MTFlags.Category.PrimitiveValueType",
                                 "MTFlags.Category.TruePrimitive", "MTFlags.Category.Array",
                                 "MTFlags.Category.SzArray",       "MTFlags.Category.Interface"};

std::string shortName(std::string_view constant) {
  return std::string(constant.substr(constant.find('.') + 1));
}

}  // namespace

GenericForm genericFormOf(const ClrRuntime& runtime, const MethodTable& type) {
  if (!type.isGenericInstance) return GenericForm::None;
  if (runtime.aot()) return GenericForm::Closed;
  const Contract& contract = runtime.contract();
  const std::uint64_t form = type.flags & contract.constant("MTFlags.GenericsMask");
  if (form == contract.constant("MTFlags.Generics.TypicalInst")) return GenericForm::Typical;
  return form == contract.constant("MTFlags.Generics.SharedInst") ? GenericForm::Shared : GenericForm::Closed;
}

bool isOpen(const ClrRuntime& runtime, const MethodTable& type) {
  return (type.flags & runtime.contract().constant("MTFlags.ContainsGenericVariables")) != 0;
}

Result<std::uint32_t> readFlags2(const ClrRuntime& runtime, const MethodTable& type) {
  const Address flags = runtime.member(type.address, "MethodTable", "Flags2");
  if (runtime.contract().constant("MethodTable.TokenBytes") == sizeof(std::uint32_t)) {
    HEAPSCAPE_TRY(const std::uint32_t value, runtime.memory().read<std::uint32_t>(flags));
    return value & ((1u << runtime.contract().constant("MethodTable.TokenShift")) - 1);
  }
  HEAPSCAPE_TRY(const std::uint16_t value, runtime.memory().read<std::uint16_t>(flags));
  return std::uint32_t{value};
}

bool hasClassConstructor(const ClrRuntime& runtime, std::uint32_t flags2) {
  return (flags2 & runtime.contract().constant("MTFlags2.HasCctor")) != 0;
}

std::vector<std::string> flagNames(const ClrRuntime& runtime, const MethodTable& type, std::uint32_t flags2) {
  const Contract& contract = runtime.contract();
  std::vector<std::string> names;
  const auto addSet = [&](const auto& flags, std::uint32_t value) {
    for (const char* flag : flags) {
      if (value & contract.constant(flag)) names.push_back(shortName(flag));
    }
  };
  for (const char* category : kCategories) {
    if ((type.flags & contract.constant("MTFlags.CategoryMask")) == contract.constant(category))
      names.push_back(shortName(category));
  }
  addSet(kHighFlags, type.flags);
  if (!type.hasComponentSize) {
    addSet(kLowFlags, type.flags);
    switch (genericFormOf(runtime, type)) {
      case GenericForm::None:
        break;
      case GenericForm::Closed:
        names.emplace_back("Generics.GenericInst");
        break;
      case GenericForm::Shared:
        names.emplace_back("Generics.SharedInst");
        break;
      case GenericForm::Typical:
        names.emplace_back("Generics.TypicalInst");
        break;
    }
  }
  // A low bit on some versions, a high one on others.
  const std::uint64_t critical = contract.constant(kCriticalFinalizer);
  if ((type.flags & critical) && (!type.hasComponentSize || critical > contract.constant("MTFlags.ComponentSizeMask")))
    names.push_back(shortName(kCriticalFinalizer));
  addSet(kFlags2, flags2);
  return names;
}

}  // namespace heapscape::engine
