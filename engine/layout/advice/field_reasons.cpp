// SPDX-License-Identifier: MIT
#include <map>
#include <tuple>
#include <utility>

#include "base/limits.h"
#include "layout/advice/level_reasons.h"
#include "layout/advice/type_advice.h"

namespace heapscape::engine {
namespace {

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
