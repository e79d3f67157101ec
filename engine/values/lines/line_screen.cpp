// SPDX-License-Identifier: MIT
#include "values/lines/line_screen.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <utility>

#include "base/ascii.h"
#include "base/short_type_name.h"
#include "heap/object_head.h"
#include "runtime/types/method_tables.h"
#include "values/known/known_objects.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kMostUnits = 256;  // at least as many of a string as a line has
constexpr std::size_t kMostDigits = 19;  // whose number is one of 64 bits in any case

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

// What is written as it reads.
bool isPlain(char16_t unit) {
  return unit >= 0x20 && unit < 0x7f;
}

template <class T>
std::uint64_t magnitudeOf(T value) {
  return value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
}

/// Without its sign.
std::uint64_t integerAt(Bytes bytes, std::uint64_t from, std::size_t size, bool isSigned) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes.data() + from, size);
  if (!isSigned) return bits;
  const auto unused = static_cast<int>(64 - 8 * size);
  return magnitudeOf(static_cast<std::int64_t>(bits << unused) >> unused);
}

}  // namespace

LineScreen::LineScreen(const ValueReader& values, std::string word)
    : m_values(values),
      m_heap(*values.sources().heap),
      m_memory(values.sources().readers.runtime.memory()),
      m_word(std::move(word)),
      m_parts(values, kMostUnits),
      m_lines(values, m_parts),
      m_types(m_heap.types.size()) {
  const Contract& contract = values.sources().readers.runtime.contract();
  m_lengthOffset = contract.offset("String", "m_StringLength");
  m_charactersOffset = contract.offset("String", "m_FirstChar");
  m_isNumber = std::ranges::all_of(m_word, isDigit);
  m_isInNull = isIn("null") || isIn("None");
  if (!m_isNumber || m_word.size() > kMostDigits) return;
  m_power = 1;
  for (const char digit : m_word) {
    m_number = 10 * m_number + static_cast<std::uint64_t>(digit - '0');
    m_power *= 10;
  }
}

bool LineScreen::isIn(std::string_view text) const {
  const bool isAsItReads = std::ranges::all_of(text, [](char c) { return isPlain(static_cast<unsigned char>(c)); });
  return !isAsItReads || holdsIgnoringCase(text, m_word);
}

const LineScreen::Type& LineScreen::typeOf(TypeId type) {
  Type& known = m_types[type.value];
  if (!known.isKnown) {
    known = describe(type);
    known.isKnown = true;
  }
  return known;
}

LineScreen::Type LineScreen::describe(TypeId id) {
  using Form = LineType::Form;
  Type type;
  const LineType& line = m_lines.of(m_heap.types.methodTable(id));
  type.isVector = line.form == Form::Vector;
  if (line.shape) describeReferred(*line.shape, type);
  if (line.form == Form::String) {
    type.way = Type::Way::String;
    type.inField = type.asItem = Referred::String;
  } else if (line.form == Form::Fields) {
    describeFields(line, type);
  } else if (line.form == Form::Vector || line.form == Form::List) {
    const Part part = partOf(line.element);
    const bool isInCount = isIn("items") || isIn("empty");
    if (isInCount || part.kind == Part::Kind::Anything) return type;
    type.way = type.isVector ? Type::Way::Vector : Type::Way::List;
    type.parts = {part};
    type.stride = line.shape->type.componentSize;
    type.itemsOffset = line.itemsOffset;
    type.sizeOffset = line.sizeOffset;
  }
  return type;
}

void LineScreen::describeFields(const LineType& line, Type& type) const {
  for (const LineType::Field& field : line.fields) {
    Part part = partOf(field.slot);
    if (part.kind == Part::Kind::Anything || isIn(field.label)) return;
    part.offset = static_cast<std::uint32_t>(Instance::kFieldsOffset) + field.offset;
    type.isReadable |= part.kind != Part::Kind::Reference;
    type.parts.push_back(part);
  }
  type.way = type.parts.empty() ? Type::Way::Nothing : Type::Way::Fields;
}

