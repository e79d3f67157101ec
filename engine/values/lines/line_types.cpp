// SPDX-License-Identifier: MIT
#include "values/lines/line_types.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/limits.h"
#include "metadata/names/generated_names.h"
#include "runtime/types/method_tables.h"
#include "values/known/known_objects.h"

namespace heapscape::engine {

LineTypes::LineTypes(const ValueReader& values, const LineParts& parts)
    : m_sources(values.instances()), m_parts(parts) {
  const ClrRuntime& runtime = m_sources.readers.runtime;
  const auto typeOf = [&](const char* global) { return runtime.globalPointer(global).value_or(Address{}); };
  m_stringType = typeOf("StringMethodTable");
  m_exceptionType = typeOf("ExceptionMethodTable");
  m_freeType = typeOf("FreeObjectMethodTable");
  m_multicastType = typeOf("MulticastDelegateMethodTable");
  m_delegateType = typeOf("DelegateMethodTable");
}

const LineType& LineTypes::of(Address methodTable) {
  if (m_last && m_lastType == methodTable) return *m_last;
  auto known = m_types.find(methodTable.value);
  if (known == m_types.end()) known = m_types.emplace(methodTable.value, describe(methodTable)).first;
  m_lastType = methodTable;
  m_last = &known->second;
  return *m_last;
}

bool LineTypes::derivesFrom(const TypeShape& shape, Address base) const {
  const TypeShape* level = &shape;
  for (std::size_t depth = 0; base && level && depth < kLimits.parentDepth; ++depth) {
    if (level->type.address == base) return true;
    level = level->type.parent ? m_sources.shapes.find(level->type.parent) : nullptr;
  }
  return false;
}

LineType LineTypes::describe(Address methodTable) const {
  const TypeShape* shape = m_sources.shapes.find(methodTable);
  if (!shape || methodTable == m_freeType) return {};
  using Form = LineType::Form;
  LineType type{.form = Form::Fields, .shape = shape};
  findFields(type);
  const auto as = [&](Form form) {
    type.form = form;
    return std::move(type);
  };
  if (methodTable == m_stringType) return as(Form::String);
  if (shape->type.isArray) {
    const auto element = m_sources.readers.methodTables.arrayElementType(shape->type);
    if (!element || !shape->type.isSzArray) return as(Form::Array);
    type.element = m_parts.plain(m_sources.shapes.slotOf(*element));
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
LineType LineTypes::describeCollection(LineType type, const Instance& instance) const {
  type.form = LineType::Form::Collection;
  if (type.collection->name != "List") return type;
  const auto items = instance.offsetOf("_items");
  const auto size = instance.offsetOf("_size");
  const auto item = instance.typeArgument(0);
  if (!items || !size || !item) return type;
  type.form = LineType::Form::List;
  type.itemsOffset = *items;
  type.sizeOffset = *size;
  type.element = m_parts.plain(m_sources.shapes.slotOf(*item));
  return type;
}

void LineTypes::findFields(LineType& type) const {
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
      type.fields.push_back(
          {fmt::format("{} = ", csharpFieldName(field.name)), m_parts.plain(field.slot), field.offset});
    }
  }
}

}  // namespace heapscape::engine
