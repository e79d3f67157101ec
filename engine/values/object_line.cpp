// SPDX-License-Identifier: MIT
#include "values/object_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/count_text.h"
#include "base/limits.h"
#include "base/short_type_name.h"
#include "base/unseen_characters.h"
#include "heap/object_head.h"
#include "metadata/names/csharp_field_name.h"
#include "values/array_shape.h"
#include "values/collections/collection_reader.h"
#include "values/delegate_details.h"
#include "values/known/fsharp_type.h"
#include "values/known/known_objects.h"
#include "values/reference_values.h"
#include "values/slot_reader.h"

namespace heapscape::engine {
namespace {

constexpr const char* kUnreadable = "?";
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

std::string shortText(const Value& value) {
  if (value.kind == ValueKind::Damaged) return kUnreadable;
  const bool isPlainObject = value.kind == ValueKind::Reference && value.text == value.objectType;
  return isPlainObject ? shortTypeName(value.text) : value.text;
}

void addPart(std::string& line, const std::string& part) {
  if (!line.empty()) line += ", ";
  line += part;
}

std::string counted(std::uint64_t count, std::string items, std::size_t shown) {
  if (count == 0) return "empty";
  std::string line = countOf(count, "item");
  if (items.empty()) return line;
  if (count > shown) addPart(items, "…");
  return line + ": " + items;
}

std::string itemText(const CollectionItem& item, bool hasKeys) {
  return hasKeys ? shortText(item.key) + " → " + shortText(item.value) : shortText(item.value);
}

}  // namespace

ObjectLines::ObjectLines(const ValueReader& values)
    : m_values(values), m_sources{values.sources().readers, values.shapes()} {
  const ClrRuntime& runtime = m_sources.readers.runtime;
  const auto typeOf = [&](const char* global) { return runtime.globalPointer(global).value_or(Address{}); };
  m_stringType = typeOf("StringMethodTable");
  m_exceptionType = typeOf("ExceptionMethodTable");
  m_freeType = typeOf("FreeObjectMethodTable");
  m_multicastType = typeOf("MulticastDelegateMethodTable");
  m_delegateType = typeOf("DelegateMethodTable");
}

const ObjectLines::Type& ObjectLines::ofType(Address methodTable) {
  const auto known = m_types.find(methodTable.value);
  return known != m_types.end() ? known->second
                                : m_types.emplace(methodTable.value, describe(methodTable)).first->second;
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
  const auto of = [shape](Form form) { return Type{.form = form, .shape = shape}; };
  if (methodTable == m_stringType) return of(Form::String);
  if (shape->type.isArray) return of(Form::Array);
  if (shape->type.isValueType) return of(Form::Boxed);
  if (derivesFrom(*shape, m_exceptionType)) return of(Form::Exception);
  if (shape->type.parent && (shape->type.parent == m_multicastType || shape->type.parent == m_delegateType))
    return of(Form::Delegate);
  if (isKnownObjectType(m_sources, *shape)) return of(Form::Known);
  if (const auto recognised = recogniseCollection(Instance(m_sources, *shape, {}))) {
    return {.form = Form::Collection,
            .shape = shape,
            .collection = recognised->kind,
            .collectionShape = &recognised->instance.shape()};
  }
  return of(Form::Fields);
}

std::optional<std::string> ObjectLines::read(Address object, Address methodTable) {
  const Type& type = ofType(methodTable);
  std::optional<std::string> line;
  switch (type.form) {
    case Form::Nothing:
      return std::nullopt;
    case Form::String: {
      const Value value = referenceValue(m_values, object, kReferenceFar);
      if (value.damage.empty()) line = value.text;
      break;
    }
    case Form::Array:
      line = array(object, *type.shape);
      break;
    case Form::Boxed: {
      const Slot slot = m_sources.shapes.slotOf(TypeHandle(methodTable));
      const Value value = SlotReader(m_values, 1, 1).read(slot, object + kFieldsStart, 0).value;
      if (value.kind != ValueKind::Damaged) line = value.text;
      break;
    }
    case Form::Known:
      if (auto known = readKnownObject(m_values, object, 1)) line = known->text;
      if (!line) line = fields(object, *type.shape);
      break;
    case Form::Collection:
      line = items(object, type);
      break;
    case Form::Exception:
      line = exception(object);
      break;
    case Form::Delegate:
      line = delegate(object, *type.shape);
      break;
    case Form::Fields:
      line = fields(object, *type.shape);
      break;
  }
  if (!line) return std::nullopt;
  return cutLine(withEscapes(*line));
}

const std::string& ObjectLines::plainName(Address methodTable) {
  const auto known = m_plainNames.find(methodTable.value);
  if (known != m_plainNames.end()) return known->second;
  const TypeShape* shape = m_sources.shapes.find(methodTable);
  const bool isPlain = shape && methodTable != m_freeType && methodTable != m_stringType && !shape->type.isArray &&
                       !shape->type.isValueType;
  return m_plainNames.emplace(methodTable.value, isPlain ? shortTypeName(shape->name) : std::string()).first->second;
}

// Most references lead to objects of which only the type is told: its name is made once.
std::string ObjectLines::part(const Slot& slot, Address at, SlotReader& reader) {
  const AddressSpace& memory = m_sources.readers.runtime.memory();
  const WalkedHeap* heap = m_values.sources().heap;
  Address object, methodTable;
  if (slot.kind == Slot::Kind::Reference && heap && memory.tryRead(at, object) && object &&
      !heap->index.idOf(object).isNone() && memory.tryRead(object, methodTable)) {
    const std::string& name = plainName({methodTable.value & kMethodTableMask});
    if (!name.empty()) return name;
  }
  return shortText(reader.read(slot, at, 0).value);
}

std::optional<std::string> ObjectLines::array(Address object, const TypeShape& shape) {
  const auto array = readArrayShape(m_sources.readers, shape.type, object);
  if (!array) return std::nullopt;
  const auto shown = static_cast<std::size_t>(std::min<std::uint64_t>(array->count, kItemsOnLine));
  const Slot slot = m_sources.shapes.slotOf(array->elementType);
  SlotReader reader(m_values, shown, kReferenceFar);
  std::string items;
  for (std::size_t i = 0; i < shown; ++i) {
    const Address at = object + array->elementOffset + i * array->elementSize;
    addPart(items, part(slot, at, reader));
  }
  return counted(array->count, std::move(items), shown);
}

std::optional<std::string> ObjectLines::items(Address object, const Type& type) {
  const Instance instance(m_sources, *type.collectionShape, object + Instance::kFieldsOffset);
  const auto collection = CollectionReader(m_values).readAs({type.collection, instance}, kItemsOnLine);
  if (!collection) return fields(object, *type.shape);
  if ((!collection->damage.empty() && collection->items.empty() && collection->count == 0)) return std::nullopt;
  std::string items;
  for (const CollectionItem& item : collection->items) addPart(items, itemText(item, collection->hasKeys));
  if (!collection->isHolder) return counted(collection->count, std::move(items), collection->items.size());
  if (items.empty()) return collection->state;
  return collection->state.empty() ? items : collection->state + ": " + items;
}

std::optional<std::string> ObjectLines::exception(Address object) const {
  const auto message = m_sources.readers.runtime.pointerAt(object, "Exception", "_message");
  if (!message) return std::nullopt;
  if (!*message) return "no message";
  const Value value = referenceValue(m_values, *message, kReferenceFar);
  return value.damage.empty() ? std::optional(value.text) : std::nullopt;
}

std::optional<std::string> ObjectLines::delegate(Address object, const TypeShape& shape) const {
  const auto targets = readDelegate(m_values, shape.type, object);
  if (targets.empty()) return std::nullopt;
  if (targets.size() == 1) return targets.front().method;
  return fmt::format("{} and {} more", targets.front().method, targets.size() - 1);
}

std::optional<std::string> ObjectLines::fields(Address object, const TypeShape& shape) {
  std::vector<const TypeShape*> chain;
  for (const TypeShape* level = &shape; level && chain.size() < kLimits.parentDepth;) {
    if (std::ranges::find(chain, level) != chain.end()) break;
    chain.push_back(level);
    level = level->type.parent ? m_sources.shapes.find(level->type.parent) : nullptr;
  }
  std::string line;
  std::size_t shown = 0, readable = 0, all = 0;
  for (auto level = chain.rbegin(); level != chain.rend(); ++level) all += (*level)->fields.size();
  SlotReader reader(m_values, kFieldsOnLine, kReferenceFar);
  for (auto level = chain.rbegin(); level != chain.rend(); ++level) {
    for (const FieldShape& field : (*level)->fields) {
      if (shown == kFieldsOnLine || line.size() > kLongest) break;
      const std::string held = part(field.slot, object + kFieldsStart + field.offset, reader);
      readable += held != kUnreadable;
      addPart(line, fmt::format("{} = {}", csharpFieldName(field.name), held));
      ++shown;
    }
  }
  if (shown > 0 && readable == 0) return std::nullopt;
  if (shown < all) addPart(line, "…");
  return line;
}

}  // namespace heapscape::engine
