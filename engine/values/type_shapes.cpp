// SPDX-License-Identifier: MIT
#include "values/type_shapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <ranges>
#include <set>
#include <utility>

#include "base/address.h"
#include "base/bounded_reader.h"
#include "base/limits.h"
#include "graph/gc_desc.h"
#include "layout/repeated_field.h"
#include "metadata/signature.h"
#include "values/primitive_values.h"

namespace heapscape::engine {
namespace {

constexpr std::uint16_t kLiteralField = 0x40;  // FieldAttributes.Literal, ECMA-335 II.23.1.5
constexpr std::string_view kFlagsAttribute = "System.FlagsAttribute";

std::uint64_t cutTo(ElementType underlying, std::uint64_t bits) {
  const std::uint32_t size = primitiveSize(underlying);
  return size == 0 || size >= 8 ? bits : bits & ((1ull << 8 * size) - 1);
}

}  // namespace

EnumNames readEnumNames(const Metadata& metadata, std::uint32_t typeDefRow, ElementType underlying) {
  EnumNames names;
  names.isFlags = metadata.typeAttribute(typeDefRow, kFlagsAttribute).has_value();
  const auto [first, last] = metadata.fieldRowsOf(typeDefRow);
  for (std::uint32_t place = first; place < last; ++place) {
    const std::uint32_t row = metadata.fieldRowAt(place);
    const auto field = metadata.field(row);
    if (!field || !(field->flags & kLiteralField)) continue;
    const auto constant = metadata.constantOf({TableId::Field, row});
    if (!constant || constant->value.empty()) continue;
    std::uint64_t value = 0;
    std::memcpy(&value, constant->value.data(), std::min(constant->value.size(), sizeof value));
    names.members.push_back({cutTo(underlying, value), std::string(field->name)});
  }
  std::ranges::stable_sort(names.members, {}, &EnumNames::Member::value);
  return names;
}

bool lookLikeFlags(std::span<const EnumNames::Member> members) {
  constexpr int kFewestBits = 3;
  std::uint64_t bits = 0, largest = 0, all = 0;
  bool hasThree = false;
  for (const EnumNames::Member& member : members) {
    all |= member.value;
    largest = std::max(largest, member.value);
    hasThree = hasThree || member.value == 3;
    if (std::has_single_bit(member.value)) bits |= member.value;
  }
  // Counted ones, as 0, 1, 2, 3, 4, have as many members as their largest value says.
  const bool areCounted = hasThree && largest <= members.size();
  return std::popcount(bits) >= kFewestBits && all == bits && !areCounted;
}

std::string enumText(const EnumNames& names, ElementType underlying, std::uint64_t bits) {
  const std::uint64_t value = cutTo(underlying, bits);
  const auto exact = std::ranges::lower_bound(names.members, value, {}, &EnumNames::Member::value);
  if (exact != names.members.end() && exact->value == value) return exact->name;
  if (!names.isFlags || value == 0) return integerText(underlying, value);
  // From the highest member down, as System.Enum does it, so that combined members come before their parts.
  std::uint64_t rest = value;
  std::string text;
  for (const EnumNames::Member& member : names.members | std::views::reverse) {
    if (member.value == 0 || (rest & member.value) != member.value) continue;
    rest &= ~member.value;
    text = text.empty() ? member.name : member.name + " | " + text;
  }
  return rest == 0 ? text : integerText(underlying, value);
}

namespace {

constexpr std::uint32_t kTypedReferenceBytes = 16;
constexpr std::uint32_t kObjectOverheadBytes = 16;  // header and method table pointer

bool isPointer(ElementType element) {
  return element == ElementType::Ptr || element == ElementType::FnPtr || element == ElementType::ByRef;
}

// A field of a value type that is not known reaches up to the next.
void closeUnknown(std::vector<FieldShape>& fields, std::uint32_t end) {
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].slot.sizeBytes) continue;
    const std::uint32_t next = i + 1 < fields.size() ? fields[i + 1].offset : end;
    fields[i].slot.sizeBytes = next - std::min(next, fields[i].offset);
  }
}

}  // namespace

const FieldShape* TypeShape::field(std::string_view fieldName) const {
  const auto found = std::ranges::find(fields, fieldName, &FieldShape::name);
  return found == fields.end() ? nullptr : &*found;
}

TypeShapes::TypeShapes(const RuntimeReaders& readers)
    : m_readers(readers),
      m_enumType(readers.runtime.globalPointer("EnumMethodTable").value_or(Address{})),
      m_stringType(readers.runtime.globalPointer("StringMethodTable").value_or(Address{})) {}

