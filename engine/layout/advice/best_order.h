// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "layout/advice/layout_advice.h"
#include "layout/rules/changed_types.h"
#include "layout/rules/layout_rules.h"

namespace heapscape::engine {

/// Extent of a field for the order: its size in bytes and its alignment.
struct FieldExtent {
  std::uint32_t sizeBytes = 0;
  std::uint32_t alignment = 1;
};

/// Orders of fields that lie one behind the other, each at its alignment. Where the sizes are multiples of the
/// alignments and the start is aligned, descending alignments leave no byte empty; other sizes and starts take a search
/// over how many fields of each shape are left and where the next may begin.
class FieldOrderSearch {
 public:
  FieldOrderSearch(std::span<const FieldExtent> fields, std::uint64_t start);

  /// The earliest that any order ends; if not isExact(), that one that was found does.
  std::uint64_t earliestEnd() const { return m_start + m_bytes + m_leastPadding; }
  /// Whether earliestEnd() is proven: false where there are too many fields of too many shapes.
  bool isExact() const { return m_isExact; }
  /// Where the order as it is ends.
  std::uint64_t endAsGiven() const;
  /// An order, as indices, that ends by then (not before earliestEnd()) and is near the given one: each place goes to
  /// the earliest field that may have it.
  std::vector<std::uint32_t> orderEndingBy(std::uint64_t end);

 private:
  // Fields that leave the same padding wherever they lie.
  struct Shape {
    std::uint32_t alignment = 1;
    std::uint32_t sizeModulo = 0;
    std::vector<std::uint32_t> fields;
    std::size_t stride = 0;  // of one field less in the number of a state
  };

  void groupByShape();
  bool canBeSearched();
  void search();
  bool isSearched() const { return !m_paddingLeft.empty(); }
  std::vector<std::uint32_t> descending() const;
  std::uint64_t endOf(std::span<const std::uint32_t> order) const;
  std::uint32_t paddingAt(std::size_t residue, const Shape& shape) const;
  std::size_t residueBehind(std::size_t residue, const Shape& shape) const;
  std::vector<std::uint32_t> asGiven() const;

  std::span<const FieldExtent> m_fields;
  std::uint64_t m_start;
  std::uint64_t m_bytes = 0;   // of all fields
  std::uint32_t m_period = 1;  // positions that differ by it are alike
  std::vector<Shape> m_shapes;
  std::size_t m_states = 1;                  // how many fields of each shape are left, as one number
  std::vector<std::uint32_t> m_paddingLeft;  // by state and position modulo the period: the least there will be
  std::uint64_t m_leastPadding = 0;
  bool m_isExact = true;
};

/// The best that can be declared for a type, and the change of its declaration that gets there (empty if nothing is
/// better). Every candidate is laid out by the rules of the runtime themselves, so what is promised is what it would
/// do.
struct BestDeclaration {
  BestOrder best;
  DeclarationChange change;
  bool isExact = true;  // false where there are too many fields of too many shapes to prove that nothing is better
};

struct BestOrderOptions {
  std::optional<std::uint32_t> pack = {};  // also with this Pack, giving up alignment
};

/// Fails as LayoutRules::placementOf does.
Result<BestDeclaration> bestOrderOf(LayoutRules& rules, ClosedTypeId type, const BestOrderOptions& options = {});

}  // namespace heapscape::engine
