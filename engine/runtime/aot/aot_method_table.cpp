// SPDX-License-Identifier: MIT
#include "runtime/aot/aot_method_table.h"

#include <fmt/format.h>
#include <array>
#include <utility>

#include "base/limits.h"
#include "runtime/aot/native_format.h"

namespace heapscape::engine {
namespace {

/// Fixed part of a MethodTable; its vtable, its interfaces and optional members follow.
struct AotTypeHead {
  std::uint32_t flags;
  std::uint32_t baseSize;
  Address related;
  std::uint16_t vtableSlots;
  std::uint16_t interfaces;
  std::uint32_t hashCode;
};
static_assert(sizeof(AotTypeHead) == 24);

constexpr std::uint32_t kAotKindShift = 16;
constexpr std::uint32_t kAotKindMask = 3;
constexpr std::uint32_t kAotHasDispatchMap = 0x00040000;
constexpr std::uint32_t kAotIsDynamic = 0x00080000;
constexpr std::uint32_t kAotHasFinalizer = 0x00100000;
constexpr std::uint32_t kAotHasSealedSlots = 0x00400000;
constexpr std::uint32_t kAotIsGeneric = 0x02000000;
constexpr std::uint32_t kAotElementTypeShift = 26;
constexpr std::uint32_t kAotElementTypeMask = 0x1f;
constexpr std::uint32_t kAotHasComponentSize = 0x80000000;
constexpr std::uint32_t kAotComponentSizeMask = 0xffff;
constexpr std::uint32_t kAotValuePaddingShift = 5;  // where there are no optional fields
constexpr std::uint32_t kAotValuePaddingMask = 7;
constexpr std::uint32_t kAotIsUnmanagedFunction = 0x80000000;  // with the number of a function pointer's parameters
constexpr std::uint64_t kAotIndirection = 1;                   // of a pointer to a cell that has the address

constexpr std::uint32_t kAotSzArrayBaseSize = 24;
constexpr std::uint32_t kAotBytesPerDimension = 8;  // length and lower bound
constexpr std::uint32_t kAotMostDimensions = 32;
constexpr std::uint32_t kAotBoxBytes = 2 * kPointerBytes;  // header and MethodTable pointer

constexpr std::uint8_t kAotNullable = 0x12;
constexpr std::uint8_t kAotClass = 0x14;  // from here on no value types
constexpr std::uint8_t kAotInterface = 0x15;

/// EETypeElementType by its value.
constexpr std::array kAotElementTypes{
    ElementType::End,   ElementType::Void,      ElementType::Boolean,   ElementType::Char,      ElementType::I1,
    ElementType::U1,    ElementType::I2,        ElementType::U2,        ElementType::I4,        ElementType::U4,
    ElementType::I8,    ElementType::U8,        ElementType::I,         ElementType::U,         ElementType::R4,
    ElementType::R8,    ElementType::ValueType, ElementType::ValueType, ElementType::ValueType, ElementType::End,
    ElementType::Class, ElementType::Class,     ElementType::Class,     ElementType::Array,     ElementType::SzArray,
    ElementType::ByRef, ElementType::Ptr,       ElementType::FnPtr};

tl::unexpected<Error> noAotMethodTable(Address address) {
  return failure(ErrorCode::Damaged, fmt::format("There is no method table at {}.", toString(address)));
}

/// What the number in the place of a parameterised type's base size says.
bool isParameterisedShape(ElementType element, std::uint32_t shape) {
  const std::uint32_t bounds = shape - kAotSzArrayBaseSize;
  switch (element) {
    case ElementType::Ptr:
    case ElementType::ByRef:
      return shape < kAotSzArrayBaseSize;
    case ElementType::SzArray:
    case ElementType::End:  // free objects
      return shape == kAotSzArrayBaseSize;
    case ElementType::Array:
      return shape > kAotSzArrayBaseSize && bounds % kAotBytesPerDimension == 0 &&
             bounds / kAotBytesPerDimension <= kAotMostDimensions;
    default:
      return false;
  }
}

}  // namespace

Result<AotMethodTable> AotMethodTables::read(Address address) const {
  if (!address || address.value % kPointerBytes != 0) return noAotMethodTable(address);
  HEAPSCAPE_TRY(const AotTypeHead head, m_memory.read<AotTypeHead>(address));
  const auto element = static_cast<std::uint8_t>((head.flags >> kAotElementTypeShift) & kAotElementTypeMask);
  if (element >= kAotElementTypes.size() || head.related.value % kPointerBytes != 0) return noAotMethodTable(address);

  AotMethodTable type;
  type.address = address;
  type.flags = head.flags;
  type.vtableSlots = head.vtableSlots;
  type.interfaces = head.interfaces;
  type.kind = static_cast<AotTypeKind>((head.flags >> kAotKindShift) & kAotKindMask);
  type.elementType = kAotElementTypes[element];
  // On .NET 8 a generic definition has its arity in the place of a component size.
  type.hasComponentSize = (head.flags & kAotHasComponentSize) != 0 && type.kind != AotTypeKind::GenericDefinition;
  type.componentSize = type.hasComponentSize ? head.flags & kAotComponentSizeMask : 0;
  type.containsPointers = (head.flags & m_layout.containsPointersFlag) != 0;
  type.hasFinalizer = (head.flags & kAotHasFinalizer) != 0;
  type.isGenericInstance = (head.flags & kAotIsGeneric) != 0;
  type.isDynamic = (head.flags & kAotIsDynamic) != 0;
  type.isInterface = element == kAotInterface;
  type.isNullable = element == kAotNullable;

  switch (type.kind) {
    case AotTypeKind::Canonical:
      type.baseSize = head.baseSize;
      type.parent = head.related;
      type.isStaticsBase = (head.flags & ~m_layout.containsPointersFlag) == 0;
      // Nothing asks such a type for more than its size and its references: the compiler ends it here.
      if (type.isStaticsBase) type.vtableSlots = type.interfaces = 0;
      type.isValueType = element > 0 && element < kAotClass;
      break;
    case AotTypeKind::Parameterised:
      if (!isParameterisedShape(type.elementType, head.baseSize)) return noAotMethodTable(address);
      type.parameter = head.related;
      type.isSzArray = type.elementType == ElementType::SzArray;
      type.isArray = type.isSzArray || type.elementType == ElementType::Array;
      if (type.isArray) {
        type.baseSize = head.baseSize;
        type.arrayRank = type.isSzArray ? 1 : (head.baseSize - kAotSzArrayBaseSize) / kAotBytesPerDimension;
      }
      if (type.elementType == ElementType::End) type.baseSize = head.baseSize;
      break;
    case AotTypeKind::FunctionPointer:
      if (type.elementType != ElementType::FnPtr) return noAotMethodTable(address);
      type.parameter = head.related;
      break;
    case AotTypeKind::GenericDefinition:
      type.isValueType = element > 0 && element < kAotClass;
      break;
  }
  return type;
}

Result<std::vector<Address>> AotMethodTables::interfaces(const AotMethodTable& type) const {
  const Address map = type.address + sizeof(AotTypeHead) + std::uint64_t{kPointerBytes} * type.vtableSlots;
  std::vector<Address> found(type.interfaces);
  if (!m_memory.tryRead(map, std::as_writable_bytes(std::span(found)))) return noAotMethodTable(type.address);
  for (Address& interface : found) {
    if ((interface.value & kAotIndirection) == 0) continue;
    HEAPSCAPE_TRY(interface, m_memory.readPointer(interface - kAotIndirection));
  }
  return found;
}

Result<std::vector<Address>> AotMethodTables::virtualSlots(const AotMethodTable& type) const {
  std::vector<Address> slots(type.vtableSlots);
  if (!m_memory.tryRead(type.address + sizeof(AotTypeHead), std::as_writable_bytes(std::span(slots))))
    return noAotMethodTable(type.address);
  return slots;
}

Result<Address> AotMethodTables::genericDefinition(const AotMethodTable& type) const {
  if (!type.isGenericInstance)
    return failure(ErrorCode::NotFound, fmt::format("Type {} is no generic instance.", toString(type.address)));
  return follow(type, memberAddress(type, Member::GenericDefinition));
}

Result<std::vector<Address>> AotMethodTables::typeArguments(const AotMethodTable& type) const {
  if (!type.isGenericInstance) return std::vector<Address>{};
  HEAPSCAPE_TRY(const Address definition, genericDefinition(type));
  HEAPSCAPE_TRY(const std::uint32_t count, arity(definition));
  Address list = memberAddress(type, Member::GenericComposition);
  if (count > 1) {  // a single argument lies there itself
    HEAPSCAPE_TRY(list, follow(type, list));
  }
  return followAll(type, list, count);
}

Result<std::uint32_t> AotMethodTables::arity(Address genericDefinition) const {
  HEAPSCAPE_TRY(const AotMethodTable definition, read(genericDefinition));
  HEAPSCAPE_TRY(const std::uint16_t count, m_memory.read<std::uint16_t>(genericDefinition + m_layout.arityOffset));
  if (definition.kind != AotTypeKind::GenericDefinition || count == 0 || count > kLimits.typeArguments) {
    return failure(ErrorCode::Damaged,
                   fmt::format("There is no generic definition at {}.", toString(genericDefinition)));
  }
  return count;
}

Result<std::vector<Address>> AotMethodTables::functionParameters(const AotMethodTable& type) const {
  if (type.kind != AotTypeKind::FunctionPointer) return std::vector<Address>{};
  HEAPSCAPE_TRY(const auto head, m_memory.read<AotTypeHead>(type.address));
  return followAll(type, memberAddress(type, Member::FunctionParameters), head.baseSize & ~kAotIsUnmanagedFunction);
}

Result<std::uint32_t> AotMethodTables::valueSize(const AotMethodTable& type) const {
  std::uint32_t padding = (type.flags >> kAotValuePaddingShift) & kAotValuePaddingMask;
  if (m_layout.optionalFieldsFlag) {
    padding = 0;
    if (type.flags & m_layout.optionalFieldsFlag) {
      HEAPSCAPE_TRY(const Address fields, follow(type, memberAddress(type, Member::OptionalFields)));
      padding = valuePaddingOf(m_memory.prefix(fields, kMostOptionalFieldBytes));
    }
  }
  if (!type.isValueType || type.baseSize < kAotBoxBytes + padding) return noAotMethodTable(type.address);
  return type.baseSize - kAotBoxBytes - padding;
}

Result<Address> AotMethodTables::typeManager(const AotMethodTable& type) const {
  if (type.isStaticsBase)
    return failure(ErrorCode::NotFound, fmt::format("Type {} belongs to no module.", toString(type.address)));
  HEAPSCAPE_TRY(const Address cell, follow(type, memberAddress(type, Member::TypeManager)));
  return m_memory.readPointer(cell);
}

// MethodTable.GetFieldOffset.
Address AotMethodTables::memberAddress(const AotMethodTable& type, Member member) const {
  const std::array<std::pair<Member, bool>, 8> before{{
      {Member::TypeManager, true},
      {Member::WritableData, true},
      {Member::DispatchMap, (type.flags & kAotHasDispatchMap) != 0},
      {Member::Finalizer, type.hasFinalizer},
      {Member::OptionalFields, (type.flags & m_layout.optionalFieldsFlag) != 0},
      {Member::SealedSlots, (type.flags & kAotHasSealedSlots) != 0},
      {Member::GenericDefinition, type.isGenericInstance},
      {Member::GenericComposition, type.isGenericInstance},
  }};
  Address address = type.address + sizeof(AotTypeHead) +
                    std::uint64_t{kPointerBytes} * (std::uint32_t{type.vtableSlots} + type.interfaces);
  for (const auto& [earlier, isThere] : before) {
    if (earlier == member) break;
    if (isThere) address += pointerBytes(type);
  }
  return address;
}

std::uint32_t AotMethodTables::pointerBytes(const AotMethodTable& type) const {
  return type.isDynamic ? kPointerBytes : sizeof(std::int32_t);
}

// Compiled types have relative pointers, which may lead to a cell with the address in it.
Result<Address> AotMethodTables::follow(const AotMethodTable& type, Address pointer) const {
  Address target;
  if (type.isDynamic) {
    HEAPSCAPE_TRY(target, m_memory.readPointer(pointer));
  } else {
    HEAPSCAPE_TRY(const std::int32_t distance, m_memory.read<std::int32_t>(pointer));
    target = {pointer.value + static_cast<std::uint64_t>(std::int64_t{distance})};
  }
  // Where a pointer lies at a multiple of 4, its lowest bit is the distance's own.
  if (target.value & kAotIndirection) return m_memory.readPointer(target - kAotIndirection);
  return target;
}

Result<std::vector<Address>> AotMethodTables::followAll(const AotMethodTable& type, Address list,
                                                        std::uint32_t count) const {
  if (count > kLimits.typeArguments) return noAotMethodTable(type.address);
  std::vector<Address> types;
  types.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    HEAPSCAPE_TRY(const Address item, follow(type, list + std::uint64_t{pointerBytes(type)} * i));
    types.push_back(item);
  }
  return types;
}

}  // namespace heapscape::engine
