// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "layout/advice/changed_layout.h"
#include "layout/advice/type_advice.h"
#include "layout/rules/layout_rules.h"
#include "layout/rules/placed_field.h"
#include "metadata/names/generated_names.h"

namespace heapscape::engine {
namespace {

/// A field by its path through value types, "Line.Product", and its own type.
struct FoundField {
  std::string path;
  std::string typeName;
};

Result<bool> holdsReferences(LayoutRules& rules, const FieldDeclaration& field) {
  if (field.element != ElementType::ValueType) return field.element == ElementType::Class;
  HEAPSCAPE_TRY(const FieldPlacement* value, rules.placementOf(field.type));
  return !value->references.empty();
}

/// Null if no own field holds a reference.
Result<const FieldDeclaration*> firstWithReference(LayoutRules& rules, ClosedTypeId type) {
  HEAPSCAPE_TRY(const TypeDeclaration* declaration, rules.types().declarationOf(type));
  for (const FieldDeclaration& field : declaration->fields) {
    HEAPSCAPE_TRY(const bool holds, holdsReferences(rules, field));
    if (holds) return &field;
  }
  return nullptr;
}

/// The reference that a field is, or the first one in its value. Value types that the rules could place do not hold
/// themselves, so that the way down ends.
Result<FoundField> referenceIn(LayoutRules& rules, ClosedTypeId owner, const FieldDeclaration* field) {
  FoundField found;
  for (;;) {
    found.path += found.path.empty() ? "" : ".";
    found.path += csharpFieldName(field->name);
    found.typeName = rules.types().fieldTypeName(owner, *field);
    if (field->element != ElementType::ValueType) return found;
    owner = field->type;
    HEAPSCAPE_TRY(field, firstWithReference(rules, owner));
    if (!field) return found;
  }
}

/// The reference that the nearest base with one has.
Result<std::string> inheritedReference(LayoutRules& rules, ClosedTypeId base) {
  for (std::size_t depth = 0; !base.isNone() && depth < kLimits.parentDepth; ++depth) {
    HEAPSCAPE_TRY(const FieldDeclaration* field, firstWithReference(rules, base));
    if (field) {
      HEAPSCAPE_TRY(const FoundField found, referenceIn(rules, base, field));
      return "it inherits " + found.path + " (" + found.typeName + ") from " + rules.types().nameOf(base) +
             ", which is a reference";
    }
    HEAPSCAPE_TRY(const TypeDeclaration* declaration, rules.types().declarationOf(base));
    base = declaration->base;
  }
  return std::string("it inherits a reference");
}

Result<std::string> obstacle(LayoutRules& rules, ClosedTypeId type, const TypeDeclaration& declaration,
                             const FieldPlacement& placement) {
  constexpr std::string_view kRule = ", and the runtime keeps the declared order only where there are none";
  switch (placement.obstacle) {
    case SequentialObstacle::Reference: {
      HEAPSCAPE_TRY(const FoundField found, referenceIn(rules, type, &declaration.fields.at(placement.obstacleField)));
      return found.path + " (" + found.typeName + ") is a reference" + std::string(kRule);
    }
    case SequentialObstacle::InheritedReference: {
      HEAPSCAPE_TRY(std::string inherited, inheritedReference(rules, declaration.base));
      return inherited + std::string(kRule);
    }
    case SequentialObstacle::BaseNotSequential: {
      HEAPSCAPE_TRY(const FieldPlacement* base, rules.placementOf(declaration.base));
      return "its base class " + rules.types().nameOf(declaration.base) + " has " + toString(base->effective) +
             " layout, not sequential";
    }
    case SequentialObstacle::AutoField: {
      const FieldDeclaration& field = declaration.fields.at(placement.obstacleField);
      return std::string(csharpFieldName(field.name)) + " (" + rules.types().fieldTypeName(type, field) +
             ") is a value type with auto layout";
    }
    case SequentialObstacle::None:
      break;
  }
  return std::string();
}

}  // namespace

Result<std::string> whyNotAsDeclared(LayoutRules& rules, ClosedTypeId type) {
  const ElementType element = rules.types().type(type).element;
  if (element == ElementType::SzArray || element == ElementType::Array) return std::string();
  HEAPSCAPE_TRY(const TypeDeclaration* declaration, rules.types().declarationOf(type));
  HEAPSCAPE_TRY(const FieldPlacement* placement, rules.placementOf(type));
  if (declaration->layoutKind != LayoutKind::Sequential || placement->effective != LayoutKind::Auto)
    return std::string();
  HEAPSCAPE_TRY(const std::string why, obstacle(rules, type, *declaration, *placement));
  if (why.empty()) return std::string();
  std::string text = "Declared sequential, laid out auto: " + why + ".";
  if (declaration->pack && declaration->size) return text + " Pack and Size are ignored, too.";
  if (declaration->pack) return text + " Pack is ignored, too.";
  if (declaration->size) return text + " Size is ignored, too.";
  return text;
}

namespace {

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

std::string ordinal(std::size_t number) {
  const std::size_t lastTwo = number % 100;
  const bool isTeen = lastTwo >= 11 && lastTwo <= 13;
  const std::size_t last = isTeen ? 0 : number % 10;
  return fmt::format("{}{}", number, last == 1 ? "st" : last == 2 ? "nd" : last == 3 ? "rd" : "th");
}

std::string bytes(std::uint32_t count) {
  return count == 1 ? "1 byte" : fmt::format("{} bytes", count);
}

Result<LevelReasons> LevelReasons::make(LayoutRules& rules, ClosedTypeId type) {
  HEAPSCAPE_TRY(const TypeDeclaration* declaration, rules.types().declarationOf(type));
  HEAPSCAPE_TRY(const FieldPlacement* placement, rules.placementOf(type));
  LevelReasons reasons(*declaration, *placement);
  reasons.m_classicStructs = rules.runtime().classicStructs;
  HEAPSCAPE_CHECK(reasons.readBase(rules));
  HEAPSCAPE_CHECK(reasons.readFields(rules));
  return reasons;
}

Result<void> LevelReasons::readBase(LayoutRules& rules) {
  if (m_declaration.base.isNone() || m_declaration.kind == TypeKind::Struct) return {};
  HEAPSCAPE_TRY(const TypeDeclaration* base, rules.types().declarationOf(m_declaration.base));
  HEAPSCAPE_TRY(const FieldPlacement* placement, rules.placementOf(m_declaration.base));
  if (!placement->fieldBytes) return {};
  m_baseName = rules.types().nameOf(m_declaration.base);
  const bool isEmpty = base->layoutKind != LayoutKind::Auto && placement->isZeroSized;
  m_baseEnd = isEmpty ? 0 : placement->fieldBytes;
  return {};
}

Result<void> LevelReasons::readFields(LayoutRules& rules) {
  for (const FieldDeclaration& field : m_declaration.fields) {
    HEAPSCAPE_TRY(const std::uint32_t alignment, alignmentOfField(rules, field));
    bool holdsReferences = field.element == ElementType::Class;
    if (isPlacedAsValueType(field)) {
      HEAPSCAPE_TRY(const FieldPlacement* value, rules.placementOf(field.type));
      holdsReferences = !value->references.empty();
    }
    m_alignments.push_back(alignment);
    m_holdReferences.push_back(holdsReferences);
    if (field.element == ElementType::Class)
      m_references.push_back(static_cast<std::uint32_t>(m_alignments.size() - 1));
  }
  findHoleFillers();
  groupBySize();
  measureGaps();
  return {};
}

// Only there does a smaller field lie before a larger one.
void LevelReasons::findHoleFillers() {
  m_fillsHole.resize(m_placement.offsets.size());
  if (m_placement.start % kPointerBytes == 0) return;
  std::map<std::uint32_t, std::uint32_t> lastOffsetOfSize;
  for (std::uint32_t i = 0; i < m_placement.offsets.size(); ++i) {
    if (isPlacedAsValueType(m_declaration.fields[i])) continue;
    std::uint32_t& last = lastOffsetOfSize[m_placement.sizes[i]];
    last = std::max(last, m_placement.offsets[i]);
  }
  for (std::uint32_t i = 0; i < m_placement.offsets.size(); ++i) {
    if (isPlacedAsValueType(m_declaration.fields[i])) continue;
    for (auto larger = lastOffsetOfSize.upper_bound(m_placement.sizes[i]); larger != lastOffsetOfSize.end(); ++larger)
      m_fillsHole[i] = m_fillsHole[i] || larger->second > m_placement.offsets[i];
  }
}

void LevelReasons::groupBySize() {
  for (std::uint32_t i = 0; i < m_placement.offsets.size(); ++i) {
    const FieldDeclaration& field = m_declaration.fields[i];
    if (isPlacedAsValueType(field) || field.element == ElementType::Class || m_fillsHole[i]) continue;
    m_firstOfSize.emplace(m_placement.sizes[i], i);
  }
}

void LevelReasons::measureGaps() {
  std::vector<std::uint32_t> byOffset(m_placement.offsets.size());
  std::iota(byOffset.begin(), byOffset.end(), 0u);
  std::ranges::sort(byOffset, {}, [this](std::uint32_t i) { return m_placement.offsets[i]; });
  if (!byOffset.empty()) m_firstOffset = m_placement.offsets[byOffset.front()];
  m_emptyBefore.resize(byOffset.size());
  std::uint32_t reached = m_baseEnd;
  for (const std::uint32_t i : byOffset) {
    m_emptyBefore[i] = m_placement.offsets[i] - std::min(reached, m_placement.offsets[i]);
    reached = std::max(reached, m_placement.offsets[i] + bytesOf(i));
  }
}

std::string LevelReasons::why(std::uint32_t index) const {
  std::string text;
  if (m_placement.repeat > 1) {
    text = fmt::format("the element that is repeated {} times, one behind the other", m_placement.repeat);
  } else if (m_placement.effective == LayoutKind::Auto) {
    text = whyAuto(index);
  } else {
    text = m_placement.effective == LayoutKind::Sequential ? whySequential(index) : whyExplicit(index);
  }
  if (m_placement.effective == LayoutKind::Explicit) return text;
  if (const std::uint32_t empty = m_emptyBefore[index]) text += fmt::format(": {} of padding before it", bytes(empty));
  return text;
}

std::string LevelReasons::whyAuto(std::uint32_t index) const {
  const FieldDeclaration& field = m_declaration.fields[index];
  if (isPlacedAsValueType(field)) return whyValueType(index);
  if (m_fillsHole[index])
    return fmt::format("fills the hole behind the base class {}, which ends at {}", m_baseName, m_baseEnd);
  return (field.element == ElementType::Class ? whyReference(index) : whyPrimitive(index)) + behindBase(index);
}

// Said of the field that comes first.
std::string LevelReasons::behindBase(std::uint32_t index) const {
  if (m_baseName.empty() || !m_baseEnd || m_placement.offsets[index] != m_firstOffset) return {};
  if (m_placement.start == m_baseEnd) return fmt::format("; the base class {} ends at {}", m_baseName, m_baseEnd);
  return fmt::format(
      "; the base class {} ends at {}, and ReadyToRun code lets fields begin at a multiple of 8 behind a base that is, "
      "or "
      "depends on, another assembly",
      m_baseName, m_baseEnd);
}

std::string LevelReasons::whyReference(std::uint32_t index) const {
  if (m_references.size() == 1) return "the only reference: auto layout puts references before all else";
  if (m_references.front() == index) return "the first of the references: auto layout puts references before all else";
  const auto place = std::ranges::lower_bound(m_references, index) - m_references.begin();
  return fmt::format("the {} of {} references, which come before all else and keep their declared order",
                     ordinal(static_cast<std::size_t>(place) + 1), m_references.size());
}

std::string LevelReasons::whyPrimitive(std::uint32_t index) const {
  const std::uint32_t size = m_placement.sizes[index];
  const auto group = m_firstOfSize.find(size);
  if (group == m_firstOfSize.end()) return {};
  if (group->second != index) return fmt::format("among the {}-byte fields, which keep their declared order", size);
  if (const auto larger = std::next(group); larger != m_firstOfSize.end())
    return fmt::format("{}-byte fields follow those of {} bytes", size, larger->first);
  if (!m_references.empty()) return fmt::format("{}-byte fields follow the references", size);
  return fmt::format("auto layout goes from large to small, and the largest fields have {}", bytes(size));
}

std::string LevelReasons::whyValueType(std::uint32_t index) const {
  std::string text = "value types come last under auto, in declared order; ";
  if (m_holdReferences[index])
    return text + "it holds a reference, so it starts at a multiple of 8" + behindBase(index);
  if (m_classicStructs) return text + "before .NET 7 each starts at a multiple of 8" + behindBase(index);
  return text + fmt::format("it starts at its alignment of {}", m_alignments[index]) + behindBase(index);
}

std::string LevelReasons::whySequential(std::uint32_t index) const {
  std::string text = ordinal(index + 1) + " field";
  const std::uint32_t natural = m_alignments[index];
  if (m_declaration.pack && m_declaration.pack < natural) {
    text += m_declaration.pack == 1
                ? ", Pack = 1: no alignment"
                : fmt::format(", {}-byte aligned by Pack instead of {}", m_declaration.pack, natural);
  } else {
    text += natural == 1 ? ", needs no alignment" : fmt::format(", {}-byte aligned", natural);
  }
  return text + behindBase(index);
}

std::string LevelReasons::whyExplicit(std::uint32_t index) const {
  const std::uint32_t declared = m_declaration.fields[index].explicitOffset.value_or(0);
  const std::uint32_t offset = m_placement.offsets[index];
  std::string text = fmt::format("at its FieldOffset of {}", declared);
  if (offset != declared) {
    text += m_baseEnd ? fmt::format(", counted from {}: explicit layout counts the {} of the base class {} twice",
                                    offset - declared, bytes(m_baseEnd), m_baseName)
                      : fmt::format(", counted from {}, behind the byte of the empty base class {}", offset - declared,
                                    m_baseName);
  }
  return text + sharing(index);
}

std::string LevelReasons::sharing(std::uint32_t index) const {
  constexpr std::size_t kNamed = 3;
  const std::uint32_t offset = m_placement.offsets[index];
  std::string names;
  std::size_t count = 0;
  for (std::uint32_t i = 0; i < m_placement.offsets.size(); ++i) {
    const std::uint32_t other = m_placement.offsets[i];
    if (i == index || other >= offset + bytesOf(index) || offset >= other + bytesOf(i)) continue;
    if (++count > kNamed) continue;
    names += (names.empty() ? "" : ", ") + std::string(csharpFieldName(m_declaration.fields[i].name));
  }
  if (!count) return {};
  if (count > kNamed) names += fmt::format(" and {} more", count - kNamed);
  return "; shares its bytes with " + names;
}

using FieldKey = std::tuple<std::string, std::string, std::uint32_t>;  // declaring type, name, offset

Result<void> addReasons(LayoutRules& rules, ClosedTypeId level, std::map<FieldKey, std::string>& reasons) {
  HEAPSCAPE_TRY(const LevelReasons of, LevelReasons::make(rules, level));
  HEAPSCAPE_TRY(const TypeDeclaration* declaration, rules.types().declarationOf(level));
  HEAPSCAPE_TRY(const FieldPlacement* placement, rules.placementOf(level));
  for (std::uint32_t i = 0; i < declaration->fields.size(); ++i) {
    FieldKey key{rules.types().nameOf(level), std::string(declaration->fields[i].name), placement->offsets[i]};
    reasons.emplace(std::move(key), of.why(i));
  }
  return {};
}

}  // namespace

Result<std::vector<FieldReason>> fieldReasons(LayoutRules& rules, ClosedTypeId type) {
  std::vector<FieldReason> reasons;
  const ElementType element = rules.types().type(type).element;
  if (element == ElementType::SzArray || element == ElementType::Array) return reasons;
  HEAPSCAPE_TRY(const TypeLayout layout, rules.layoutOf(type));
  std::map<FieldKey, std::string> known;
  ClosedTypeId level = type;
  for (std::size_t depth = 0; !level.isNone() && depth < kLimits.parentDepth; ++depth) {
    HEAPSCAPE_CHECK(addReasons(rules, level, known));
    HEAPSCAPE_TRY(const TypeDeclaration* declaration, rules.types().declarationOf(level));
    level = declaration->base;
  }
  for (const LayoutField& field : layout.fields) {
    const auto reason = known.find({field.declaringType, field.name, field.offset});
    reasons.push_back(
        {field.declaringType, field.name, field.offset, reason == known.end() ? std::string() : reason->second});
  }
  return reasons;
}

}  // namespace heapscape::engine
