// SPDX-License-Identifier: MIT
#include "values/instance.h"

#include <fmt/format.h>

#include "base/limits.h"
#include "heap/object_head.h"
#include "runtime/types/method_tables.h"

namespace heapscape::engine {

Result<Instance> Instance::at(const InstanceSources& sources, Address object) {
  HEAPSCAPE_TRY(Address methodTable, sources.readers.runtime.memory().readPointer(object));
  methodTable.value &= kMethodTableMask;
  const TypeShape* shape = sources.shapes.find(methodTable);
  if (!shape) return failure(ErrorCode::Damaged, fmt::format("There is no object at {}.", toString(object)));
  return Instance(sources, *shape, object + kFieldsOffset);
}

Result<TypeHandle> Instance::typeArgument(std::size_t number) const {
  HEAPSCAPE_TRY(const auto arguments, m_sources->readers.methodTables.typeArguments(type()));
  if (number >= arguments.size())
    return failure(ErrorCode::NotFound, fmt::format("{} has no type argument {}.", m_shape->name, number));
  return arguments[number];
}

Result<FieldPlace> Instance::field(std::string_view name) const {
  const TypeShape* shape = m_shape;
  for (std::size_t depth = 0; shape && depth < kLimits.parentDepth; ++depth) {
    if (!shape->damage.empty()) return failure(ErrorCode::Damaged, shape->damage);
    if (const FieldShape* found = shape->field(name)) return FieldPlace{m_fields + found->offset, found};
    shape = shape->type.parent ? m_sources->shapes.find(shape->type.parent) : nullptr;
  }
  return failure(ErrorCode::NotFound, fmt::format("{} has no field {}.", m_shape->name, name));
}

Result<std::uint32_t> Instance::offsetOf(std::string_view name) const {
  HEAPSCAPE_TRY(const FieldPlace place, field(name));
  return place.shape->offset;
}

Result<Address> Instance::reference(std::string_view name) const {
  HEAPSCAPE_TRY(const FieldPlace place, field(name));
  return memory().readPointer(place.address);
}

Result<std::uint32_t> Instance::count(std::string_view name) const {
  HEAPSCAPE_TRY(const auto value, number<std::int32_t>(name));
  if (value < 0)
    return failure(ErrorCode::Damaged, fmt::format("The field {} of {} is negative: {}.", name, m_shape->name, value));
  return static_cast<std::uint32_t>(value);
}

Result<Instance> Instance::follow(std::string_view name) const {
  HEAPSCAPE_TRY(const Address object, reference(name));
  if (!object) return failure(ErrorCode::Damaged, fmt::format("The field {} of {} is null.", name, m_shape->name));
  return at(*m_sources, object);
}

Result<Instance> Instance::inner(std::string_view name) const {
  HEAPSCAPE_TRY(const FieldPlace place, field(name));
  const bool isValue = place.shape->slot.kind == Slot::Kind::ValueType;
  const TypeShape* shape = isValue ? m_sources->shapes.find(place.shape->slot.type) : nullptr;
  if (!shape) {
    return failure(ErrorCode::Damaged,
                   fmt::format("The type of the field {} of {} is not known.", name, m_shape->name));
  }
  return Instance(*m_sources, *shape, place.address);
}

Result<ManagedArray> readArray(const InstanceSources& sources, Address array) {
  HEAPSCAPE_TRY(const Instance instance, Instance::at(sources, array));
  if (!instance.type().isSzArray) {
    return failure(ErrorCode::Damaged,
                   fmt::format("There is no array at {} but {}.", toString(array), instance.shape().name));
  }
  ManagedArray result{array + kElementsOffset, 0, instance.type().componentSize, {}};
  HEAPSCAPE_TRY(result.count, instance.memory().read<std::uint32_t>(array + kComponentsOffset));
  HEAPSCAPE_TRY(result.elementType, sources.readers.methodTables.arrayElementType(instance.type()));
  return result;
}

Result<ManagedArray> readArray(const Instance& instance, std::string_view field) {
  HEAPSCAPE_TRY(const Address array, instance.reference(field));
  if (!array) return ManagedArray{};
  return readArray(instance.sources(), array);
}

Result<Instance> ManagedArray::elementShape(const InstanceSources& sources) const {
  const TypeShape* shape = sources.shapes.find(elementType);
  if (!shape)
    return failure(ErrorCode::Damaged, fmt::format("The elements of an array at {} have no type.", toString(data)));
  return Instance(sources, *shape, data);
}

Result<WeakTarget> weakTarget(const Instance& reference) {
  // Handles are aligned to 8; WeakReference.cs keeps marks in the lowest bits.
  constexpr std::uint64_t kHandleMask = ~std::uint64_t{7};
  WeakTarget target;
  HEAPSCAPE_TRY(target.place, reference.number<Address>("_taggedHandle"));
  target.place.value &= kHandleMask;
  if (!target.place) return target;
  HEAPSCAPE_TRY(target.object, reference.memory().readPointer(target.place));
  return target;
}

}  // namespace heapscape::engine
