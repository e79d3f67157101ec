// SPDX-License-Identifier: MIT
#include "values/lines/line_keys.h"

#include <algorithm>

#include "heap/object_head.h"
#include "runtime/types/method_tables.h"
#include "values/primitive_values.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kMostCharacters = 256;  // at least as many of a string as a line has

}  // namespace

LineKeys::LineKeys(const ValueReader& values)
    : m_heap(*values.sources().heap),
      m_values(values),
      m_memory(values.sources().readers.runtime.memory()),
      m_parts(values, kMostCharacters),
      m_lines(values, m_parts),
      m_types(m_heap.types.size()),
      m_referred(m_heap.types.size()) {
  const Contract& contract = values.sources().readers.runtime.contract();
  m_lengthOffset = contract.offset("String", "m_StringLength");
  m_charactersOffset = contract.offset("String", "m_FirstChar");
}

std::string_view LineKeys::of(Bytes object, TypeId type) {
  m_size = 0;
  return !object.empty() && addValue(type.value) && addLine(object, type) ? std::string_view(m_key, m_size)
                                                                          : std::string_view();
}

const LineKeys::Type& LineKeys::typeOf(TypeId type) {
  Type& known = m_types[type.value];
  if (known.way == Type::Way::Unknown) known = describe(type);
  return known;
}

LineKeys::Type LineKeys::describe(TypeId id) {
  using Form = LineType::Form;
  const LineType& line = m_lines.of(m_heap.types.methodTable(id));
  Type type{.way = Type::Way::None, .isVector = line.form == Form::Vector};
  if (line.form == Form::String) type.way = Type::Way::String;
  if (line.form == Form::Boxed) {
    Part part = partOf(m_parts.plain(m_values.shapes().slotOf(TypeHandle(line.shape->type.address))));
    part.offset = kFieldsStart;
    if (part.isReference || !part.sizeBytes) return type;
    type.way = Type::Way::Fields;
    type.parts = {part};
  }
  if (line.form == Form::Fields) {
    for (const LineType::Field& field : line.fields) {
      Part part = partOf(field.slot);
      if (!part.sizeBytes) return type;
      part.offset = kFieldsStart + field.offset;
      type.parts.push_back(part);
    }
    type.way = Type::Way::Fields;
  }
  if (line.form != Form::Vector && line.form != Form::List) return type;
  const Part part = partOf(line.element);
  if (!part.sizeBytes) return type;
  type.way = type.isVector ? Type::Way::Vector : Type::Way::List;
  type.parts = {part};
  type.stride = line.shape->type.componentSize;
  type.itemsOffset = line.itemsOffset;
  type.sizeOffset = line.sizeOffset;
  return type;
}

// What else a slot may hold, as structs, is told by what it refers to as well.
LineKeys::Part LineKeys::partOf(const Slot& slot) const {
  if (slot.kind == Slot::Kind::Reference) return {.isReference = true, .sizeBytes = sizeof(Address)};
  if (slot.kind == Slot::Kind::Primitive) return {.sizeBytes = primitiveSize(slot.element)};
  const TypeShape* shape = slot.kind == Slot::Kind::ValueType ? m_values.shapes().find(slot.type) : nullptr;
  return shape && shape->kind == TypeShape::Kind::Enum ? Part{.sizeBytes = primitiveSize(shape->element)} : Part{};
}

bool LineKeys::addLine(Bytes object, TypeId id) {
  const Type& type = typeOf(id);
  switch (type.way) {
    case Type::Way::Unknown:
    case Type::Way::None:
      return false;
    case Type::Way::String:
      return addString(object);
    case Type::Way::Vector:
      return addVector(type, object);
    case Type::Way::List:
      return addList(type, object);
    case Type::Way::Fields:
      return addFields(type, object);
  }
  return false;
}

