// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "metadata/metadata.h"

namespace heapscape::engine {

/// New names for what a program has in namespaces that a copy must not show: "T12" for a type, "M3" for a method, "F5"
/// for a field. Equal names become equal ones, in all assemblies and the names that compilers make of them:
/// "<SendAsync>d__3" is "<M7>d__3" if "SendAsync" is "M7". Nothing leads from the new name to the old one.
class RenamedNames {
 public:
  enum class Kind : char { Namespace = 'N', Type = 'T', Method = 'M', Field = 'F', Parameter = 'P' };

  /// `namespaces`: those to be renamed, with all below them. Names that the class library has itself for types and
  /// virtual methods, as "Dispose", stay where the program's overrides or implements one of them.
  RenamedNames(std::vector<std::string> namespaces, const Metadata* classLibrary);

  bool areNone() const { return m_namespaces.empty(); }
  /// Whether a namespace, or the name of an assembly, is to be renamed, in whatever case it is written.
  bool covers(std::string_view name) const;
  /// Whether one of the namespaces is mentioned anywhere in a text.
  bool areMentionedIn(std::string_view text) const;

  std::string nameSpace(std::string_view name);
  std::string type(std::string_view name) { return renamed(Kind::Type, name, false); }
  /// A method, field, parameter, property, event or generic parameter.
  std::string member(Kind kind, std::string_view name, bool isVirtual);
  /// The name of an assembly, and a path whose files and folders are named after one: as many bytes as before.
  std::string path(std::string_view path);

 private:
  std::string renamed(Kind kind, std::string_view name, bool keepsLibraryNames);
  std::string identifier(Kind kind, std::string_view name);

  std::vector<std::string> m_namespaces;
  std::set<std::string, std::less<>> m_libraryNames;
  std::map<std::string, std::string, std::less<>> m_identifiers;
  std::map<std::string, std::string, std::less<>> m_nameSpaces;
  std::map<std::string, std::string, std::less<>> m_assemblies;
  std::map<Kind, unsigned> m_counts;
};

}  // namespace heapscape::engine