void LineScreen::describeReferred(const TypeShape& shape, Type& type) const {
  if (shape.type.isValueType || isIn(shape.name) || isIn(shortTypeName(shape.name))) return;
  if (shape.type.isArray) {
    if (shape.type.isSzArray) type.inField = type.asItem = Referred::Array;
    return;
  }
  type.inField = Referred::Nothing;
  // What is read as one thing is told in full where it is an item.
  if (!isKnownObjectType(m_values.instances(), shape)) type.asItem = Referred::Nothing;
}

LineScreen::Part LineScreen::partOf(const Slot& slot) const {
  if (slot.kind == Slot::Kind::Reference) return {.kind = Part::Kind::Reference, .sizeBytes = sizeof(Address)};
  if (slot.kind == Slot::Kind::Primitive) return primitivePart(slot.element);
  const TypeShape* shape = slot.kind == Slot::Kind::ValueType ? m_values.shapes().find(slot.type) : nullptr;
  if (!shape || shape->kind != TypeShape::Kind::Enum) return {};
  const bool isInName =
      std::ranges::any_of(shape->enumNames.members, [&](const EnumNames::Member& member) { return isIn(member.name); });
  return isInName ? Part{} : integerPart(shape->element);
}

LineScreen::Part LineScreen::primitivePart(ElementType element) const {
  switch (element) {
    case ElementType::Boolean:
      if (isIn("true") || isIn("false")) return {};
      return {.kind = Part::Kind::Boolean, .sizeBytes = 1};
    case ElementType::Char:
      return {.kind = Part::Kind::Character, .sizeBytes = sizeof(char16_t)};
    case ElementType::R4:
      return {.kind = Part::Kind::Real, .sizeBytes = sizeof(float)};
    case ElementType::R8:
      return {.kind = Part::Kind::Real, .sizeBytes = sizeof(double)};
    // An address may lead to a method, which is told as well.
    case ElementType::I:
    case ElementType::U:
      return {};
    default:
      return integerPart(element);
  }
}

LineScreen::Part LineScreen::integerPart(ElementType element) const {
  const std::uint32_t size = primitiveSize(element);
  const bool isSigned = element == ElementType::I1 || element == ElementType::I2 || element == ElementType::I4 ||
                        element == ElementType::I8 || element == ElementType::I;
  if (size == 0 || size > sizeof(std::uint64_t)) return {};
  return {.kind = m_isNumber ? Part::Kind::Integer : Part::Kind::Nothing,
          .isSigned = isSigned,
          .sizeBytes = static_cast<std::uint8_t>(size)};
}

bool LineScreen::mayHold(Bytes object, TypeId id) {
  if (object.empty()) return true;
  const Type& type = typeOf(id);
  switch (type.way) {
    case Type::Way::Write:
      return true;
    case Type::Way::Nothing:
      return false;
    case Type::Way::String:
      return stringMayHold(object);
    case Type::Way::Vector:
      return vectorMayHold(type, object);
    case Type::Way::List:
      return listMayHold(type, object);
    case Type::Way::Fields:
      return fieldsMayHold(type, object);
  }
  return true;
}

bool LineScreen::vectorMayHold(const Type& type, Bytes array) {
  const auto items = readVectorItems(array, type.stride);
  return !items || itemsMayHold(type.parts.front(), *items, false);
}

// What is not as it should be is told in another way.
bool LineScreen::listMayHold(const Type& type, Bytes list) {
  const auto items = readListItems(m_heap, m_memory, list, type.itemsOffset, type.sizeOffset);
  return !items || !typeOf(items->arrayType).isVector || itemsMayHold(type.parts.front(), *items, true);
}

bool LineScreen::itemsMayHold(const Part& part, const LineItems& items, bool areOfList) {
  if (numberMayHold(items.count) || (items.shown && part.sizeBytes > items.stride)) return true;
  for (std::size_t i = 0; i < items.shown; ++i) {
    if (partMayHold(part, items.bytes, i * items.stride, areOfList)) return true;
  }
  return false;
}

bool LineScreen::fieldsMayHold(const Type& type, Bytes object) {
  bool isReadable = type.isReadable;
  for (const Part& part : type.parts) {
    if (part.offset + std::uint64_t{part.sizeBytes} > object.size()) return true;
    if (partMayHold(part, object, part.offset, false)) return true;
    if (isReadable) continue;
    Address target;
    std::memcpy(&target, object.data() + part.offset, sizeof target);
    isReadable = !target || !m_heap.index.idOf(target).isNone();
  }
  return !isReadable;
}

