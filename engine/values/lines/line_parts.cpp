// SPDX-License-Identifier: MIT
#include "values/lines/line_parts.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "base/short_type_name.h"
#include "heap/object_head.h"
#include "values/instance.h"
#include "values/known/known_objects.h"
#include "values/primitive_values.h"
#include "values/quoted_text.h"
#include "values/slot_reader.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kUnitsAtOnce = 256;

}  // namespace

std::string LineParts::textOf(const Value& value) {
  if (value.kind == ValueKind::Damaged) return kUnreadable;
  const bool isPlainObject = value.kind == ValueKind::Reference && value.text == value.objectType;
  return isPlainObject ? shortTypeName(value.text) : value.text;
}

LineParts::LineParts(const ValueReader& values, std::size_t mostUnits)
    : m_values(values),
      m_memory(values.sources().readers.runtime.memory()),
      m_mostUnits(std::min({mostUnits, values.sources().previewUnits, kUnitsAtOnce})) {
  const ClrRuntime& runtime = values.sources().readers.runtime;
  m_stringType = runtime.globalPointer("StringMethodTable").value_or(Address{});
  m_freeType = runtime.globalPointer("FreeObjectMethodTable").value_or(Address{});
  m_lengthOffset = runtime.contract().offset("String", "m_StringLength");
  m_charactersOffset = runtime.contract().offset("String", "m_FirstChar");
}

const LineParts::Referred& LineParts::learn(Address methodTable) {
  Recent& recent = m_recent[methodTable.value / kAlignment % m_recent.size()];
  const auto known = m_referred.find(methodTable.value);
  if (known != m_referred.end()) {
    recent = {methodTable, &known->second};
    return known->second;
  }
  Referred made;
  made.isString = methodTable && methodTable == m_stringType;
  const TypeShape* shape = m_values.shapes().find(methodTable);
  if (shape && methodTable != m_freeType && !made.isString && !shape->type.isArray && !shape->type.isValueType) {
    made.name = shortTypeName(shape->name);
    made.isNameOfItem = !isKnownObjectType(m_values.instances(), *shape);
  }
  if (shape && shape->type.isSzArray) {
    const RuntimeReaders& readers = m_values.sources().readers;
    const auto element = readers.methodTables.arrayElementType(shape->type);
    made.isVector = element.has_value();
    if (element) made.brackets = bracketsOf(readers.names.nameOf(*element));
  }
  recent = {methodTable, &m_referred.emplace(methodTable.value, std::move(made)).first->second};
  return *recent.type;
}

Slot LineParts::plain(Slot slot) const {
  const TypeShape* shape = slot.kind == Slot::Kind::ValueType ? m_values.shapes().find(slot.type) : nullptr;
  if (!shape || shape->kind != TypeShape::Kind::Primitive) return slot;
  slot.kind = Slot::Kind::Primitive;
  slot.element = shape->element;
  return slot;
}

bool LineParts::addString(std::string& line, Address string) {
  std::uint32_t length = 0;
  if (!m_memory.tryRead(string + m_lengthOffset, length)) return false;
  std::array<char16_t, kUnitsAtOnce> units;
  const std::size_t shown = std::min<std::size_t>(length, m_mostUnits);
  if (!m_memory.tryRead(string + m_charactersOffset, std::as_writable_bytes(std::span(units).first(shown))))
    return false;
  addQuoted(line, {units.data(), shown});
  if (shown < length) line += "…";
  return true;
}

bool LineParts::addReference(std::string& line, const Slot& slot, Address at, bool isItem) {
  const WalkedHeap* heap = m_values.sources().heap;
  Address object, methodTable;
  if (!heap || !m_memory.tryRead(at, object)) return false;
  if (!object) {
    // The None of an option of F# is null.
    if (slot.typeName.starts_with("Microsoft.")) return false;
    line += "null";
    return true;
  }
  if (heap->index.idOf(object).isNone() || !m_memory.tryRead(object, methodTable)) return false;
  const Referred& type = referred({methodTable.value & kMethodTableMask});
  if (type.isString) return addString(line, object);
  if (type.isVector) {
    std::uint32_t count = 0;
    if (!m_memory.tryRead(object + kComponentsOffset, count)) return false;
    line += type.brackets.before;
    tryAddNumber(line, ElementType::U4, count);
    line += type.brackets.behind;
    return true;
  }
  if (type.name.empty() || (isItem && !type.isNameOfItem)) return false;
  line += type.name;
  return true;
}

bool LineParts::addPrimitive(std::string& line, ElementType element, Address at) {
  // An address may lead to a method, which is told as well.
  if (element == ElementType::I || element == ElementType::U) return false;
  std::uint64_t bits = 0;
  const std::uint32_t size = primitiveSize(element);
  if (size == 0 || size > sizeof bits) return false;
  if (!m_memory.tryRead(at, std::as_writable_bytes(std::span(&bits, 1)).first(size))) return false;
  if (element == ElementType::Boolean && bits < 2) {
    line += bits ? "true" : "false";
    return true;
  }
  if (tryAddNumber(line, element, bits)) return true;
  const Value value = primitiveValue(element, bits);
  if (value.kind == ValueKind::Damaged) return false;
  line += value.text;
  return true;
}

void LineParts::addField(std::string& line, const Slot& slot, Address at, SlotReader& reader) {
  if (slot.kind == Slot::Kind::Reference && addReference(line, slot, at, false)) return;
  if (slot.kind == Slot::Kind::Primitive && addPrimitive(line, slot.element, at)) return;
  line += textOf(reader.read(slot, at, 0).value);
}

void LineParts::addItem(std::string& line, const Slot& slot, Address at) {
  if (slot.kind == Slot::Kind::Reference && addReference(line, slot, at, true)) return;
  if (slot.kind == Slot::Kind::Primitive && addPrimitive(line, slot.element, at)) return;
  line += textOf(SlotReader(m_values).read(slot, at, 0).value);
}

}  // namespace heapscape::engine
