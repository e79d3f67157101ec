// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "layout/rules/layout_rules.h"

namespace heapscape::engine {

/// Why the own fields of one class or value type lie where its rules have put them.
class LevelReasons {
 public:
  /// Fails as LayoutRules::placementOf does.
  static Result<LevelReasons> make(LayoutRules& rules, ClosedTypeId type);

  /// One sentence without its period, for the field of that index in metadata's order.
  std::string why(std::uint32_t index) const;

 private:
  LevelReasons(const TypeDeclaration& declaration, const FieldPlacement& placement)
      : m_declaration(declaration), m_placement(placement) {}

  Result<void> readBase(LayoutRules& rules);
  Result<void> readFields(LayoutRules& rules);
  void findHoleFillers();
  void groupBySize();
  void measureGaps();

  std::string whyAuto(std::uint32_t index) const;
  std::string whyReference(std::uint32_t index) const;
  std::string whyPrimitive(std::uint32_t index) const;
  std::string whyValueType(std::uint32_t index) const;
  std::string whySequential(std::uint32_t index) const;
  std::string whyExplicit(std::uint32_t index) const;
  std::string sharing(std::uint32_t index) const;
  std::string behindBase(std::uint32_t index) const;
  std::uint32_t bytesOf(std::uint32_t index) const { return m_placement.sizes[index] * m_placement.repeat; }

  const TypeDeclaration& m_declaration;
  const FieldPlacement& m_placement;
  bool m_classicStructs = false;
  std::vector<std::uint32_t> m_alignments;
  std::vector<bool> m_holdReferences;
  std::vector<bool> m_fillsHole;                         // behind a base that ends unaligned
  std::vector<std::uint32_t> m_emptyBefore;              // bytes between the field and what lies before it
  std::vector<std::uint32_t> m_references;               // indices of fields that are references
  std::map<std::uint32_t, std::uint32_t> m_firstOfSize;  // index of the first other field of a size under auto
  std::uint32_t m_firstOffset = 0;                       // the smallest
  std::string m_baseName;                                // empty if it has no fields
  std::uint32_t m_baseEnd = 0;                           // where a derived class goes on
};

}  // namespace heapscape::engine
