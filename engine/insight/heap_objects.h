// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/retained/retained_parts.h"
#include "heap/segment_objects.h"
#include "insight/detectors/detector.h"
#include "insight/insight_input.h"
#include "values/instance.h"

namespace heapscape::engine {

/// Facts of single objects for detectors, by ObjectId. Keeps what it learns of types. For one thread.
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
  InstanceSources sources() const { return {readers(), m_input.shapes}; }

  Address addressOf(std::uint32_t object) const { return m_contents.heap->index.addressOf({object}); }
  /// kNone for an address where no object begins.
  std::uint32_t objectAt(Address address) const { return m_contents.heap->index.idOf(address).value; }
  TypeId typeOf(std::uint32_t object) const { return {m_input.objectTypes[object]}; }
  /// Returns the row of the object's type; one without a name if it cannot be read any more.
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
  /// Returns what a field refers to; kNone for null, and for everything that cannot be read.
  std::uint32_t reference(std::uint32_t object, std::string_view field);
  std::uint32_t referenceAt(std::uint32_t object, std::uint64_t offset) const;
  /// Returns what a field of a value that a field holds refers to.
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
  std::map<std::pair<std::uint32_t, std::string_view>, std::optional<std::uint64_t>> m_offsets;  // by TypeId and field
};

/// Takes parts of the heap over into an insight: its bytes and what is behind them.
void addParts(const HeapObjects& heap, const RetainedParts& parts, FoundInsight& found);

/// Leaves the costliest items only, in falling order.
void keepCostliest(std::vector<InsightItem>& items);

/// An object in the hands of a pass.
struct ScannedObject {
  std::uint32_t id = 0;  // ObjectId
  ObjectFacts facts;
  Bytes bytes;             // from its address on, aligned size
  bool isInPlace = false;  // these bytes stay until the end of the pass, not only of the visit
};

/// Objects that one core looks at in a row.
struct ScanPiece {
  std::uint32_t segment = 0;
  AddressRange range;
  std::uint32_t firstObject = 0;  // ObjectId of the first one that starts in there
};

/// Sees objects of a pass over the heap, which several may share.
class ObjectVisitor {
 public:
  virtual ~ObjectVisitor() = default;
  /// By TypeId: whether it sees the reachable objects of a type.
  virtual std::vector<std::uint8_t> wantedTypes() const = 0;
  /// Before the pass: what it comes in, in address order.
  virtual void begin(std::span<const ScanPiece> pieces) = 0;
  /// From any core; objects of one piece come from one alone, in address order.
  virtual void visit(std::size_t piece, const ScannedObject& object) = 0;
};

/// Looks at all reachable objects that a visitor wants on all cores, once for all of them. Only the pages of these are
/// touched. Objects that the dump does not hold are left out. `tell` gets shares of it, rising to 1. False if it was
/// stopped.
bool visitObjects(const InsightInput& input, std::span<ObjectVisitor* const> visitors,
                  const std::function<void(double)>& tell, const std::stop_token& stop);

}  // namespace heapscape::engine
