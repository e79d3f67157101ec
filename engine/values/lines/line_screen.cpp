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

namespace heapscape::engine {
namespace {

constexpr std::size_t kMostUnits = 256;  // at least as many of a string as a line has
constexpr std::size_t kMostDigits = 19;  // whose number is one of 64 bits in any case

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

// Whether a unit is written as it reads.
bool isPlain(char16_t unit) {
  return unit >= 0x20 && unit < 0x7f;
}

template <class T>
std::uint64_t magnitudeOf(T value) {
  return value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
}

/// Without its sign.
std::uint64_t integerAt(const std::byte* at, std::size_t size, bool isSigned) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, at, size);
  if (!isSigned) return bits;
  const auto unused = static_cast<int>(64 - 8 * size);
  return magnitudeOf(static_cast<std::int64_t>(bits << unused) >> unused);
}

}  // namespace

LineScreen::LineScreen(LinePlans& plans, std::string word)
    : m_plans(plans), m_heap(*plans.values().sources().heap), m_word(std::move(word)), m_types(m_heap.types.size()) {
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

const LineScreen::Type& LineScreen::typeOf(TypeId id) {
  Type& type = m_types[id.value];
  if (type.plan) return type;
  type.plan = &m_plans.of(id);
  type.inField = verdictOfReferred(*type.plan, type.plan->inField);
  type.asItem = verdictOfReferred(*type.plan, type.plan->asItem);
  type.line = verdictOfLine(type);
  return type;
}

LineScreen::Verdict LineScreen::verdictOfLine(Type& type) const {
  using Form = LinePlan::Form;
  const LinePlan& plan = *type.plan;
  if (plan.form == Form::String) return Verdict::Look;
  if (plan.form == Form::Vector || plan.form == Form::List) {
    type.parts = {verdictOf(plan.item)};
    const bool isWritten = isIn("items") || isIn("empty") || type.parts.front() == Verdict::Anything;
    return isWritten ? Verdict::Anything : Verdict::Look;
  }
  if (plan.form != Form::Fields) return Verdict::Anything;
  for (const LinePlan::Part& part : plan.fields) {
    type.parts.push_back(verdictOf(part));
    if (type.parts.back() == Verdict::Anything || isIn(part.label)) return Verdict::Anything;
    type.isReadable |= part.kind != LinePlan::Part::Kind::Reference;
  }
  return plan.fields.empty() ? Verdict::Nothing : Verdict::Look;
}

LineScreen::Verdict LineScreen::verdictOfReferred(const LinePlan& plan, LinePlan::Shown shown) const {
  if (shown == LinePlan::Shown::String) return Verdict::Look;
  if (shown == LinePlan::Shown::Value || isIn(plan.shape->name) || isIn(shortTypeName(plan.shape->name)))
    return Verdict::Anything;
  return shown == LinePlan::Shown::Type ? Verdict::Nothing : Verdict::Look;
}

LineScreen::Verdict LineScreen::verdictOf(const LinePlan::Part& part) const {
  using enum LinePlan::Part::Kind;
  switch (part.kind) {
    case Value:
    case Code:
      return Verdict::Anything;
    case Enum:
      if (std::ranges::any_of(part.enumNames->members, [&](const auto& member) { return isIn(member.name); }))
        return Verdict::Anything;
      [[fallthrough]];
    case Integer:
      return m_isNumber ? Verdict::Look : Verdict::Nothing;
    case Boolean:
      return isIn("true") || isIn("false") ? Verdict::Anything : Verdict::Look;
    case Reference:
    case Real:
    case Character:
      break;
  }
  return Verdict::Look;
}

bool LineScreen::mayHold(Bytes object, TypeId id) {
  if (object.empty()) return true;
  const Type& type = typeOf(id);
  if (type.line != Verdict::Look) return type.line == Verdict::Anything;
  if (type.plan->form == LinePlan::Form::String) return stringMayHold(object);
  return type.plan->form == LinePlan::Form::Fields ? fieldsMayHold(type, object) : itemsMayHold(type, object);
}

bool LineScreen::itemsMayHold(const Type& type, Bytes object) {
  const LinePlan& plan = *type.plan;
  const auto items = m_plans.itemsOf(plan, object);
  if (!items || numberMayHold(items->count) || (items->shown && plan.item.sizeBytes > items->stride)) return true;
  for (std::size_t i = 0; i < items->shown; ++i) {
    const std::byte* const at = items->bytes.data() + i * items->stride;
    if (partMayHold(plan.item, type.parts.front(), at, plan.form == LinePlan::Form::List)) return true;
  }
  return false;
}

bool LineScreen::fieldsMayHold(const Type& type, Bytes object) {
  bool isReadable = type.isReadable;
  for (std::size_t i = 0; i < type.parts.size(); ++i) {
    const LinePlan::Part& part = type.plan->fields[i];
    if (part.offset + std::uint64_t{part.sizeBytes} > object.size()) return true;
    if (partMayHold(part, type.parts[i], object.data() + part.offset, false)) return true;
    if (isReadable) continue;
    Address target;
    std::memcpy(&target, object.data() + part.offset, sizeof target);
    isReadable = !target || !m_heap.index.idOf(target).isNone();
  }
  return !isReadable;
}

bool LineScreen::partMayHold(const LinePlan::Part& part, Verdict verdict, const std::byte* at, bool isItem) {
  using enum LinePlan::Part::Kind;
  if (verdict != Verdict::Look) return verdict == Verdict::Anything;
  if (part.kind == Reference) {
    Address object;
    std::memcpy(&object, at, sizeof object);
    return referenceMayHold(object, isItem);
  }
  if (part.kind == Integer || part.kind == Enum) return numberMayHold(integerAt(at, part.sizeBytes, part.isSigned));
  if (part.kind == Boolean) return static_cast<std::uint8_t>(*at) > 1;
  if (part.kind == Character) {
    char16_t unit = 0;
    std::memcpy(&unit, at, sizeof unit);
    return !isPlain(unit) || (m_word.size() == 1 && lowerCase(static_cast<char>(unit)) == m_word.front());
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
  const Bytes bytes = m_plans.memory().prefix(object, m_plans.charactersOffset() + kMostUnits * sizeof(char16_t));
  std::uint64_t methodTable = 0;
  if (!tryReadAt(bytes, 0, methodTable)) return true;
  const TypeIndex::Slot* slot = m_heap.types.find(methodTable & kMethodTableMask);
  if (!slot) return true;
  const Type& type = typeOf({slot->type});
  const Verdict verdict = isItem ? type.asItem : type.inField;
  if (verdict != Verdict::Look) return verdict == Verdict::Anything;
  if (type.plan->form == LinePlan::Form::String) return stringMayHold(bytes);
  std::uint32_t count = 0;
  return !tryReadAt(bytes, kComponentsOffset, count) || numberMayHold(count);
}

bool LineScreen::stringMayHold(Bytes string) const {
  std::uint32_t length = 0;
  if (!tryReadAt(string, m_plans.lengthOffset(), length)) return true;
  const std::size_t units = std::min<std::size_t>(length, kMostUnits);
  Bytes characters;
  if (!trySlice(string, m_plans.charactersOffset(), units * sizeof(char16_t), characters)) return true;
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
