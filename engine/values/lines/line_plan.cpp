// SPDX-License-Identifier: MIT
#include "values/lines/line_plan.h"

#include <fmt/format.h>

#include "base/limits.h"
#include "base/short_type_name.h"
#include "heap/object_head.h"
#include "metadata/names/generated_names.h"
#include "runtime/types/method_tables.h"
#include "values/primitive_values.h"
#include "values/reading/known_objects.h"

namespace heapscape::engine {
namespace {

using Form = LinePlan::Form;
using Shown = LinePlan::Shown;

LinePlan::Part::Kind kindOf(ElementType element) {
  using enum LinePlan::Part::Kind;
  switch (element) {
    case ElementType::Boolean:
      return Boolean;
    case ElementType::Char:
      return Character;
    case ElementType::R4:
    case ElementType::R8:
      return Real;
    case ElementType::I:
    case ElementType::U:
      return Code;
    default:
      return Integer;
  }
}

bool isSigned(ElementType element) {
  return element == ElementType::I1 || element == ElementType::I2 || element == ElementType::I4 ||
         element == ElementType::I8 || element == ElementType::I;
}

}  // namespace

LinePlans::LinePlans(const ValueReader& values)
    : m_values(values), m_sources(values.instances()), m_memory(values.sources().readers.runtime.memory()) {
  const ClrRuntime& runtime = m_sources.readers.runtime;
  const auto typeOf = [&](const char* global) { return runtime.globalPointer(global).value_or(Address{}); };
  m_stringType = typeOf("StringMethodTable");
  m_exceptionType = typeOf("ExceptionMethodTable");
  m_freeType = typeOf("FreeObjectMethodTable");
  m_multicastType = typeOf("MulticastDelegateMethodTable");
  m_delegateType = typeOf("DelegateMethodTable");
  m_lengthOffset = runtime.contract().offset("String", "m_StringLength");
  m_charactersOffset = runtime.contract().offset("String", "m_FirstChar");
  if (const WalkedHeap* heap = values.sources().heap) m_ofTypes.resize(heap->types.size());
}

const LinePlan& LinePlans::learn(Address methodTable) {
  auto known = m_plans.find(methodTable.value);
  if (known == m_plans.end()) known = m_plans.emplace(methodTable.value, describe(methodTable)).first;
  m_recent[methodTable.value / kAlignment % m_recent.size()] = {methodTable, &known->second};
  return known->second;
}

bool LinePlans::derivesFrom(const TypeShape& shape, Address base) const {
  const TypeShape* level = &shape;
  for (std::size_t depth = 0; base && level && depth < kLimits.parentDepth; ++depth) {
    if (level->type.address == base) return true;
    level = level->type.parent ? m_sources.shapes.find(level->type.parent) : nullptr;
  }
  return false;
}

LinePlan LinePlans::describe(Address methodTable) const {
  LinePlan plan;
  const TypeShape* shape = m_sources.shapes.find(methodTable);
  if (!shape || methodTable == m_freeType) return plan;
  plan.shape = shape;
  findFields(plan);
  findForm(plan);
  describeReferred(plan);
  return plan;
}

void LinePlans::findForm(LinePlan& plan) const {
  const MethodTable& type = plan.shape->type;
  const auto isChildOf = [&](Address base) { return type.parent && type.parent == base; };
  plan.form = Form::Fields;
  if (type.address == m_stringType) {
    plan.form = Form::String;
  } else if (type.isArray) {
    const auto element = m_sources.readers.methodTables.arrayElementType(type);
    plan.form = element && type.isSzArray ? Form::Vector : Form::Array;
    if (plan.form == Form::Array) return;
    plan.item = partOf(m_sources.shapes.slotOf(*element));
    plan.brackets = bracketsOf(m_sources.readers.names.nameOf(*element));
  } else if (type.isValueType) {
    plan.form = Form::Boxed;
    plan.item = partOf(m_sources.shapes.slotOf(TypeHandle(type.address)));
    plan.item.offset = kFieldsStart;
  } else if (derivesFrom(*plan.shape, m_exceptionType)) {
    plan.form = Form::Exception;
  } else if (isChildOf(m_multicastType) || isChildOf(m_delegateType)) {
    plan.form = Form::Delegate;
  } else if (isKnownObjectType(m_sources, *plan.shape)) {
    plan.form = Form::Known;
  } else {
    describeCollection(plan);
  }
}

void LinePlans::describeReferred(LinePlan& plan) const {
  if (plan.form == Form::String) plan.inField = plan.asItem = Shown::String;
  if (plan.form == Form::Vector) plan.inField = plan.asItem = Shown::Count;
  if (plan.form == Form::String || plan.shape->type.isArray || plan.shape->type.isValueType) return;
  plan.name = shortTypeName(plan.shape->name);
  if (plan.name.empty()) return;
  plan.inField = Shown::Type;
  // A thing read as one is shown in full where it is an item.
  if (!isKnownObjectType(m_sources, *plan.shape)) plan.asItem = Shown::Type;
}

// Lists are by far the most frequent collections.
void LinePlans::describeCollection(LinePlan& plan) const {
  const auto recognised = recogniseCollection(Instance(m_sources, *plan.shape, {}));
  if (!recognised) return;
  plan.form = Form::Collection;
  plan.collection = recognised->kind;
  plan.collectionShape = &recognised->instance.shape();
  if (plan.collection->name != "List") return;
  const auto items = recognised->instance.offsetOf(kListArray.array);
  const auto size = recognised->instance.offsetOf(kListArray.count);
  const auto item = recognised->instance.typeArgument(0);
  if (!items || !size || !item) return;
  plan.form = Form::List;
  plan.itemsOffset = *items;
  plan.sizeOffset = *size;
  plan.item = partOf(m_sources.shapes.slotOf(*item));
}

void LinePlans::findFields(LinePlan& plan) const {
  std::vector<const TypeShape*> chain;
  for (const TypeShape* level = plan.shape; level && chain.size() < kLimits.parentDepth;) {
    if (std::ranges::find(chain, level) != chain.end()) break;
    chain.push_back(level);
    level = level->type.parent ? m_sources.shapes.find(level->type.parent) : nullptr;
  }
  for (auto level = chain.rbegin(); level != chain.rend(); ++level) {
    for (const FieldShape& field : (*level)->fields) {
      plan.hasMoreFields |= plan.fields.size() == kFieldsOnLine;
      if (plan.fields.size() == kFieldsOnLine) break;
      LinePlan::Part& part = plan.fields.emplace_back(partOf(field.slot));
      part.label = fmt::format("{} = ", csharpFieldName(field.name));
      part.offset = static_cast<std::uint32_t>(kFieldsStart) + field.offset;
    }
  }
}

LinePlan::Part LinePlans::partOf(Slot slot) const {
  const TypeShape* shape = slot.kind == Slot::Kind::ValueType ? m_sources.shapes.find(slot.type) : nullptr;
  if (shape && shape->kind == TypeShape::Kind::Primitive) {
    slot.kind = Slot::Kind::Primitive;
    slot.element = shape->element;
  }
  LinePlan::Part part;
  if (slot.kind == Slot::Kind::Reference) {
    part.kind = LinePlan::Part::Kind::Reference;
    part.sizeBytes = sizeof(Address);
  } else if (slot.kind == Slot::Kind::Primitive || (shape && shape->kind == TypeShape::Kind::Enum)) {
    const bool isEnum = slot.kind != Slot::Kind::Primitive;
    const ElementType element = isEnum ? shape->element : slot.element;
    part.sizeBytes = primitiveSize(element);
    part.kind = part.sizeBytes == 0 ? LinePlan::Part::Kind::Value
                : isEnum            ? LinePlan::Part::Kind::Enum
                                    : kindOf(element);
    part.isSigned = isSigned(element);
    if (isEnum) part.enumNames = &shape->enumNames;
  }
  part.slot = std::move(slot);
  return part;
}

std::optional<LineItems> LinePlans::itemsOf(const LinePlan& plan, Bytes object) {
  LineItems items;
  if (plan.form == Form::Vector) {
    items.stride = plan.shape->type.componentSize;
    if (!tryReadAt(object, kComponentsOffset, items.count)) return std::nullopt;
    items.shown = std::min<std::size_t>(items.count, kItemsOnLine);
    if (!trySlice(object, kElementsOffset, std::uint64_t{items.stride} * items.shown, items.bytes)) return std::nullopt;
    return items;
  }
  Address array, methodTable;
  std::int32_t size = 0;
  std::uint32_t capacity = 0;
  if (!tryReadAt(object, kFieldsStart + plan.itemsOffset, array) ||
      !tryReadAt(object, kFieldsStart + plan.sizeOffset, size))
    return std::nullopt;
  const Bytes head = m_memory.prefix(array, kElementsOffset);
  if (!tryReadAt(head, 0, methodTable) || !tryReadAt(head, kComponentsOffset, capacity)) return std::nullopt;
  items.count = static_cast<std::uint32_t>(size);
  const TypeIndex::Slot* type = m_values.sources().heap->types.find(methodTable.value & kMethodTableMask);
  if (!type || size < 0 || items.count > capacity || of(TypeId{type->type}).form != Form::Vector) return std::nullopt;
  items.arrayType = {type->type};
  items.stride = type->componentSize;
  items.shown = std::min<std::size_t>(items.count, kItemsOnLine);
  const std::uint64_t bytes = std::uint64_t{items.stride} * items.shown;
  items.bytes = m_memory.prefix(array + kElementsOffset, bytes);
  return items.bytes.size() < bytes ? std::nullopt : std::optional(items);
}

}  // namespace heapscape::engine
