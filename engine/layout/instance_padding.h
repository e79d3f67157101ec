// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "layout/actual_layout.h"

namespace heapscape::engine {

/// Padding of one object of a type (boxed, for a value type), and of one element if it is an array.
struct PaddingPerInstance {
  std::uint32_t ofObject = 0;
  std::uint32_t ofElement = 0;
};

/// The paddings of types as readActualLayout() has them, without reading names. Keeps what base classes and value types
/// have in common. For one thread.
class InstancePaddings {
 public:
  explicit InstancePaddings(const LayoutSources& sources);

  /// Fails as readActualLayout() does.
  Result<PaddingPerInstance> of(Address methodTable);

 private:
  struct Interval {
    std::uint32_t start = 0;
    std::uint32_t end = 0;
  };
  /// Where the instance fields lie that one type declares, with the fields of value types inside them.
  struct Fields {
    std::vector<Interval> used;
    std::uint32_t end = 0;     // of the last field
    std::size_t declared = 0;  // fields that had to be read, statics too
  };

  std::optional<PaddingPerInstance> quickly(Address methodTable);
  std::optional<std::uint32_t> paddingOf(const MethodTable& type, std::uint32_t fieldsBytes);
  const std::optional<Fields>& fieldsOf(const MethodTable& type, std::size_t depth);
  std::optional<Fields> readFields(const MethodTable& type, std::size_t depth);
  bool addField(const DeclaredField& place, const SignatureContext& context, std::size_t depth, Fields& fields);
  std::optional<std::uint32_t> sizeOf(const DeclaredField& place, const SignatureContext& context,
                                      MethodTable& valueType);

  const LayoutSources m_sources;
  const Address m_string;
  std::unordered_map<Address, std::optional<Fields>> m_fields;  // of base classes and value types
};

}  // namespace heapscape::engine
