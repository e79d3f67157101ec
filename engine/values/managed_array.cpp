// SPDX-License-Identifier: MIT
#include "values/managed_array.h"

#include <fmt/format.h>

#include "heap/object_head.h"
#include "runtime/types/method_tables.h"

namespace heapscape::engine {
namespace {}  // namespace

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

}  // namespace heapscape::engine
