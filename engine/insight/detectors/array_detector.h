// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "insight/collections/array_types.h"
#include "insight/detectors/detector.h"
#include "insight/object_scan.h"

namespace heapscape::engine {

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

}  // namespace heapscape::engine