const TypeShape* TypeShapes::find(Address methodTable) const {
  const auto known = m_shapes.find(methodTable);
  if (known != m_shapes.end()) return known->second.get();
  return m_shapes.emplace(methodTable, read(methodTable)).first->second.get();  // two who ask at once may both read
}

const FieldShape* TypeShapes::fieldOf(const TypeShape& shape, std::string_view name) const {
  const TypeShape* level = &shape;
  for (std::size_t depth = 0; level && depth < kLimits.parentDepth && level->damage.empty(); ++depth) {
    if (const FieldShape* found = level->field(name)) return found;
    level = level->type.parent ? find(level->type.parent) : nullptr;
  }
  return nullptr;
}

std::unique_ptr<TypeShape> TypeShapes::read(Address methodTable) const {
  const auto type = m_readers.methodTables.read(methodTable);
  if (!type) return nullptr;
  auto shape = std::make_unique<TypeShape>();
  shape->type = *type;
  shape->name = m_readers.names.nameOf(methodTable);
  shape->sizeBytes = type->baseSize - std::min(type->baseSize, kObjectOverheadBytes);
  if (type->isValueType) describeValueType(*shape);
  readFields(*shape);
  return shape;
}

void TypeShapes::describeValueType(TypeShape& shape) const {
  const MethodTable& type = shape.type;
  const ElementType element = m_readers.methodTables.normalisedElementType(type).value_or(ElementType::ValueType);
  shape.kind = TypeShape::Kind::Struct;
  shape.sizeBytes = m_readers.methodTables.valueSize(type).value_or(0);
  if (type.isNullable) {
    shape.kind = TypeShape::Kind::Nullable;
  } else if (type.parent == m_enumType && primitiveSize(element)) {
    shape.kind = TypeShape::Kind::Enum;
    const Module* module = m_readers.modules.definingModule(m_readers.methodTables, type);
    const auto row = m_readers.methodTables.typeDefRow(type);
    if (module && module->metadata && row) shape.enumNames = readEnumNames(*module->metadata, *row, element);
    const std::vector<EnumLiteral> literals = m_readers.fields.literalsOf(type);
    for (const EnumLiteral& literal : literals)
      shape.enumNames.members.push_back({cutTo(element, literal.value), literal.name});
    if (!literals.empty())
      shape.enumNames.isFlags = m_readers.fields.isToldAsFlags(type).value_or(lookLikeFlags(shape.enumNames.members));
    std::ranges::stable_sort(shape.enumNames.members, {}, &EnumNames::Member::value);
  } else if (type.isPrimitive && primitiveSize(element)) {
    shape.kind = TypeShape::Kind::Primitive;
  }
  if (shape.kind == TypeShape::Kind::Primitive || shape.kind == TypeShape::Kind::Enum) {
    shape.element = element;
    shape.sizeBytes = primitiveSize(element);
  }
}

// Where nothing tells of fields the type itself tells which words are references: each is called by its place.
void TypeShapes::readReferences(TypeShape& shape) const {
  const ClrRuntime& runtime = m_readers.runtime;
  const auto places = readGcDesc(runtime, shape.type);
  if (shape.type.isArray || !places) return;
  std::set<std::uint64_t> inherited;
  if (!shape.type.isValueType && shape.type.parent) {
    const auto parent = m_readers.methodTables.read(shape.type.parent);
    const auto theirs = parent ? readGcDesc(runtime, *parent) : Result<GcDesc>(GcDesc());
    if (parent && theirs)
      theirs->forEachPlace(alignUp(parent->baseSize, kPointerBytes), [&](auto place) { inherited.insert(place); });
  }
  places->forEachPlace(alignUp(shape.type.baseSize, kPointerBytes), [&](std::uint64_t place) {
    if (inherited.contains(place)) return;
    Slot slot;
    slot.kind = Slot::Kind::Reference;
    slot.typeName = "System.Object";
    slot.sizeBytes = kPointerBytes;
    shape.fields.push_back({fmt::format("+{}", place), static_cast<std::uint32_t>(place - kFieldsStart), slot});
  });
}

