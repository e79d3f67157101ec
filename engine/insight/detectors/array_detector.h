// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/bounded_reader.h"
#include "heap/object_head.h"
#include "insight/detectors/detector.h"
#include "insight/heap_objects.h"
#include "insight/insight_input.h"

namespace heapscape::engine {

/// By TypeId: whether its objects are arrays; strings are none.
std::vector<std::uint8_t> arrayTypes(const InsightInput& input);

/// "System.Int32" of "System.Int32[]".
std::string elementTypeName(const std::string& arrayType);

/// Bytes that an array of a type takes up on the heap with so many elements.
inline std::uint64_t arrayBytes(const TypeRow& type, std::uint64_t elements) {
  return alignUp(
      std::max<std::uint64_t>(kMinimumObjectBytes, type.baseSize + std::uint64_t{type.componentSize} * elements), 8);
}

/// Sees all reachable arrays in the pass, and keeps what is `Noted` of each piece apart until find().
template <typename Noted>
class ArrayDetector : public Detector, public ObjectVisitor {
 public:
  ObjectVisitor* visitor(const InsightInput& input) final {
    m_input = &input;
    return this;
  }
  std::vector<std::uint8_t> wantedTypes() const final { return arrayTypes(*m_input); }
  void begin(std::span<const ScanPiece> pieces) final { m_noted = std::vector<Noted>(pieces.size()); }
  void visit(std::size_t piece, const ScannedObject& array) final { look(*m_input, m_noted[piece], array); }

 protected:
  /// By piece, in address order.
  std::vector<Noted>& noted() { return m_noted; }

 private:
  /// From any core, for one piece from one alone.
  virtual void look(const InsightInput& input, Noted& noted, const ScannedObject& array) const = 0;

  const InsightInput* m_input = nullptr;
  std::vector<Noted> m_noted;
};

/// Common pattern of an array's elements.
struct ElementPattern {
  bool isUniform = false;   // all have the same bits
  bool isZero = false;      // and these are all zero
  std::uint64_t other = 0;  // elements that are not all zero; as far as counted if there are too many of them
};

/// Looks at elements of one size side by side; stops as soon as more than `mostOthers` are not zero and two differ.
ElementPattern patternOf(Bytes elements, std::uint32_t elementBytes, std::uint64_t mostOthers);

}  // namespace heapscape::engine
