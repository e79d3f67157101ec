// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace heapscape::engine {

/// Turns names of types as the linker knows them into those that the project writes:
/// "S_P_CoreLib_System_Collections_Generic_List_1<Int32>" is "System.Collections.Generic.List<System.Int32>"
/// (src/coreclr/tools/Common/Compiler/NativeAotNameMangler.cs). The linker's names have lost the difference between
/// dots, nesting and what else is no letter, so what the program itself knows of a type goes first.
class LinkerNames {
 public:
  struct Known {
    /// The full name of a type that the program has, by the linker's name; empty if it has none.
    std::function<std::string(std::string_view)> type;
    /// The same of a generic definition, as metadata spells it: "System.Collections.Generic.List`1".
    std::function<std::string(std::string_view)> definition;
    /// Whether there is a type of this name at all.
    std::function<bool(std::string_view)> isType;
  };

  explicit LinkerNames(Known known) : m_known(std::move(known)) {}

  /// Learns where assemblies and namespaces end, from a type whose two names are known.
  void learn(std::string_view linkerName, std::string_view fullName);
  std::string fullName(std::string_view linkerName) const { return fullName(linkerName, 0); }
  /// How the linker's names of an assembly's types begin: "S_P_CoreLib_" of System.Private.CoreLib.
  static std::string ofAssembly(std::string_view simpleName);
  /// The linker's name of a type of the core library that is not generic: "System.Threading.ThreadPool".
  static std::string ofCoreLibrary(std::string_view fullName);

 private:
  std::string fullName(std::string_view linkerName, std::size_t depth) const;
  std::string instanceName(std::string_view definition, std::string_view arguments, std::size_t depth) const;
  std::string guessedName(std::string_view linkerName) const;
  bool isKnown(std::string_view linkerName) const;

  Known m_known;
  std::map<std::string, std::string, std::less<>> m_namespaces;  // "S_P_CoreLib_System_Text_": "System.Text."
};

}  // namespace heapscape::engine