void TypeShapes::readFields(TypeShape& shape) const {
  if (!m_readers.fields.areTold()) return readReferences(shape);
  const auto declared = m_readers.fields.declaredBy(shape.type);
  if (!declared) {
    if (declared.error().code == ErrorCode::NotFound) return readReferences(shape);
    shape.damage = declared.error().what;
    return;
  }
  const SignatureContext context = contextOf(shape.type);
  for (const FieldDesc& field : *declared) {
    if (!field.isStatic) shape.fields.push_back({field.name, field.offset, slotIn(field, context)});
  }
  std::ranges::stable_sort(shape.fields, {}, &FieldShape::offset);
  closeUnknown(shape.fields, shape.sizeBytes);
  if (shape.fields.size() == 1) {
    shape.repeat = repeatOfOnlyField(m_readers.methodTables, m_readers.modules, m_readers.fields, shape.type,
                                     shape.name, shape.fields.front().slot.sizeBytes);
  }
}

SignatureContext TypeShapes::contextOf(const MethodTable& type) const {
  SignatureContext context{m_readers.modules.definingModule(m_readers.methodTables, type), {}};
  if (auto arguments = m_readers.methodTables.typeArguments(type)) context.arguments = std::move(*arguments);
  return context;
}

Slot TypeShapes::slotOf(const FieldDesc& field, const MethodTable& declaring) const {
  return slotIn(field, contextOf(declaring));
}

Slot TypeShapes::slotIn(const FieldDesc& field, const SignatureContext& context) const {
  Slot slot;
  const auto signature = decodeFieldSignature(field.signature);
  slot.typeName = m_readers.resolver.nameOf(field, context);
  if (field.elementType == ElementType::Class) {
    slot.kind = Slot::Kind::Reference;
    slot.sizeBytes = kPointerBytes;
  } else if (field.elementType == ElementType::TypedByRef) {
    slot.kind = Slot::Kind::TypedReference;
    slot.sizeBytes = kTypedReferenceBytes;
  } else if (isPointer(field.elementType) || (signature && isPointer(signature->element))) {
    slot.kind = Slot::Kind::Pointer;
    slot.sizeBytes = kPointerBytes;
  } else {
    const std::uint32_t primitiveBytes = primitiveSize(field.elementType);
    Slot byType = slotOf(m_readers.resolver.find(field, context));
    const bool fits = byType.kind == Slot::Kind::ValueType && (!primitiveBytes || byType.sizeBytes == primitiveBytes);
    if (fits) {
      byType.typeName = std::move(slot.typeName);
      return byType;
    }
    slot.kind = primitiveBytes ? Slot::Kind::Primitive : Slot::Kind::Unknown;
    slot.element = field.elementType;
    slot.sizeBytes = primitiveBytes;
    if (slot.typeName.empty()) slot.typeName = primitiveName(field.elementType);
  }
  return slot;
}

Slot TypeShapes::slotOf(const SignatureType& type, const SignatureContext& context) const {
  Slot slot;
  const bool isReference = type.element == ElementType::String || type.element == ElementType::Object ||
                           type.element == ElementType::Class || type.element == ElementType::SzArray ||
                           type.element == ElementType::Array ||
                           (type.element == ElementType::GenericInst && !type.isValueType);
  if (isReference || isPointer(type.element)) {
    slot.kind = isReference ? Slot::Kind::Reference : Slot::Kind::Pointer;
    slot.sizeBytes = kPointerBytes;
  } else if (type.element == ElementType::TypedByRef) {
    slot.kind = Slot::Kind::TypedReference;
    slot.sizeBytes = kTypedReferenceBytes;
  } else if (slot = slotOf(m_readers.resolver.find(type, context)); slot.kind == Slot::Kind::Unknown) {
    if (const std::uint32_t bytes = primitiveSize(type.element)) {
      slot.kind = Slot::Kind::Primitive;
      slot.element = type.element;
      slot.sizeBytes = bytes;
    }
  }
  slot.typeName = m_readers.resolver.nameOf(type, context);
  return slot;
}

Slot TypeShapes::slotOf(TypeHandle type) const {
  Slot slot;
  if (!type) return slot;
  slot.type = type;
  slot.typeName = m_readers.names.nameOf(type);
  if (m_readers.methodTables.isTypeDesc(type)) {
    slot.kind = Slot::Kind::Pointer;
    slot.sizeBytes = kPointerBytes;
    return slot;
  }
  const auto methodTable = m_readers.methodTables.read(type);
  if (!methodTable) return slot;
  slot.kind = methodTable->isValueType ? Slot::Kind::ValueType : Slot::Kind::Reference;
  slot.sizeBytes =
      methodTable->isValueType ? m_readers.methodTables.valueSize(*methodTable).value_or(0) : kPointerBytes;
  return slot;
}

}  // namespace heapscape::engine
