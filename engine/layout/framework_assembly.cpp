// SPDX-License-Identifier: MIT
#include "layout/framework_assembly.h"

#include <algorithm>
#include <array>

namespace heapscape::engine {

bool isFrameworkAssembly(std::string_view name) {
  constexpr std::array<std::string_view, 2> kPrefixes{"System.", "Microsoft."};
  constexpr std::array<std::string_view, 4> kNames{"System", "mscorlib", "netstandard", "WindowsBase"};
  if (name.ends_with(".dll")) name.remove_suffix(4);
  return std::ranges::any_of(kPrefixes, [name](std::string_view prefix) { return name.starts_with(prefix); }) ||
         std::ranges::find(kNames, name) != kNames.end();
}

}  // namespace heapscape::engine
