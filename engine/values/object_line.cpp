// SPDX-License-Identifier: MIT
#include "values/object_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/count_text.h"
#include "base/limits.h"
#include "base/unseen_characters.h"
#include "heap/object_head.h"
#include "metadata/names/csharp_field_name.h"
#include "runtime/types/method_tables.h"
#include "values/array_shape.h"
#include "values/collections/collection_reader.h"
#include "values/delegate_details.h"
#include "values/known/fsharp_type.h"
#include "values/known/known_objects.h"
#include "values/reference_values.h"
#include "values/slot_reader.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kItemsOnLine = 3;
constexpr std::size_t kFieldsOnLine = 4;
constexpr std::size_t kReferenceFar =
    100;  // of what an object refers to only strings, arrays' lengths and types are told

// No more than fits on the line, and no half of a character.
std::string cutLine(std::string text) {
  if (text.size() <= ObjectLines::kLongest) return text;
  std::size_t end = ObjectLines::kLongest;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  text.resize(end);
  return text + "…";
}

std::string itemText(const CollectionItem& item, bool hasKeys) {
  return hasKeys ? LineParts::textOf(item.key) + " → " + LineParts::textOf(item.value) : LineParts::textOf(item.value);
}

}  // namespace

ObjectLines::ObjectLines(const ValueReader& values)
    : m_values(values), m_sources{values.sources().readers, values.shapes()}, m_parts(values, kLongest) {
  const ClrRuntime& runtime = m_sources.readers.runtime;
  const auto typeOf = [&](const char* global) { return runtime.globalPointer(global).value_or(Address{}); };
  m_stringType = typeOf("StringMethodTable");
  m_exceptionType = typeOf("ExceptionMethodTable");
  m_freeType = typeOf("FreeObjectMethodTable");
  m_multicastType = typeOf("MulticastDelegateMethodTable");
  m_delegateType = typeOf("DelegateMethodTable");
}

const ObjectLines::Type& ObjectLines::ofType(Address methodTable) {
  if (m_last && m_lastType == methodTable) return *m_last;
  auto known = m_types.find(methodTable.value);
  if (known == m_types.end()) known = m_types.emplace(methodTable.value, describe(methodTable)).first;
  m_lastType = methodTable;
  m_last = &known->second;
  return *m_last;
}

bool ObjectLines::derivesFrom(const TypeShape& shape, Address base) const {
  const TypeShape* level = &shape;
  for (std::size_t depth = 0; base && level && depth < kLimits.parentDepth; ++depth) {
    if (level->type.address == base) return true;
    level = level->type.parent ? m_sources.shapes.find(level->type.parent) : nullptr;
  }
  return false;
}

ObjectLines::Type ObjectLines::describe(Address methodTable) const {
  const TypeShape* shape = m_sources.shapes.find(methodTable);
  if (!shape || methodTable == m_freeType) return {};
  Type type{.form = Form::Fields, .shape = shape};
  findFields(type);
  const auto as = [&](Form form) {
    type.form = form;
    return std::move(type);
  };
  if (methodTable == m_stringType) return as(Form::String);
  if (shape->type.isArray) {
    const auto element = m_sources.readers.methodTables.arrayElementType(shape->type);
    if (!element || !shape->type.isSzArray) return as(Form::Array);
    type.element = m_parts.slotOf(*element);
    return as(Form::Vector);
  }
  if (shape->type.isValueType) return as(Form::Boxed);
  if (derivesFrom(*shape, m_exceptionType)) return as(Form::Exception);
  if (shape->type.parent && (shape->type.parent == m_multicastType || shape->type.parent == m_delegateType))
    return as(Form::Delegate);
  if (isKnownObjectType(m_sources, *shape)) return as(Form::Known);
  if (const auto recognised = recogniseCollection(Instance(m_sources, *shape, {}))) {
    type.collection = recognised->kind;
    type.collectionShape = &recognised->instance.shape();
    return describeCollection(std::move(type), recognised->instance);
  }
  return type;
}

// Of all collections there are most lists, by far.
ObjectLines::Type ObjectLines::describeCollection(Type type, const Instance& instance) const {
  type.form = Form::Collection;
  if (type.collection->name != "List") return type;
  const auto items = instance.offsetOf("_items");
  const auto size = instance.offsetOf("_size");
  const auto item = instance.typeArgument(0);
  if (!items || !size || !item) return type;
  type.form = Form::List;
  type.itemsOffset = *items;
  type.sizeOffset = *size;
  type.element = m_parts.slotOf(*item);
  return type;
}

