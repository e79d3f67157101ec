// SPDX-License-Identifier: MIT
#include "query/objects/field_path.h"

#include <cmath>
#include <cstring>

#include "base/ascii.h"
#include "base/limits.h"
#include "base/unicode.h"
#include "heap/object_head.h"
#include "metadata/names/generated_names.h"
#include "query/lexer.h"
#include "values/primitive_values.h"

namespace heapscape::engine {
namespace {

constexpr std::uint64_t kFieldsOffset = 8;  // of an object: behind the method table pointer
constexpr std::size_t kMostParts = 64;      // of a path

std::vector<std::string> partsOf(std::string_view path) {
  std::vector<std::string> parts;
  while (parts.size() < kMostParts) {
    const std::size_t dot = path.find('.');
    parts.emplace_back(path.substr(0, dot));
    if (dot == std::string_view::npos) break;
    path.remove_prefix(dot + 1);
  }
  return parts;
}

// "m_count" and "_count" are the field behind Count.
bool isBehind(std::string_view fieldName, std::string_view name) {
  for (const std::string_view prefix : {"_", "m_"}) {
    if (fieldName.starts_with(prefix) && equalsIgnoringCase(fieldName.substr(prefix.size()), name)) return true;
  }
  return false;
}

const FieldShape* findField(const TypeShape& shape, std::string_view name) {
  if (const FieldShape* exact = shape.field(name)) return exact;
  for (const FieldShape& field : shape.fields) {
    if (csharpFieldName(field.name) == name) return &field;
  }
  for (const FieldShape& field : shape.fields) {
    if (isBehind(field.name, name)) return &field;
  }
  return nullptr;
}

template <class T>
QueryValue integer(std::uint64_t bits) {
  return {.state = QueryValue::State::There, .number = static_cast<long double>(static_cast<T>(bits))};
}

QueryValue primitive(ElementType element, std::uint64_t bits) {
  using Width = QueryValue::Width;
  switch (element) {
    case ElementType::Boolean:
      return QueryValue::ofFlag((bits & 0xff) != 0);
    case ElementType::Char: {
      const auto unit = static_cast<char16_t>(bits);
      return {.state = QueryValue::State::There,
              .number = static_cast<long double>(unit),
              .text = toUtf8(std::u16string_view(&unit, 1))};
    }
    case ElementType::I1:
      return integer<std::int8_t>(bits);
    case ElementType::I2:
      return integer<std::int16_t>(bits);
    case ElementType::I4:
      return integer<std::int32_t>(bits);
    case ElementType::I8:
      return integer<std::int64_t>(bits);
    case ElementType::I: {
      const auto number = static_cast<std::int64_t>(bits);
      return number < 0 ? integer<std::int64_t>(bits) : QueryValue::ofAddress(bits);
    }
    case ElementType::U:
      return QueryValue::ofAddress(bits);
    case ElementType::U1:
      return integer<std::uint8_t>(bits);
    case ElementType::U2:
      return integer<std::uint16_t>(bits);
    case ElementType::U4:
      return integer<std::uint32_t>(bits);
    case ElementType::R4: {
      float value = 0;
      std::memcpy(&value, &bits, sizeof value);
      return {.state = QueryValue::State::There, .number = static_cast<long double>(value), .width = Width::Float};
    }
    case ElementType::R8: {
      double value = 0;
      std::memcpy(&value, &bits, sizeof value);
      return {.state = QueryValue::State::There, .number = static_cast<long double>(value), .width = Width::Double};
    }
    default:
      return integer<std::uint64_t>(bits);
  }
}

// A decimal or another wide number reads as one, too.
std::optional<long double> numberIn(const std::string& text) {
  const auto number = numberFrom<long double>(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

// "2024-02-29 12:30:00 UTC" without what says whose clock it was, so that it can be compared.
void cutClock(std::string& text) {
  for (const std::string_view clock : {" UTC", " local"}) {
    if (text.ends_with(clock)) text.resize(text.size() - clock.size());
  }
}

}  // namespace

FieldPathReader::FieldPathReader(const Contents& contents, const ValueReader& values, std::string_view path)
    : m_contents(contents),
      m_values(values),
      m_sources(values.instances()),
      m_stringType(contents.readers->runtime.globalPointer("StringMethodTable").value_or(Address{})),
      m_parts(partsOf(path)) {}

FieldPathReader::Hop& FieldPathReader::hopOf(Address methodTable, std::size_t part) {
  const Key key{methodTable.value, part};
  const auto known = m_hops.find(key);
  if (known != m_hops.end()) return known->second;
  return m_hops.emplace(key, findHop(methodTable, part)).first->second;
}

FieldPathReader::Hop FieldPathReader::findHop(Address methodTable, std::size_t part) const {
  Hop hop;
  findCount(methodTable, part, hop);
  const TypeShape* shape = hop.isCount ? nullptr : m_values.shapes().find(methodTable);
  for (std::size_t depth = 0; shape && depth < kLimits.parentDepth; ++depth) {
    const FieldShape* field = nullptr;
    if (part < m_parts.size()) field = findField(*shape, m_parts[part]);
    if (!field) {
      // A value type has no fields of its base types.
      const bool hasParent = !hop.slot && shape->type.parent;
      shape = hasParent ? m_values.shapes().find(shape->type.parent) : nullptr;
      continue;
    }
    hop.slot = &field->slot;
    hop.offset += field->offset;
    hop.next = ++part;
    const TypeShape* inner = hop.slot->kind == Slot::Kind::ValueType ? m_values.shapes().find(hop.slot->type) : nullptr;
    while (inner && inner->kind == TypeShape::Kind::Nullable && hop.flags.size() < kLimits.nestingDepth) {
      const FieldShape* flag = inner->field("hasValue");
      const FieldShape* value = inner->field("value");
      if (!flag || !value) return {};
      hop.flags.push_back(hop.offset + flag->offset);
      hop.offset += value->offset;
      hop.slot = &value->slot;
      inner = hop.slot->kind == Slot::Kind::ValueType ? m_values.shapes().find(hop.slot->type) : nullptr;
    }
    if (part == m_parts.size() || !inner) return hop;
    shape = inner;
  }
  return hop.isCount ? hop : Hop{};
}

QueryValue FieldPathReader::read(Address object, Address methodTable) {
  const AddressSpace& memory = *m_contents.memory;
  for (std::size_t part = 0; part < m_parts.size();) {
    Hop& hop = hopOf(methodTable, part);
    if (hop.isCount) return readCount(hop, object);
    if (!hop.slot) return {};
    for (const std::uint32_t flag : hop.flags) {
      std::uint8_t hasValue = 0;
      if (!memory.tryRead(object + kFieldsOffset + flag, hasValue)) return QueryValue::unreadable();
      if (!hasValue) return QueryValue::ofNull();
    }
    const Address at = object + kFieldsOffset + hop.offset;
    if (hop.next == m_parts.size()) return readSlot(*hop.slot, at);
    if (hop.slot->kind != Slot::Kind::Reference) return {};
    if (!memory.tryRead(at, object)) return QueryValue::unreadable();
    if (!object) return QueryValue::ofNull();
    if (m_contents.heap->index.idOf(object).isNone() || !memory.tryRead(object, methodTable))
      return QueryValue::unreadable();
    methodTable.value &= kMethodTableMask;
    part = hop.next;
  }
  return {};
}

// Properties, not fields; but nobody wants to know how a collection calls its own.
void FieldPathReader::findCount(Address methodTable, std::size_t part, Hop& hop) const {
  const TypeShape* shape = m_values.shapes().find(methodTable);
  if (!shape || part + 1 != m_parts.size()) return;
  const bool isLength = m_parts[part] == "Length";
  if (!isLength && m_parts[part] != "Count") return;
  hop.collection = shape->type.componentSize ? CollectionType() : CollectionType(m_sources, methodTable);
  hop.isCount = isLength ? shape->type.componentSize != 0 : hop.collection.isCollection();
}

QueryValue FieldPathReader::readCount(Hop& hop, Address object) const {
  if (hop.collection.isCollection()) {
    const CollectionSizes sizes = hop.collection.sizesOf(m_sources, object);
    if (sizes.isUnreadable) return QueryValue::unreadable();
    return sizes.count ? QueryValue::ofNumber(*sizes.count) : QueryValue();
  }
  // Length of strings as well: both have it behind the method table pointer.
  std::uint32_t length = 0;
  const std::uint64_t offset = m_contents.readers->runtime.contract().offset("Array", "m_NumComponents");
  if (!m_contents.memory->tryRead(object + offset, length)) return QueryValue::unreadable();
  return QueryValue::ofNumber(length);
}

QueryValue FieldPathReader::readSlot(const Slot& slot, Address at) const {
  if (slot.kind == Slot::Kind::Reference) return readReference(at);
  ElementType element = slot.kind == Slot::Kind::Primitive ? slot.element : ElementType::End;
  const EnumNames* names = nullptr;
  if (slot.kind == Slot::Kind::ValueType) {
    const TypeShape* shape = m_values.shapes().find(slot.type);
    const bool isEnum = shape && shape->kind == TypeShape::Kind::Enum;
    if (isEnum || (shape && shape->kind == TypeShape::Kind::Primitive)) element = shape->element;
    if (isEnum) names = &shape->enumNames;
  }
  const std::uint32_t size = primitiveSize(element);
  if (size == 0 || size > sizeof(std::uint64_t)) return readOther(slot, at);
  std::uint64_t bits = 0;
  if (!m_contents.memory->tryRead(at, std::as_writable_bytes(std::span(&bits, 1)).first(size)))
    return QueryValue::unreadable();
  QueryValue value = primitive(element, bits);
  if (names) value.text = enumText(*names, element, bits);
  return value;
}

QueryValue FieldPathReader::readReference(Address at) const {
  Address object;
  Address methodTable;
  if (!m_contents.memory->tryRead(at, object)) return QueryValue::unreadable();
  if (!object) return QueryValue::ofNull();
  if (m_contents.heap->index.idOf(object).isNone() || !m_contents.memory->tryRead(object, methodTable))
    return QueryValue::unreadable();
  methodTable.value &= kMethodTableMask;
  if (methodTable == m_stringType) return readStringValue(m_contents, object);
  QueryValue value = QueryValue::ofAddress(object.value);
  value.text = m_contents.readers->names.nameOf(methodTable);
  return value;
}

QueryValue FieldPathReader::readOther(const Slot& slot, Address at) const {
  if (slot.kind == Slot::Kind::Pointer) {
    Address target;
    if (!m_contents.memory->tryRead(at, target)) return QueryValue::unreadable();
    return target ? QueryValue::ofAddress(target.value) : QueryValue::ofNull();
  }
  if (slot.kind != Slot::Kind::ValueType) return QueryValue::unreadable();
  const Value read = m_values.readValue(slot.type, at).value;
  if (read.kind == ValueKind::Damaged) return QueryValue::unreadable();
  QueryValue value = QueryValue::ofText(read.text);
  if (read.kind == ValueKind::Known) {
    value.number = numberIn(read.text);
    cutClock(*value.text);
  }
  return value;
}

QueryValue readStringValue(const Contents& contents, Address string) {
  const Contract& contract = contents.readers->runtime.contract();
  std::uint32_t length = 0;
  if (!contents.memory->tryRead(string + contract.offset("String", "m_StringLength"), length))
    return QueryValue::unreadable();
  const Address characters = string + contract.offset("String", "m_FirstChar");
  const std::uint64_t sizeBytes = std::uint64_t{length} * sizeof(char16_t);
  const bool isInside =
      contents.heap->index.segmentOf(characters + sizeBytes) == contents.heap->index.segmentOf(string);
  if (!isInside) return QueryValue::unreadable();
  std::u16string text(length, u'\0');
  if (!contents.memory->tryRead(characters, std::as_writable_bytes(std::span(text)))) return QueryValue::unreadable();
  return QueryValue::ofText(toUtf8(text));
}

}  // namespace heapscape::engine
