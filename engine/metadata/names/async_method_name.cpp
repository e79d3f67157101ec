// SPDX-License-Identifier: MIT
#include "metadata/names/async_method_name.h"

#include <algorithm>
#include <utility>

namespace heapscape::engine {
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

/// What stands in the angle brackets that a name begins with, and what stands behind them.
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
