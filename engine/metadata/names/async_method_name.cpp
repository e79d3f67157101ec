// SPDX-License-Identifier: MIT
#include "metadata/names/async_method_name.h"

#include <algorithm>

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

}  // namespace

std::string asyncMethodName(std::string_view machineType) {
  const std::size_t open = machineSegment(machineType);
  if (open == std::string_view::npos) return std::string(machineType);
  std::string name(machineType.substr(0, machineType.find("+<>c")));
  if (name.size() > open) name.resize(open);
  std::string_view method = machineType.substr(open + 2);
  // The method's name stands in angle brackets; around those of a local function or lambda there are others.
  const bool isNested = method.starts_with('<');
  if (isNested) method.remove_prefix(1);
  const std::size_t close = method.find('>');
  name += "." + std::string(method.substr(0, close));
  if (close == std::string_view::npos) return name;
  method.remove_prefix(close + 1);
  // What is left is "d__3<System.Int32>", of a nested one "g__Wait|6_1>d<System.Int32>".
  const std::string_view number = isNested ? method.substr(std::min(method.find('>') + 1, method.size())) : method;
  const std::string arguments(number.substr(std::min(number.find('<'), number.size())));
  if (!isNested) return name + arguments;
  if (method.starts_with("g__")) return name + "." + std::string(method.substr(3, method.find('|') - 3)) + arguments;
  return method.starts_with("b__") ? name + " (lambda)" : name;
}

}  // namespace heapscape::engine