bool LineKeys::addString(Bytes string) {
  constexpr std::size_t kStep = sizeof(std::uint64_t);
  std::uint32_t length = 0;
  Bytes characters;
  if (!tryReadAt(string, m_lengthOffset, length) || length >= kLongest) return false;
  const std::size_t size = length * sizeof(char16_t);
  if (!addValue(length) || size > kLongest - m_size || !trySlice(string, m_charactersOffset, size, characters))
    return false;
  if (alignUp(size, kStep) <= string.size() - m_charactersOffset) {
    for (std::size_t i = 0; i < size; i += kStep) std::memcpy(m_key + m_size + i, characters.data() + i, kStep);
  } else {
    std::memcpy(m_key + m_size, characters.data(), size);
  }
  m_size += size;
  return true;
}

bool LineKeys::addVector(const Type& type, Bytes array) {
  const auto items = readVectorItems(array, type.stride);
  return items && addValue(items->count) && addItems(type.parts.front(), *items, false);
}

// What is not as it should be is told in another way.
bool LineKeys::addList(const Type& type, Bytes list) {
  const auto items = readListItems(m_heap, m_memory, list, type.itemsOffset, type.sizeOffset);
  return items && typeOf(items->arrayType).isVector && addValue(items->count) && addValue(items->arrayType.value) &&
         addItems(type.parts.front(), *items, true);
}

bool LineKeys::addItems(const Part& part, const LineItems& items, bool areOfList) {
  if (items.shown && part.sizeBytes > items.stride) return false;
  for (std::size_t i = 0; i < items.shown; ++i) {
    if (!addPart(part, items.bytes.data() + i * items.stride, areOfList)) return false;
  }
  return true;
}

bool LineKeys::addFields(const Type& type, Bytes object) {
  return std::ranges::all_of(type.parts, [&](const Part& part) {
    return part.offset + std::uint64_t{part.sizeBytes} <= object.size() &&
           addPart(part, object.data() + part.offset, false);
  });
}

bool LineKeys::addPart(const Part& part, const std::byte* at, bool isItem) {
  if (part.isReference) {
    Address object;
    std::memcpy(&object, at, sizeof object);
    return addReference(object, isItem);
  }
  switch (part.sizeBytes) {
    case 1:
      return add<1>(at);
    case 2:
      return add<2>(at);
    case 4:
      return add<4>(at);
    case 8:
      return add<8>(at);
    default:
      return false;
  }
}

LineKeys::ReferredType LineKeys::referredTo(TypeId id) {
  ReferredType& known = m_referred[id.value];
  if (known.inField != Referred::Unknown) return known;
  const LineParts::Referred& type = m_parts.referred(m_heap.types.methodTable(id));
  const Referred of = type.isString       ? Referred::String
                      : type.isVector     ? Referred::Array
                      : type.name.empty() ? Referred::Anything
                                          : Referred::OfType;
  known = {of, of == Referred::OfType && !type.isNameOfItem ? Referred::Anything : of};
  return known;
}

// As LineParts tells it. Types are told apart from null by their number.
bool LineKeys::addReference(Address object, bool isItem) {
  if (!object) return addValue(TypeId{}.value);
  if (!m_heap.index.isStart(object)) return false;
  const Bytes bytes = m_memory.prefix(object, m_charactersOffset + kLongest * sizeof(char16_t));
  Address methodTable;
  if (!tryReadAt(bytes, 0, methodTable)) return false;
  const TypeIndex::Slot* slot = m_heap.types.find(methodTable.value & kMethodTableMask);
  if (!slot || !addValue(slot->type)) return false;
  const ReferredType type = referredTo({slot->type});
  switch (isItem ? type.asItem : type.inField) {
    case Referred::Unknown:
    case Referred::Anything:
      return false;
    case Referred::OfType:
      return true;
    case Referred::String:
      return addString(bytes);
    case Referred::Array:
      break;
  }
  std::uint32_t count = 0;
  return tryReadAt(bytes, kComponentsOffset, count) && addValue(count);
}

}  // namespace heapscape::engine
