// SPDX-License-Identifier: MIT
#include "values/lines/line_keys.h"

#include <algorithm>

#include "heap/object_head.h"

namespace heapscape::engine {
std::string_view LineKeys::of(Bytes object, TypeId type) {
  m_size = 0;
  return !object.empty() && addValue(type.value) && addLine(object, type) ? std::string_view(m_key, m_size)
                                                                          : std::string_view();
}

bool LineKeys::addLine(Bytes object, TypeId id) {
  using Form = LinePlan::Form;
  const LinePlan& plan = m_plans.of(id);
  switch (plan.form) {
    case Form::String:
      return addString(object);
    case Form::Vector:
    case Form::List:
      return addItems(plan, object);
    case Form::Boxed:
      return plan.item.kind != LinePlan::Part::Kind::Reference && addParts(std::span(&plan.item, 1), object);
    case Form::Fields:
      return addParts(plan.fields, object);
    default:
      return false;
  }
}

bool LineKeys::addString(Bytes string) {
  constexpr std::size_t kStep = sizeof(std::uint64_t);
  std::uint32_t length = 0;
  Bytes characters;
  if (!tryReadAt(string, m_plans.lengthOffset(), length) || length >= kLongest) return false;
  const std::size_t size = length * sizeof(char16_t);
  if (!addValue(length) || size > kLongest - m_size || !trySlice(string, m_plans.charactersOffset(), size, characters))
    return false;
  if (alignUp(size, kStep) <= string.size() - m_plans.charactersOffset()) {
    for (std::size_t i = 0; i < size; i += kStep) std::memcpy(m_key + m_size + i, characters.data() + i, kStep);
  } else {
    std::memcpy(m_key + m_size, characters.data(), size);
  }
  m_size += size;
  return true;
}

bool LineKeys::addItems(const LinePlan& plan, Bytes object) {
  const bool isList = plan.form == LinePlan::Form::List;
  const LinePlan::Part& part = plan.item;
  const auto items = part.sizeBytes ? m_plans.itemsOf(plan, object) : std::nullopt;
  if (!items || !addValue(items->count) || (isList && !addValue(items->arrayType.value))) return false;
  if (items->shown && part.sizeBytes > items->stride) return false;
  for (std::size_t i = 0; i < items->shown; ++i) {
    if (!addPart(part, items->bytes.data() + i * items->stride, isList)) return false;
  }
  return true;
}

bool LineKeys::addParts(std::span<const LinePlan::Part> parts, Bytes object) {
  return std::ranges::all_of(parts, [&](const LinePlan::Part& part) {
    return part.sizeBytes && part.offset + std::uint64_t{part.sizeBytes} <= object.size() &&
           addPart(part, object.data() + part.offset, false);
  });
}

bool LineKeys::addPart(const LinePlan::Part& part, const std::byte* at, bool isItem) {
  if (part.kind == LinePlan::Part::Kind::Reference) {
    Address object;
    std::memcpy(&object, at, sizeof object);
    return addReference(object, isItem);
  }
  switch (part.sizeBytes) {
    case 1:
      return add<1>(at);
    case 2:
      return add<2>(at);
    case 4:
      return add<4>(at);
    case 8:
      return add<8>(at);
    default:
      return false;
  }
}

// Types are told apart from null by their number.
bool LineKeys::addReference(Address object, bool isItem) {
  if (!object) return addValue(TypeId{}.value);
  if (!m_heap.index.isStart(object)) return false;
  const Bytes bytes = m_plans.memory().prefix(object, m_plans.charactersOffset() + kLongest * sizeof(char16_t));
  Address methodTable;
  if (!tryReadAt(bytes, 0, methodTable)) return false;
  const TypeIndex::Slot* slot = m_heap.types.find(methodTable.value & kMethodTableMask);
  if (!slot || !addValue(slot->type)) return false;
  const LinePlan& plan = m_plans.of(TypeId{slot->type});
  switch (isItem ? plan.asItem : plan.inField) {
    case LinePlan::Shown::Value:
      return false;
    case LinePlan::Shown::Type:
      return true;
    case LinePlan::Shown::String:
      return addString(bytes);
    case LinePlan::Shown::Count:
      break;
  }
  std::uint32_t count = 0;
  return tryReadAt(bytes, kComponentsOffset, count) && addValue(count);
}

}  // namespace heapscape::engine
