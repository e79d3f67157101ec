// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "base/limits.h"
#include "layout/advice/changed_layout.h"
#include "layout/advice/type_advice.h"
#include "metadata/names/generated_names.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kMaximumParts = 1 << 14;     // a hostile nesting grows without bound
constexpr std::uint32_t kElementsExplained = 8;    // of an inline array; all others are like them
constexpr std::uint32_t kSmallestFieldsBytes = 8;  // of an object, which has 24 bytes at least

/// A field where it lies in its own type.
struct PlacedPart {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t alignment = 1;  // that it gets
  std::uint32_t elementBytes = 0;
  std::uint32_t repeat = 1;
  const FieldDeclaration* declaration = nullptr;
  LayoutKind placedBy = LayoutKind::Auto;
  bool beginsLevel = false;  // its class's own fields may begin there at the earliest
};

class PaddingExplainer {
 public:
  explicit PaddingExplainer(LayoutRules& rules) : m_rules(rules) {}

  /// `bytes`: that the fields of the type lie in; `shift`: where they begin.
  Result<void> explain(ClosedTypeId type, std::uint32_t bytes, std::uint32_t shift, std::size_t depth) {
    HEAPSCAPE_TRY(const std::vector<PlacedPart> parts, partsOf(type));
    m_parts += parts.size();
    if (m_parts > kMaximumParts) return {};
    std::uint32_t reached = 0;
    for (const PlacedPart& part : parts) {
      if (part.begin > reached) m_why.emplace(shift + reached, before(part, part.begin - reached));
      reached = std::max(reached, part.end);
      if (part.declaration->element != ElementType::ValueType || depth >= kLimits.nestingDepth) continue;
      for (std::uint32_t i = 0; i < std::min(part.repeat, kElementsExplained); ++i) {
        HEAPSCAPE_CHECK(
            explain(part.declaration->type, part.elementBytes, shift + part.begin + i * part.elementBytes, depth + 1));
      }
    }
    if (bytes > reached) {
      HEAPSCAPE_TRY(std::string why, behind(type, bytes, reached));
      m_why.emplace(shift + reached, std::move(why));
    }
    return {};
  }

  void tell(TypeLayout& layout) const {
    for (Padding& padding : layout.paddings) {
      const auto why = m_why.find(padding.offset);
      if (why != m_why.end()) padding.why = why->second;
    }
  }

 private:
  /// By offset, bases first where several begin together.
  Result<std::vector<PlacedPart>> partsOf(ClosedTypeId type) {
    std::vector<PlacedPart> parts;
    ClosedTypeId level = type;
    for (std::size_t depth = 0; !level.isNone() && depth < kLimits.parentDepth; ++depth) {
      HEAPSCAPE_TRY(const TypeDeclaration* declaration, m_rules.types().declarationOf(level));
      HEAPSCAPE_TRY(const FieldPlacement* placement, m_rules.placementOf(level));
      for (std::size_t i = 0; i < declaration->fields.size(); ++i) {
        PlacedPart part;
        part.declaration = &declaration->fields[i];
        part.begin = placement->offsets[i];
        part.elementBytes = placement->sizes[i];
        part.repeat = placement->repeat;
        part.end = part.begin + part.elementBytes * part.repeat;
        part.placedBy = placement->effective;
        part.beginsLevel = part.begin == placement->start;
        HEAPSCAPE_TRY(part.alignment, alignmentOfField(m_rules, *part.declaration));
        const bool isPacked = placement->effective == LayoutKind::Sequential && declaration->pack;
        if (isPacked) part.alignment = std::min(part.alignment, declaration->pack);
        parts.push_back(part);
      }
      level = isValueType(*declaration) ? ClosedTypeId{} : declaration->base;
    }
    std::ranges::stable_sort(parts, {}, &PlacedPart::begin);
    return parts;
  }

  static std::string before(const PlacedPart& part, std::uint32_t empty) {
    const std::string name(csharpFieldName(part.declaration->name));
    if (part.placedBy == LayoutKind::Explicit && part.declaration->explicitOffset)
      return fmt::format("{} is declared to begin there, by its FieldOffset of {}", name,
                         *part.declaration->explicitOffset);
    if (empty < part.alignment) return fmt::format("{} needs a multiple of {}", name, part.alignment);
    if (part.beginsLevel)
      return fmt::format("fields of a derived class, of which {} is the first, begin at a multiple of 8 here", name);
    return fmt::format("the runtime begins {} at a multiple of 8", name);
  }

  Result<std::string> behind(ClosedTypeId type, std::uint32_t bytes, std::uint32_t reached) {
    HEAPSCAPE_TRY(const TypeDeclaration* declaration, m_rules.types().declarationOf(type));
    HEAPSCAPE_TRY(const FieldPlacement* placement, m_rules.placementOf(type));
    const bool asksForSize = declaration->size && placement->effective != LayoutKind::Auto;
    if (!isValueType(*declaration)) {
      if (asksForSize && placement->fieldBytes > reached)
        return fmt::format("Size = {} is declared", declaration->size);
      if (reached == 0 && bytes == kSmallestFieldsBytes) return std::string("the smallest object has 24 bytes");
      return std::string("objects are rounded up to a multiple of 8");
    }
    if (reached == 0 && !asksForSize) return std::string("a value without fields takes a byte");
    const std::uint32_t alignment = placement->references.empty() ? placement->alignment : kPointerBytes;
    if (asksForSize && bytes - reached >= alignment) return fmt::format("Size = {} is declared", declaration->size);
    return fmt::format("its size is a multiple of {}, so that the next one in an array is aligned", alignment);
  }

  LayoutRules& m_rules;
  std::map<std::uint32_t, std::string> m_why;  // by the offset that a padding begins at
  std::size_t m_parts = 0;
};

}  // namespace

Result<void> explainPaddings(LayoutRules& rules, ClosedTypeId type, TypeLayout& layout) {
  const ClosedType closed = rules.types().type(type);
  if (closed.element == ElementType::SzArray || closed.element == ElementType::Array) {
    if (layout.elementLayout.empty() || closed.arguments.empty()) return {};
    return explainPaddings(rules, closed.arguments.front(), layout.elementLayout.front());
  }
  if (layout.paddings.empty()) return {};
  PaddingExplainer explainer(rules);
  HEAPSCAPE_CHECK(explainer.explain(type, layout.fieldsBytes, 0, 0));
  explainer.tell(layout);
  return {};
}

}  // namespace heapscape::engine
