// SPDX-License-Identifier: MIT
#include "query/objects/object_values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <span>

#include "base/ascii.h"
#include "heap/object_head.h"

namespace heapscape::engine {

ObjectValues::ObjectValues(const ObjectFields& fields, const ValueReader& shared)
    : m_fields(fields),
      m_values(shared),
      m_sources(shared.instances()),
      m_collectionTypes(fields.snapshot().types().size()),
      m_lines(shared) {
  const Address string = fields.contents().readers->runtime.globalPointer("StringMethodTable").value_or(Address{});
  if (const TypeIndex::Slot* slot = fields.contents().heap->types.find(string.value)) m_stringType = {slot->type};
  m_charactersOffset = fields.contents().readers->runtime.contract().offset("String", "m_FirstChar");
}

FieldPathReader& ObjectValues::pathReader(const std::string& path) {
  if (!m_lastPath || m_lastPath->first != path)
    m_lastPath = &*m_paths.try_emplace(path, m_fields.contents(), m_values, path).first;
  return m_lastPath->second;
}

CollectionType& ObjectValues::collectionType(TypeId type) {
  std::optional<CollectionType>& known = m_collectionTypes[type.value];
  if (!known) known = CollectionType(m_sources, methodTableOf(type));
  return *known;
}

const CollectionSizes& ObjectValues::sizesOf(const ObjectView& object) {
  if (m_sizedObject == object.facts.address) return m_sizes;
  const TypeId type = object.facts.type;
  const bool isArray = m_fields.snapshot().types()[type.value].componentSize != 0;
  if (isArray) {
    m_sizes = {};
    if (type != m_stringType) m_sizes.count = object.facts.components;
  } else {
    m_sizes = collectionType(type).sizesOf(m_sources, object.facts.address);
  }
  m_sizedObject = object.facts.address;
  return m_sizes;
}

bool ObjectValues::isPossible(const QueryFieldReference& reference, TypeId type) {
  if (reference.field == QueryFieldReference::kObjectField) return pathReader(reference.path).isIn(methodTableOf(type));
  const bool isArray = m_fields.snapshot().types()[type.value].componentSize != 0 && type != m_stringType;
  switch (static_cast<ObjectField>(reference.field)) {
    case ObjectField::Text:
      return type == m_stringType;
    case ObjectField::Value:
      return m_lines.isPossible(methodTableOf(type));
    case ObjectField::Count:
      return isArray || collectionType(type).isCollection();
    case ObjectField::Capacity:
      return collectionType(type).isCollection();
    default:
      return true;
  }
}

QueryValue ObjectValues::value(const QueryFieldReference& reference, const ObjectView& object) {
  if (formOf(reference) == ObjectFieldForm::Memory && !isPossible(reference, object.facts.type)) return {};
  if (reference.field == QueryFieldReference::kObjectField)
    return pathReader(reference.path).read(object.facts.address, methodTableOf(object.facts.type));
  const auto field = static_cast<ObjectField>(reference.field);
  switch (formOf(reference)) {
    case ObjectFieldForm::Symbol: {
      const std::uint32_t symbol = m_fields.symbol(field, object);
      return symbol == ObjectFields::kNoSymbol ? QueryValue::ofNull()
                                               : QueryValue::ofText(m_fields.symbols(field)[symbol]);
    }
    case ObjectFieldForm::Number: {
      const auto number = m_fields.number(field, object);
      if (!number) return {};
      const bool isAddress = field == ObjectField::Address || field == ObjectField::Segment;
      return isAddress ? QueryValue::ofAddress(*number) : QueryValue::ofNumber(*number);
    }
    case ObjectFieldForm::Flag:
      return QueryValue::ofFlag(m_fields.flag(field, object));
    case ObjectFieldForm::Memory:
      break;
  }
  if (field == ObjectField::Set) {
    const auto names = m_fields.setsOf(object);
    return names.empty() ? QueryValue::ofNull() : QueryValue::ofText(fmt::format("{}", fmt::join(names, ", ")));
  }
  if (field == ObjectField::Value) {
    const auto line = m_lines.read(object.facts.address, methodTableOf(object.facts.type));
    if (!line) return QueryValue::unreadable();
    QueryValue value = QueryValue::ofText(std::string(*line));
    if (object.facts.type == m_stringType)
      value.characters = readStringValue(m_fields.contents(), object.facts.address).text;
    return value;
  }
  if (field == ObjectField::Text) return readStringValue(m_fields.contents(), object.facts.address);
  const std::optional<std::uint64_t> size = sizeOf(field, object);
  if (size) return QueryValue::ofNumber(*size);
  return m_sizes.isUnreadable ? QueryValue::unreadable() : QueryValue();
}

std::optional<std::uint64_t> ObjectValues::sizeOf(ObjectField field, const ObjectView& object) {
  const CollectionSizes& sizes = sizesOf(object);
  return field == ObjectField::Count ? sizes.count : sizes.capacity;
}

// Empty if the dump does not hold them.
Bytes ObjectValues::charactersOf(const ObjectView& string) const {
  Bytes characters;
  trySlice(bytesOf(string), m_charactersOffset, std::uint64_t{string.facts.components} * sizeof(char16_t), characters);
  return characters;
}

std::optional<std::string_view> ObjectValues::lineOf(const ObjectView& object) {
  const Address methodTable = methodTableOf(object.facts.type);
  return m_lines.isPossible(methodTable) ? m_lines.read(object.facts.address, methodTable) : std::nullopt;
}

std::string_view ObjectValues::charactersAt(const ObjectView& object) const {
  if (object.facts.type != m_stringType) return {};
  const Bytes characters = charactersOf(object);
  return {reinterpret_cast<const char*>(characters.data()), characters.size()};
}

std::optional<std::string_view> ObjectValues::beginOfText(const ObjectView& object, std::size_t most) {
  const Bytes characters = charactersOf(object);
  if (object.facts.type != m_stringType || characters.empty()) return std::nullopt;
  const std::size_t units = std::min(most, characters.size() / sizeof(char16_t));
  m_utf8.resize(units);
  const bool isAscii = tryToAscii(characters.first(units * sizeof(char16_t)), m_utf8.data());
  return isAscii ? std::optional<std::string_view>(m_utf8) : std::nullopt;
}

std::string_view ObjectValues::originOf(const QueryFieldReference& reference, const ObjectView& object) {
  if (reference == referenceTo(ObjectField::Text)) return charactersAt(object);
  if (reference != referenceTo(ObjectField::Value)) return {};
  if (!m_lineKeys) m_lineKeys.emplace(m_lines.plans());
  return m_lineKeys->of(bytesOf(object), object.facts.type);
}

ObjectValues::Compared& ObjectValues::compared(const QueryComparison& comparison) {
  const auto [entry, isNew] = m_compared.try_emplace(&comparison);
  if (isNew && comparison.field == referenceTo(ObjectField::Value)) {
    std::string word = comparison.test.searchedWord();
    if (!word.empty()) entry->second.screen = std::make_unique<LineScreen>(m_lines.plans(), std::move(word));
  }
  return entry->second;
}

ObjectValues::Compared::Answer ObjectValues::answerOf(const QueryComparison& comparison, const ObjectView& object) {
  if (comparison.field == referenceTo(ObjectField::Text)) {
    const std::string_view characters = charactersAt(object);
    return {comparison.test.acceptsCharacters(std::as_bytes(std::span(characters)), m_utf8), false};
  }
  if (!m_lines.isPossible(methodTableOf(object.facts.type))) return {};
  const auto line = lineOf(object);
  return {line && comparison.test.acceptsText(*line), !line};
}

bool ObjectValues::holdsText(const QueryComparison& comparison, const ObjectView& object, std::uint64_t& unreadable) {
  Compared& known = compared(comparison);
  if (known.screen && !known.screen->mayHold(bytesOf(object), object.facts.type)) return comparison.test.isExclusion();
  Compared::Answer answer;
  if (!known.recurring.mayRecur(object.facts.type)) {
    answer = answerOf(comparison, object);
  } else if (const auto* const before = known.answers.find(originOf(comparison.field, object))) {
    answer = *before;
    known.recurring.countKnown(object.facts.type);
  } else {
    answer = answerOf(comparison, object);
    known.answers.keep(answer);
  }
  unreadable += answer.isUnreadable;
  return answer.isAccepted;
}

bool ObjectValues::holdsString(const QueryComparison& comparison, const ObjectView& string, std::uint64_t& unreadable) {
  const std::string_view characters = charactersAt(string);
  const bool isMissing = characters.empty() && string.facts.components > 0;
  const auto line = isMissing || comparison.test.isAboutQuoted() ? lineOf(string) : std::nullopt;
  if (isMissing) {
    // The line, too, is made of them.
    unreadable += !line;
    return line && comparison.test.acceptsText(*line);
  }
  const bool isOfCharacters = comparison.test.acceptsCharacters(std::as_bytes(std::span(characters)), m_utf8);
  if (!comparison.test.isAboutQuoted()) return isOfCharacters;
  return comparison.test.acceptsString(isOfCharacters, line && comparison.test.acceptsText(*line));
}

bool ObjectValues::holds(const QueryComparison& comparison, const ObjectView& object, std::uint64_t& unreadable) {
  if (comparison.field == referenceTo(ObjectField::Text)) {
    // In place, without a copy: of strings there are more than of all other objects.
    const std::string_view characters = charactersAt(object);
    if (!characters.empty() && !comparison.test.isPattern())
      return comparison.test.acceptsCharacters(std::as_bytes(std::span(characters)), m_utf8);
    if (!characters.empty()) return holdsText(comparison, object, unreadable);
  }
  if (comparison.field == referenceTo(ObjectField::Value) && object.facts.type == m_stringType &&
      !comparison.test.isAboutText())
    return holdsString(comparison, object, unreadable);
  if (comparison.field == referenceTo(ObjectField::Value)) return holdsText(comparison, object, unreadable);
  const bool isSize =
      comparison.field == referenceTo(ObjectField::Count) || comparison.field == referenceTo(ObjectField::Capacity);
  if (isSize && !comparison.test.isAboutText()) {
    const std::optional<std::uint64_t> size = sizeOf(static_cast<ObjectField>(comparison.field.field), object);
    unreadable += m_sizes.isUnreadable;
    return size && comparison.test.acceptsNumber(static_cast<long double>(*size));
  }
  if (comparison.field == referenceTo(ObjectField::Set)) {
    const auto names = m_fields.setsOf(object);
    if (names.empty()) return comparison.test.acceptsNull();
    const auto fits = [&](std::string_view name) { return comparison.test.acceptsText(name); };
    // It is not in a set if none of those that it is in is that one.
    return comparison.test.isExclusion() ? std::ranges::all_of(names, fits) : std::ranges::any_of(names, fits);
  }
  const QueryValue found = value(comparison.field, object);
  unreadable += found.isUnreadable;
  return comparison.test.accepts(found);
}

}  // namespace heapscape::engine
