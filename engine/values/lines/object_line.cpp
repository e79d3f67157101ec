// SPDX-License-Identifier: MIT
#include "values/lines/object_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "base/figures.h"
#include "base/short_type_name.h"
#include "base/unicode.h"
#include "heap/object_head.h"
#include "runtime/types/method_tables.h"
#include "values/array_shape.h"
#include "values/collections/held_counts.h"
#include "values/primitive_values.h"
#include "values/reading/collection_reader.h"
#include "values/reading/delegate_details.h"
#include "values/reading/known_objects.h"
#include "values/reading/slot_reader.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kReferenceFar =
    100;  // of what an object refers to only strings, arrays' lengths and types are told

constexpr std::size_t kUnitsAtOnce = 256;
constexpr std::string_view kGoesOn = "…";
constexpr const char* kUnreadable = "?";

// Whether it has nothing to escape for certain: most lines are plain up to what tells that they go on.
bool isPlainLine(std::string_view line) {
  if (line.ends_with(kGoesOn)) line.remove_suffix(kGoesOn.size());
  unsigned char others = 0;
  for (const char c : line) others |= static_cast<unsigned char>(c - 0x20) >= 0x5f;
  return others == 0;
}

/// A value in short: of a plain object its type without namespaces.
std::string shortText(const Value& value) {
  if (value.kind == ValueKind::Damaged) return kUnreadable;
  const bool isPlainObject = value.kind == ValueKind::Reference && value.text == value.objectType;
  return isPlainObject ? shortTypeName(value.text) : value.text;
}

std::string itemText(const CollectionItem& item, bool hasKeys) {
  return hasKeys ? shortText(item.key) + " → " + shortText(item.value) : shortText(item.value);
}

void cut(std::string& text) {
  if (text.size() <= ObjectLines::kLongest) return;
  std::size_t end = ObjectLines::kLongest;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  text.resize(end);
  text += kGoesOn;
}

}  // namespace

std::string cutLine(std::string text) {
  cut(text);
  return text;
}

std::optional<std::string_view> ObjectLines::read(Address object, Address methodTable) {
  const LinePlan& type = m_plans.of(methodTable);
  m_line.clear();
  if (!write(type, object)) return std::nullopt;
  if (!isPlainLine(m_line)) m_line = withEscapes(m_line);
  cut(m_line);
  return m_line;
}

bool ObjectLines::write(const LinePlan& type, Address object) {
  switch (type.form) {
    case Form::Nothing:
      break;
    case Form::String:
      return addString(object);
    case Form::Vector:
      return vector(type, object);
    case Form::Array:
      return array(type, object);
    case Form::Boxed:
      return boxed(type, object);
    case Form::Known:
      if (const auto known = readKnownObject(m_values, object, 1, kLongest)) {
        m_line = known->text;
        return true;
      }
      return fields(type, object);
    case Form::List:
      return list(type, object) || collection(type, object);
    case Form::Collection:
      return collection(type, object);
    case Form::Exception:
      return exception(object);
    case Form::Delegate:
      return delegate(type, object);
    case Form::Fields:
      return fields(type, object);
  }
  return false;
}

template <class Add>
void ObjectLines::counted(std::uint64_t count, std::size_t shown, const Add& add) {
  if (count == 0) {
    m_line = "empty";
    return;
  }
  m_line = countOf(count, "item");
  const std::size_t end = m_line.size();
  m_line += ": ";
  const std::size_t items = m_line.size();
  for (std::size_t i = 0; i < shown; ++i) {
    if (m_line.size() > items) m_line += ", ";
    add(i);
  }
  if (m_line.size() == items) {
    m_line.resize(end);
  } else if (count > shown) {
    m_line += ", …";
  }
}

bool ObjectLines::vector(const LinePlan& type, Address object) {
  std::uint32_t count = 0;
  if (!m_sources.readers.runtime.memory().tryRead(object + kComponentsOffset, count)) return false;
  const std::size_t shown = std::min<std::size_t>(count, LinePlans::kItemsOnLine);
  SlotReader reader(m_values, shown, kReferenceFar);
  const std::uint64_t stride = type.shape->type.componentSize;
  counted(count, shown, [&](std::size_t i) { addField(type.item, object + kElementsOffset + i * stride, reader); });
  return true;
}

