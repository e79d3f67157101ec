// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "values/instance.h"

namespace heapscape::engine {

/// A one-dimensional array from 0: where its elements lie.
struct ManagedArray {
  Address data;
  std::uint32_t count = 0;
  std::uint32_t elementSize = 0;
  TypeHandle elementType;

  Address element(std::uint64_t index) const { return data + index * elementSize; }
  /// The element type's fields.
  Result<Instance> elementShape(const InstanceSources& sources) const;
};

/// Fails with NotInDump, or Damaged if there is no such array at the address.
Result<ManagedArray> readArray(const InstanceSources& sources, Address array);
/// The array that a field refers to; one without elements for null.
Result<ManagedArray> readArray(const Instance& instance, std::string_view field);

}  // namespace heapscape::engine
