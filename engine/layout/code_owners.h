// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/enum_names.h"

namespace heapscape::engine {

/// Whose code an assembly is: the reader's, a library's that the program uses, or .NET's.
enum class CodeOwner : std::uint8_t { Own, Package, Framework };

template <>
inline constexpr auto kEnumNames<CodeOwner> = std::to_array<EnumName<CodeOwner>>({{CodeOwner::Own, "own"},
                                                                                  {CodeOwner::Package, "package"},
                                                                                  {CodeOwner::Framework, "framework"}});

/// Beginnings of assemblies' names that the reader has named himself. They go before what is told of an assembly, but
/// .NET stays .NET.
struct NamedCode {
  std::vector<std::string> own;
  std::vector<std::string> packages;
  bool operator==(const NamedCode&) const = default;
};

/// What the reader has named. One for the whole process, as its reader is one: a dump's assemblies are told apart by
/// what holds when it is opened. Safe from any thread.
NamedCode namedCode();
void nameCode(NamedCode named);

/// What an assembly says of its origin.
struct AssemblyOrigin {
  std::string name;     // simple, or of its file
  std::string company;  // of AssemblyCompanyAttribute; empty if it has none, or its metadata is not known
};

/// One rule for whose code an assembly is. .NET is what isFrameworkAssembly() says. The program's first assembly that
/// is not .NET's is the reader's. So are assemblies whose names begin with the same part ("Shop" of Shop.Web), those of
/// the same company, and those that name no company: there the SDK writes the assembly's own name. All others are
/// packages. Where the program is the interactive F# (dotnet fsi), only what it makes of a script is the reader's.
class CodeOwners {
 public:
  /// Knows of no program: all that is not .NET's is the reader's.
  CodeOwners() = default;
  /// `assemblies`: of the program, in the order in which they were loaded.
  CodeOwners(std::span<const AssemblyOrigin> assemblies, NamedCode named);

  /// By the assembly's simple or file name; where it is not known ("") by a member's full name.
  CodeOwner of(std::string_view assembly, std::string_view member = {}) const;
  /// The assembly that the program begins with; empty if it has none but .NET's.
  const std::string& entry() const { return m_entry; }

 private:
  CodeOwner ofOrigin(const AssemblyOrigin& origin) const;

  NamedCode m_named;
  std::string m_entry, m_company;
  std::map<std::string, CodeOwner, std::less<>> m_owners;  // by simple name
};

}  // namespace heapscape::engine
