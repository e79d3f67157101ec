// SPDX-License-Identifier: MIT
#include "values/reading/value_reader.h"

#include <algorithm>

#include "values/reading/slot_reader.h"

namespace heapscape::engine {

FieldValue ValueReader::readField(const FieldDesc& field, const MethodTable& declaring, Address at) const {
  FieldValue value = SlotReader(*this).read(m_shapes->slotOf(field, declaring), at, field.offset);
  value.name = field.name;
  value.declaringType = m_sources.readers.names.nameOf(declaring.address);
  return value;
}

FieldValue ValueReader::readValue(TypeHandle type, Address at) const {
  return SlotReader(*this).read(m_shapes->slotOf(type), at, 0);
}

FieldValue ValueReader::readSlot(const Slot& slot, Address at) const {
  return SlotReader(*this).read(slot, at, 0);
}

ValueReader ValueReader::with(const LooseBytes& loose) const {
  ValueReader reader = *this;
  reader.m_loose = std::make_shared<const LooseBytes>(loose);
  return reader;
}

bool ValueReader::tryRead(Address address, std::span<std::byte> target) const {
  if (address < LooseBytes::kPlace || !m_loose) return m_sources.readers.runtime.memory().tryRead(address, target);
  const std::uint64_t offset = address - LooseBytes::kPlace;
  if (offset > m_loose->size || target.size() > m_loose->size - offset) return false;
  std::ranges::copy(std::span(m_loose->bytes).subspan(offset, target.size()), target.begin());
  return true;
}

Value ValueReader::readReference(Address object) const {
  return referenceValue(*this, object);
}

std::vector<FieldValue> ValueReader::readFields(const MethodTable& type, Address fieldsStart,
                                                std::uint64_t startOffset) const {
  std::vector<const TypeShape*> chain;
  for (Address level = type.address; level && chain.size() < kLimits.parentDepth;) {
    const TypeShape* shape = m_shapes->find(level);
    // A chain that runs in a circle ends where it meets itself.
    if (!shape || std::ranges::find(chain, shape) != chain.end()) break;
    chain.push_back(shape);
    if (type.isValueType) break;
    level = shape->type.parent;
  }
  std::vector<FieldValue> fields;
  SlotReader reader(*this);
  for (auto shape = chain.rbegin(); shape != chain.rend(); ++shape) {
    auto declared = reader.readDeclared(**shape, fieldsStart, startOffset);
    std::ranges::move(declared, std::back_inserter(fields));
  }
  return fields;
}

std::vector<FieldValue> ValueReader::readElements(TypeHandle type, Address first, std::uint64_t stride,
                                                  std::size_t count, std::uint64_t startOffset) const {
  const Slot slot = m_shapes->slotOf(type);
  SlotReader reader(*this, count);
  std::vector<FieldValue> elements;
  for (std::size_t i = 0; i < count; ++i)
    elements.push_back(reader.read(slot, first + i * stride, startOffset + i * stride));
  return elements;
}

}  // namespace heapscape::engine
