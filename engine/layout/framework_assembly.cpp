// SPDX-License-Identifier: MIT
#include "layout/framework_assembly.h"

#include <algorithm>
#include <array>

namespace heapscape::engine {
namespace {

// Names of the shared frameworks, and the packages that extend them; both in their own namespaces. Other names
// with Microsoft in them are programs and libraries as any: compilers, build tools, clients of services.
constexpr std::array<std::string_view, 15> kFamilies{"System",
                                                     "mscorlib",
                                                     "netstandard",
                                                     "WindowsBase",
                                                     "FSharp.Core",
                                                     "Microsoft.AspNetCore",
                                                     "Microsoft.Bcl",
                                                     "Microsoft.CSharp",
                                                     "Microsoft.EntityFrameworkCore",
                                                     "Microsoft.Extensions",
                                                     "Microsoft.FSharp",
                                                     "Microsoft.JSInterop",
                                                     "Microsoft.Net",
                                                     "Microsoft.VisualBasic",
                                                     "Microsoft.Win32"};

/// Whether a dotted name is that of a family or begins with it.
bool isOfFamily(std::string_view name) {
  return std::ranges::any_of(kFamilies, [name](std::string_view family) {
    return name.starts_with(family) && (name.size() == family.size() || name[family.size()] == '.');
  });
}

}  // namespace

bool isFrameworkAssembly(std::string_view name) {
  if (name.ends_with(".dll")) name.remove_suffix(4);
  return isOfFamily(name);
}

bool isFrameworkMember(std::string_view fullName) {
  return isOfFamily(fullName) || fullName.starts_with("Internal.");
}

}  // namespace heapscape::engine