bool ObjectLines::array(const LinePlan& type, Address object) {
  const auto array = readArrayShape(m_sources.readers, type.shape->type, object);
  if (!array) return false;
  const auto shown = static_cast<std::size_t>(std::min<std::uint64_t>(array->count, LinePlans::kItemsOnLine));
  const LinePlan::Part element = m_plans.partOf(m_sources.shapes.slotOf(array->elementType));
  SlotReader reader(m_values, shown, kReferenceFar);
  counted(array->count, shown,
          [&](std::size_t i) { addField(element, object + array->elementOffset + i * array->elementSize, reader); });
  return true;
}

bool ObjectLines::boxed(const LinePlan& type, Address object) {
  const Slot slot = m_sources.shapes.slotOf(TypeHandle(type.shape->type.address));
  const Value value = SlotReader(m_values, 1, 1).read(slot, object + kFieldsStart, 0).value;
  if (value.kind == ValueKind::Damaged) return false;
  m_line = value.text;
  return true;
}

bool ObjectLines::list(const LinePlan& type, Address object) {
  const AddressSpace& memory = m_sources.readers.runtime.memory();
  Address items, itemsType;
  std::int32_t size = 0;
  std::uint32_t capacity = 0;
  const bool isRead = memory.tryRead(object + kFieldsStart + type.itemsOffset, items) &&
                      memory.tryRead(object + kFieldsStart + type.sizeOffset, size) &&
                      memory.tryRead(items, itemsType) && memory.tryRead(items + kComponentsOffset, capacity);
  if (!isRead || size < 0 || static_cast<std::uint32_t>(size) > capacity) return false;
  const LinePlan& array = m_plans.of(Address{itemsType.value & kMethodTableMask});
  if (array.form != Form::Vector) return false;
  const auto count = static_cast<std::uint32_t>(size);
  if (count == 0 && capacity > 0 && !hasCounts(memory)) return false;
  counted(count, std::min<std::size_t>(count, LinePlans::kItemsOnLine),
          [&](std::size_t i) { addItem(type.item, items + kElementsOffset + i * array.shape->type.componentSize); });
  return true;
}

bool ObjectLines::collection(const LinePlan& type, Address object) {
  const Instance instance(m_sources, *type.collectionShape, object + Instance::kFieldsOffset);
  const auto collection = CollectionReader(m_values).readAs({type.collection, instance}, LinePlans::kItemsOnLine);
  if (!collection) return fields(type, object);
  if (!collection->damage.empty() && collection->count == 0) return false;
  if (!collection->isHolder) {
    counted(collection->count, collection->items.size(),
            [&](std::size_t i) { m_line += itemText(collection->items[i], collection->hasKeys); });
    return true;
  }
  std::string items;
  for (const CollectionItem& item : collection->items) {
    if (!items.empty()) items += ", ";
    items += itemText(item, collection->hasKeys);
  }
  m_line = collection->state;
  if (!items.empty() && !m_line.empty()) m_line += ": ";
  m_line += items;
  return true;
}

bool ObjectLines::exception(Address object) {
  const auto message = m_sources.readers.runtime.pointerAt(object, "Exception", "_message");
  if (!message) return false;
  if (*message) {
    const Value value = referenceValue(m_values, *message, kReferenceFar);
    m_line = value.text;
    return value.damage.empty();
  }
  m_line = "no message";
  return true;
}

bool ObjectLines::delegate(const LinePlan& type, Address object) {
  const auto targets = readDelegate(m_values, type.shape->type, object);
  if (targets.empty()) return false;
  m_line = targets.front().method;
  if (targets.size() > 1) m_line += fmt::format(" and {} more", targets.size() - 1);
  return true;
}

