// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/retained/retained_parts.h"
#include "insight/detectors/detector.h"
#include "values/instance.h"

namespace heapscape::engine {

/// What detectors ask of single objects, by ObjectId. Keeps what it learns of types. For one thread.
class HeapObjects {
 public:
  static constexpr std::uint32_t kNone = 0xffffffff;

  explicit HeapObjects(const InsightInput& input);

  const Contents& contents() const { return m_contents; }
  const RuntimeReaders& readers() const { return *m_contents.readers; }
  const AddressSpace& memory() const { return *m_contents.memory; }
  const DominatorTree& tree() const { return m_contents.retention->tree; }
  const RetainedSizes& sizes() const { return m_contents.retention->sizes; }
  const ReferenceGraph& graph() const { return *m_contents.graph; }
  InstanceSources sources() const { return {readers(), m_shapes}; }

  Address addressOf(std::uint32_t object) const { return m_contents.heap->index.addressOf({object}); }
  /// kNone for an address where no object begins.
  std::uint32_t objectAt(Address address) const { return m_contents.heap->index.idOf(address).value; }
  TypeId typeOf(std::uint32_t object) const { return {m_input.objectTypes[object]}; }
  /// Of an object whose type cannot be read any more, one without a name.
  const TypeRow& typeRowOf(std::uint32_t object) const;
  const std::string& typeNameOf(std::uint32_t object) const { return typeRowOf(object).name; }
  bool isFramework(std::uint32_t object) const {
    return typeOf(object).isNone() || !m_input.ownership.isOwnType(typeOf(object));
  }

  bool isReachable(std::uint32_t object) const { return tree().numberOf(object) != 0; }
  std::uint64_t retainedBytesOf(std::uint32_t object) const { return sizes().bytes[tree().numberOf(object)]; }
  /// Whether every path to an object leads through the other one; of itself, too.
  bool dominates(std::uint32_t above, std::uint32_t object) const;

  /// Types with objects whose name is this one, or an instantiation of it: "System.Threading.Timer", "Foo<".
  std::vector<TypeId> typesNamed(std::string_view name) const;

  /// Where an instance field of a type lies, from the object's address; nothing if it has none of that name.
  std::optional<std::uint64_t> offsetOf(TypeId type, std::string_view field);
  /// What a field refers to; kNone for null, and for everything that cannot be read.
  std::uint32_t reference(std::uint32_t object, std::string_view field);
  std::uint32_t referenceAt(std::uint32_t object, std::uint64_t offset) const;
  /// The same of a field of a value that a field holds.
  std::uint32_t innerReference(std::uint32_t object, std::string_view field, std::string_view inner);
  template <class T>
  std::optional<T> number(std::uint32_t object, std::string_view field) {
    const auto offset = offsetOf(typeOf(object), field);
    T value{};
    if (!offset || !memory().tryRead(addressOf(object) + *offset, value)) return std::nullopt;
    return value;
  }

  /// Objects that roots refer to.
  std::vector<std::uint32_t> rootObjects() const;
  /// Answers are exact until the heap has been passed `passes` times.
  RetainedPartsFinder partsFinder(std::span<const std::uint32_t> roots, std::uint64_t passes = 3) const;

 private:
  const InsightInput& m_input;
  const Contents& m_contents;
  TypeShapes m_shapes;
  std::map<std::pair<std::uint32_t, std::string_view>, std::optional<std::uint64_t>> m_offsets;  // by TypeId and field
};

/// Takes parts of the heap over into an insight: its bytes and what is behind them.
void addParts(const HeapObjects& heap, const RetainedParts& parts, FoundInsight& found);

/// Leaves the costliest items only, in falling order.
void keepCostliest(std::vector<InsightItem>& items);

}  // namespace heapscape::engine
