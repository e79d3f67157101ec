// SPDX-License-Identifier: MIT
#include "metadata/names/csharp_field_name.h"

#include <algorithm>

namespace heapscape::engine {
namespace {

bool isNumber(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// Of a property that implements an interface explicitly the compiler keeps the interface's name, too.
std::string_view withoutInterface(std::string_view property) {
  return property.substr(property.rfind('.') + 1);
}

}  // namespace

// The forms are those of Roslyn's GeneratedNames.cs.
std::string_view csharpFieldName(std::string_view fieldName) {
  constexpr std::string_view kBasicLocal = "$VB$Local_";
  if (fieldName.starts_with(kBasicLocal)) return fieldName.substr(kBasicLocal.size());
  if (fieldName.size() > 1 && fieldName.ends_with('@')) return fieldName.substr(0, fieldName.size() - 1);
  const std::size_t close = fieldName.rfind('>');
  if (!fieldName.starts_with('<') || close == std::string_view::npos) return fieldName;
  const std::string_view name = fieldName.substr(1, close - 1);
  const std::string_view kind = fieldName.substr(close + 1);
  if (name.empty()) {
    if (kind == "4__this") return "this";
    if (kind == "2__current") return "Current";
    return kind.starts_with("3__") ? kind.substr(3) : fieldName;
  }
  if (kind == "k__BackingField") return withoutInterface(name);
  if (kind == "P" || kind == "i__Field") return name;
  return kind.starts_with("5__") && isNumber(kind.substr(3)) ? name : fieldName;
}

bool isCapturedScope(std::string_view fieldName) {
  constexpr std::string_view kMark = "<>8__";
  if (fieldName.starts_with("CS$")) fieldName.remove_prefix(3);
  if (!fieldName.starts_with(kMark)) return false;
  fieldName.remove_prefix(kMark.size());
  if (fieldName.starts_with("locals")) fieldName.remove_prefix(6);
  return isNumber(fieldName);
}

}  // namespace heapscape::engine
