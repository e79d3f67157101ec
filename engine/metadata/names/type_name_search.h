// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace heapscape::engine {

/// The name of a type, or a part of one, as a person gives it: in the runtime's form, as .NET or C# writes it, with or
/// without namespaces, with "+" or "." before a nested type.
class TypeNameSearch {
 public:
  explicit TypeNameSearch(std::string_view text);

  /// Whether a type of that name, in the runtime's form, is the one that is named.
  bool isNameOf(std::string_view typeName) const;
  /// The same, or its name holds the text.
  bool isHeldBy(std::string_view typeName) const;
  /// The text in the runtime's form if it is a name, else as it is.
  const std::string& runtimeName() const { return m_runtimeName; }

 private:
  std::string m_text, m_runtimeName;
  std::string m_csharpName;  // without spaces, nor namespaces
  std::string m_definition;  // up to the first arguments, with points before nested types
  std::string m_behind;      // what stands there in C#
};

}  // namespace heapscape::engine