bool LineScreen::partMayHold(const Part& part, Bytes bytes, std::uint64_t from, bool isItem) {
  const std::byte* at = bytes.data() + from;
  switch (part.kind) {
    case Part::Kind::Anything:
      return true;
    case Part::Kind::Nothing:
      return false;
    case Part::Kind::Reference: {
      Address object;
      std::memcpy(&object, at, sizeof object);
      return referenceMayHold(object, isItem);
    }
    case Part::Kind::Integer:
      return numberMayHold(integerAt(bytes, from, part.sizeBytes, part.isSigned));
    case Part::Kind::Boolean:
      return static_cast<std::uint8_t>(*at) > 1;
    case Part::Kind::Character: {
      char16_t unit = 0;
      std::memcpy(&unit, at, sizeof unit);
      return !isPlain(unit) || (m_word.size() == 1 && lowerCase(static_cast<char>(unit)) == m_word.front());
    }
    case Part::Kind::Real:
      break;
  }
  // As tryAddNumber() has it.
  constexpr double kExactFloats = 0x1p24, kExactDoubles = 0x1p53;
  float single = 0;
  double value = 0;
  if (part.sizeBytes == sizeof single) {
    std::memcpy(&single, at, sizeof single);
    return realMayHold(single, kExactFloats);
  }
  std::memcpy(&value, at, sizeof value);
  return realMayHold(value, kExactDoubles);
}

bool LineScreen::referenceMayHold(Address object, bool isItem) {
  if (!object) return m_isInNull;
  const Bytes bytes = m_memory.prefix(object, m_charactersOffset + kMostUnits * sizeof(char16_t));
  std::uint64_t methodTable = 0;
  if (!tryReadAt(bytes, 0, methodTable)) return true;
  const TypeIndex::Slot* slot = m_heap.types.find(methodTable & kMethodTableMask);
  if (!slot) return true;
  const Type& type = typeOf({slot->type});
  switch (isItem ? type.asItem : type.inField) {
    case Referred::Anything:
      return true;
    case Referred::Nothing:
      return false;
    case Referred::String:
      return stringMayHold(bytes);
    case Referred::Array:
      break;
  }
  std::uint32_t count = 0;
  return !tryReadAt(bytes, kComponentsOffset, count) || numberMayHold(count);
}

bool LineScreen::stringMayHold(Bytes string) const {
  std::uint32_t length = 0;
  if (!tryReadAt(string, m_lengthOffset, length)) return true;
  const std::size_t units = std::min<std::size_t>(length, kMostUnits);
  Bytes characters;
  if (!trySlice(string, m_charactersOffset, units * sizeof(char16_t), characters)) return true;
  std::array<char, kMostUnits> letters;
  bool areAllPlain = true;
  for (std::size_t i = 0; i < units; ++i) {
    char16_t unit = 0;
    std::memcpy(&unit, characters.data() + i * sizeof unit, sizeof unit);
    areAllPlain &= isPlain(unit);
    letters[i] = lowerCase(static_cast<char>(unit));
  }
  return !areAllPlain || std::string_view(letters.data(), units).find(m_word) != std::string_view::npos;
}

// Whether the digits of a number hold those of the word: cut off from the end one by one.
bool LineScreen::numberMayHold(std::uint64_t magnitude) const {
  if (!m_isNumber) return false;
  if (m_power == 0) return true;
  const std::uint64_t smallest = m_word.size() == 1 ? 0 : m_power / 10;  // with as many digits
  for (;; magnitude /= 10) {
    if (magnitude < smallest) return false;
    if (magnitude % m_power == m_number) return true;
    if (magnitude < 10) return false;
  }
}

bool LineScreen::realMayHold(double value, double exactBelow) const {
  const double magnitude = std::abs(value);
  if (!(magnitude < exactBelow) || magnitude != std::trunc(magnitude)) return true;
  return numberMayHold(static_cast<std::uint64_t>(magnitude));
}

}  // namespace heapscape::engine