bool ObjectLines::fields(const LinePlan& type, Address object) {
  m_line.clear();
  std::size_t shown = 0, readable = 0;
  SlotReader reader(m_values, LinePlans::kFieldsOnLine, kReferenceFar);
  for (const LinePlan::Part& field : type.fields) {
    if (m_line.size() > kLongest) break;
    if (shown++ > 0) m_line += ", ";
    m_line += field.label;
    const std::size_t from = m_line.size();
    addField(field, object + field.offset, reader);
    readable += std::string_view(m_line).substr(from) != kUnreadable;
  }
  if (shown > 0 && readable == 0) return false;
  if (shown < type.fields.size() || type.hasMoreFields) m_line += shown > 0 ? ", …" : "…";
  return true;
}

bool ObjectLines::addString(Address string) {
  std::uint32_t length = 0;
  if (!m_plans.memory().tryRead(string + m_plans.lengthOffset(), length)) return false;
  std::array<char16_t, kUnitsAtOnce> units;
  const std::size_t shown = std::min({std::size_t{length}, kLongest, m_values.sources().previewUnits});
  if (!m_plans.memory().tryRead(string + m_plans.charactersOffset(),
                                std::as_writable_bytes(std::span(units).first(shown))))
    return false;
  addQuoted(m_line, {units.data(), shown});
  if (shown < length) m_line += "…";
  return true;
}

bool ObjectLines::addReference(const Slot& slot, Address at, bool isItem) {
  const WalkedHeap* heap = m_values.sources().heap;
  Address object, methodTable;
  if (!heap || !m_plans.memory().tryRead(at, object)) return false;
  if (!object) {
    // The None of an option of F# is null.
    if (slot.typeName.starts_with("Microsoft.")) return false;
    m_line += "null";
    return true;
  }
  if (heap->index.idOf(object).isNone() || !m_plans.memory().tryRead(object, methodTable)) return false;
  const LinePlan& type = m_plans.of(Address{methodTable.value & kMethodTableMask});
  std::uint32_t count = 0;
  switch (isItem ? type.asItem : type.inField) {
    case LinePlan::Shown::Value:
      return false;
    case LinePlan::Shown::Type:
      m_line += type.name;
      return true;
    case LinePlan::Shown::String:
      return addString(object);
    case LinePlan::Shown::Count:
      break;
  }
  if (!m_plans.memory().tryRead(object + kComponentsOffset, count)) return false;
  m_line += type.brackets.before;
  tryAddNumber(m_line, ElementType::U4, count);
  m_line += type.brackets.behind;
  return true;
}

bool ObjectLines::addPrimitive(const LinePlan::Part& part, Address at) {
  const ElementType element = part.slot.element;
  std::uint64_t bits = 0;
  if (!m_sources.readers.runtime.memory().hasContents()) return false;
  if (!m_plans.memory().tryRead(at, std::as_writable_bytes(std::span(&bits, 1)).first(part.sizeBytes))) return false;
  if (element == ElementType::Boolean && bits < 2) {
    m_line += bits ? "true" : "false";
    return true;
  }
  if (tryAddNumber(m_line, element, bits)) return true;
  const Value value = primitiveValue(element, bits);
  if (value.kind == ValueKind::Damaged) return false;
  m_line += value.text;
  return true;
}

bool ObjectLines::addPlain(const LinePlan::Part& part, Address at, bool isItem) {
  using enum LinePlan::Part::Kind;
  if (part.kind == Value || part.kind == Enum || part.kind == Code) return false;
  return part.kind == Reference ? addReference(part.slot, at, isItem) : addPrimitive(part, at);
}

void ObjectLines::addField(const LinePlan::Part& part, Address at, SlotReader& reader) {
  if (!addPlain(part, at, false)) m_line += shortText(reader.read(part.slot, at, 0).value);
}

void ObjectLines::addItem(const LinePlan::Part& part, Address at) {
  if (!addPlain(part, at, true)) m_line += shortText(SlotReader(m_values).read(part.slot, at, 0).value);
}

}  // namespace heapscape::engine
