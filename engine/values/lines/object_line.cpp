// SPDX-License-Identifier: MIT
#include "values/lines/object_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/figures.h"
#include "base/unicode.h"
#include "heap/object_head.h"
#include "runtime/types/method_tables.h"
#include "values/array_shape.h"
#include "values/collections/collection_reader.h"
#include "values/delegate_details.h"
#include "values/known/known_objects.h"
#include "values/reference_values.h"
#include "values/slot_reader.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kReferenceFar =
    100;  // of what an object refers to only strings, arrays' lengths and types are told

constexpr std::string_view kGoesOn = "…";

// Whether it has nothing to escape for certain: most lines are plain up to what tells that they go on.
bool isPlainLine(std::string_view line) {
  if (line.ends_with(kGoesOn)) line.remove_suffix(kGoesOn.size());
  unsigned char others = 0;
  for (const char c : line) others |= static_cast<unsigned char>(c - 0x20) >= 0x5f;
  return others == 0;
}

std::string itemText(const CollectionItem& item, bool hasKeys) {
  return hasKeys ? LineParts::textOf(item.key) + " → " + LineParts::textOf(item.value) : LineParts::textOf(item.value);
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

ObjectLines::ObjectLines(const ValueReader& values)
    : m_values(values), m_sources(values.instances()), m_parts(values, kLongest), m_types(values, m_parts) {}

std::optional<std::string_view> ObjectLines::read(Address object, Address methodTable) {
  const LineType& type = m_types.of(methodTable);
  m_line.clear();
  if (!tell(type, object)) return std::nullopt;
  if (!isPlainLine(m_line)) m_line = withEscapes(m_line);
  cut(m_line);
  return m_line;
}

bool ObjectLines::tell(const LineType& type, Address object) {
  switch (type.form) {
    case Form::Nothing:
      break;
    case Form::String:
      return m_parts.addString(m_line, object);
    case Form::Vector:
      return vector(type, object);
    case Form::Array:
      return array(type, object);
    case Form::Boxed:
      return boxed(type, object);
    case Form::Known:
      if (const auto known = readKnownObject(m_values, object, 1)) {
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

bool ObjectLines::vector(const LineType& type, Address object) {
  std::uint32_t count = 0;
  if (!m_sources.readers.runtime.memory().tryRead(object + kComponentsOffset, count)) return false;
  const std::size_t shown = std::min<std::size_t>(count, LineTypes::kItemsOnLine);
  SlotReader reader(m_values, shown, kReferenceFar);
  const std::uint64_t stride = type.shape->type.componentSize;
  counted(count, shown, [&](std::size_t i) {
    m_parts.addField(m_line, type.element, object + kElementsOffset + i * stride, reader);
  });
  return true;
}

bool ObjectLines::array(const LineType& type, Address object) {
  const auto array = readArrayShape(m_sources.readers, type.shape->type, object);
  if (!array) return false;
  const auto shown = static_cast<std::size_t>(std::min<std::uint64_t>(array->count, LineTypes::kItemsOnLine));
  const Slot slot = m_sources.shapes.slotOf(array->elementType);
  SlotReader reader(m_values, shown, kReferenceFar);
  counted(array->count, shown, [&](std::size_t i) {
    m_parts.addField(m_line, slot, object + array->elementOffset + i * array->elementSize, reader);
  });
  return true;
}

bool ObjectLines::boxed(const LineType& type, Address object) {
  const Slot slot = m_sources.shapes.slotOf(TypeHandle(type.shape->type.address));
  const Value value = SlotReader(m_values, 1, 1).read(slot, object + kFieldsStart, 0).value;
  if (value.kind == ValueKind::Damaged) return false;
  m_line = value.text;
  return true;
}

bool ObjectLines::list(const LineType& type, Address object) {
  const AddressSpace& memory = m_sources.readers.runtime.memory();
  Address items, itemsType;
  std::int32_t size = 0;
  std::uint32_t capacity = 0;
  const bool isRead = memory.tryRead(object + kFieldsStart + type.itemsOffset, items) &&
                      memory.tryRead(object + kFieldsStart + type.sizeOffset, size) &&
                      memory.tryRead(items, itemsType) && memory.tryRead(items + kComponentsOffset, capacity);
  if (!isRead || size < 0 || static_cast<std::uint32_t>(size) > capacity) return false;
  const LineType& array = m_types.of({itemsType.value & kMethodTableMask});
  if (array.form != Form::Vector) return false;
  const auto count = static_cast<std::uint32_t>(size);
  counted(count, std::min<std::size_t>(count, LineTypes::kItemsOnLine), [&](std::size_t i) {
    m_parts.addItem(m_line, type.element, items + kElementsOffset + i * array.shape->type.componentSize);
  });
  return true;
}

bool ObjectLines::collection(const LineType& type, Address object) {
  const Instance instance(m_sources, *type.collectionShape, object + Instance::kFieldsOffset);
  const auto collection = CollectionReader(m_values).readAs({type.collection, instance}, LineTypes::kItemsOnLine);
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

bool ObjectLines::delegate(const LineType& type, Address object) {
  const auto targets = readDelegate(m_values, type.shape->type, object);
  if (targets.empty()) return false;
  m_line = targets.front().method;
  if (targets.size() > 1) m_line += fmt::format(" and {} more", targets.size() - 1);
  return true;
}

bool ObjectLines::fields(const LineType& type, Address object) {
  m_line.clear();
  std::size_t shown = 0, readable = 0;
  SlotReader reader(m_values, LineTypes::kFieldsOnLine, kReferenceFar);
  for (const LineType::Field& field : type.fields) {
    if (m_line.size() > kLongest) break;
    if (shown++ > 0) m_line += ", ";
    m_line += field.label;
    const std::size_t from = m_line.size();
    m_parts.addField(m_line, field.slot, object + kFieldsStart + field.offset, reader);
    readable += std::string_view(m_line).substr(from) != LineParts::kUnreadable;
  }
  if (shown > 0 && readable == 0) return false;
  if (shown < type.fields.size() || type.hasMoreFields) m_line += shown > 0 ? ", …" : "…";
  return true;
}

}  // namespace heapscape::engine
