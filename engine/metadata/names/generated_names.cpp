// SPDX-License-Identifier: MIT
#include "metadata/names/generated_names.h"

#include <algorithm>
#include <utility>

namespace heapscape::engine {
namespace {

bool isNumber(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// The compiler keeps the interface's name in a property that implements it explicitly.
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

namespace {

/// Where the last nested type begins whose name the compiler made, outside of type arguments.
std::size_t machineSegment(std::string_view typeName) {
  std::size_t segment = std::string_view::npos;
  int depth = 0;
  for (std::size_t i = 0; i < typeName.size(); ++i) {
    if (depth == 0 && typeName.substr(i).starts_with("+<")) segment = i;
    if (typeName[i] == '<') ++depth;
    if (typeName[i] == '>') --depth;
  }
  return segment;
}

/// Where the angle bracket is closed that a name begins with; npos if it is not.
std::size_t closingBracket(std::string_view name) {
  int depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '<') ++depth;
    if (name[i] == '>' && --depth == 0) return i;
  }
  return std::string_view::npos;
}

/// Text in the angle brackets that a name begins with, and text behind them.
std::pair<std::string_view, std::string_view> splitBrackets(std::string_view name) {
  const std::size_t close = closingBracket(name);
  if (close == std::string_view::npos) return {name.substr(1), {}};
  return {name.substr(1, close - 1), name.substr(close + 1)};
}

/// A method as its source has it: the compiler calls what holds top-level statements "<Main>$", and an implementation
/// of an interface's method "Shop.IMailer<Shop.Letter>-SendAsync".
std::string declaredName(std::string_view method) {
  std::string name(method.starts_with('<') ? splitBrackets(method).first : method);
  std::ranges::replace(name, '-', '.');
  return name;
}

}  // namespace

std::string asyncMethodName(std::string_view machineType) {
  const std::size_t open = machineSegment(machineType);
  if (open == std::string_view::npos) return std::string(machineType);
  std::string name(machineType.substr(0, machineType.find("+<>c")));
  if (name.size() > open) name.resize(open);
  // "<SendAsync>" and "d__3<System.Int32>", of a local function "<<Main>g__Wait|6_1>" and "d<System.Int32>".
  const auto [method, number] = splitBrackets(machineType.substr(open + 1));
  const std::string arguments(number.substr(std::min(number.find('<'), number.size())));
  const auto [outer, nested] = method.starts_with('<') ? splitBrackets(method) : std::pair{method, std::string_view{}};
  name += "." + declaredName(outer);
  if (nested.starts_with("g__")) name += "." + std::string(nested.substr(3, nested.find('|') - 3));
  if (nested.starts_with("b__")) return name + " (lambda)";
  return name + arguments;
}

}  // namespace heapscape::engine