void ObjectLines::findFields(Type& type) const {
  std::vector<const TypeShape*> chain;
  for (const TypeShape* level = type.shape; level && chain.size() < kLimits.parentDepth;) {
    if (std::ranges::find(chain, level) != chain.end()) break;
    chain.push_back(level);
    level = level->type.parent ? m_sources.shapes.find(level->type.parent) : nullptr;
  }
  for (auto level = chain.rbegin(); level != chain.rend(); ++level) {
    for (const FieldShape& field : (*level)->fields) {
      type.hasMoreFields |= type.fields.size() == kFieldsOnLine;
      if (type.fields.size() == kFieldsOnLine) break;
      type.fields.push_back({fmt::format("{} = ", csharpFieldName(field.name)), &field.slot, field.offset});
    }
  }
}

std::optional<std::string> ObjectLines::read(Address object, Address methodTable) {
  const Type& type = ofType(methodTable);
  m_line.clear();
  if (!tell(type, object)) return std::nullopt;
  return cutLine(withEscapes(m_line));
}

bool ObjectLines::tell(const Type& type, Address object) {
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

bool ObjectLines::vector(const Type& type, Address object) {
  std::uint32_t count = 0;
  if (!m_sources.readers.runtime.memory().tryRead(object + kComponentsOffset, count)) return false;
  const std::size_t shown = std::min<std::size_t>(count, kItemsOnLine);
  SlotReader reader(m_values, shown, kReferenceFar);
  const std::uint64_t stride = type.shape->type.componentSize;
  counted(count, shown, [&](std::size_t i) {
    m_parts.addField(m_line, type.element, object + kElementsOffset + i * stride, reader);
  });
  return true;
}

bool ObjectLines::array(const Type& type, Address object) {
  const auto array = readArrayShape(m_sources.readers, type.shape->type, object);
  if (!array) return false;
  const auto shown = static_cast<std::size_t>(std::min<std::uint64_t>(array->count, kItemsOnLine));
  const Slot slot = m_sources.shapes.slotOf(array->elementType);
  SlotReader reader(m_values, shown, kReferenceFar);
  counted(array->count, shown, [&](std::size_t i) {
    m_parts.addField(m_line, slot, object + array->elementOffset + i * array->elementSize, reader);
  });
  return true;
}

bool ObjectLines::boxed(const Type& type, Address object) {
  const Slot slot = m_sources.shapes.slotOf(TypeHandle(type.shape->type.address));
  const Value value = SlotReader(m_values, 1, 1).read(slot, object + kFieldsStart, 0).value;
  if (value.kind == ValueKind::Damaged) return false;
  m_line = value.text;
  return true;
}

bool ObjectLines::list(const Type& type, Address object) {
  const AddressSpace& memory = m_sources.readers.runtime.memory();
  Address items, itemsType;
  std::int32_t size = 0;
  std::uint32_t capacity = 0;
  const bool isRead = memory.tryRead(object + kFieldsStart + type.itemsOffset, items) &&
                      memory.tryRead(object + kFieldsStart + type.sizeOffset, size) &&
                      memory.tryRead(items, itemsType) && memory.tryRead(items + kComponentsOffset, capacity);
  if (!isRead || size < 0 || static_cast<std::uint32_t>(size) > capacity) return false;
  const Type& array = ofType({itemsType.value & kMethodTableMask});
  if (array.form != Form::Vector) return false;
  const auto count = static_cast<std::uint32_t>(size);
  counted(count, std::min<std::size_t>(count, kItemsOnLine), [&](std::size_t i) {
    m_parts.addItem(m_line, type.element, items + kElementsOffset + i * array.shape->type.componentSize);
  });
  return true;
}

bool ObjectLines::collection(const Type& type, Address object) {
  const Instance instance(m_sources, *type.collectionShape, object + Instance::kFieldsOffset);
  const auto collection = CollectionReader(m_values).readAs({type.collection, instance}, kItemsOnLine);
  if (!collection) return fields(type, object);
  if ((!collection->damage.empty() && collection->items.empty() && collection->count == 0)) return false;
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

bool ObjectLines::delegate(const Type& type, Address object) {
  const auto targets = readDelegate(m_values, type.shape->type, object);
  if (targets.empty()) return false;
  m_line = targets.front().method;
  if (targets.size() > 1) m_line += fmt::format(" and {} more", targets.size() - 1);
  return true;
}

bool ObjectLines::fields(const Type& type, Address object) {
  m_line.clear();
  std::size_t shown = 0, readable = 0;
  SlotReader reader(m_values, kFieldsOnLine, kReferenceFar);
  for (const Field& field : type.fields) {
    if (m_line.size() > kLongest) break;
    if (shown++ > 0) m_line += ", ";
    m_line += field.label;
    const std::size_t from = m_line.size();
    m_parts.addField(m_line, *field.slot, object + kFieldsStart + field.offset, reader);
    readable += std::string_view(m_line).substr(from) != LineParts::kUnreadable;
  }
  if (shown > 0 && readable == 0) return false;
  if (shown < type.fields.size() || type.hasMoreFields) m_line += shown > 0 ? ", …" : "…";
  return true;
}

}  // namespace heapscape::engine
