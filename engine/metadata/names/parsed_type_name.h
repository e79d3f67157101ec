// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "metadata/signature.h"

namespace heapscape::engine {

/// A type's name taken apart.
struct ParsedTypeName {
  /// Suffix behind the name, from left to right: SzArray, Array (with its rank), Ptr or ByRef.
  struct Suffix {
    ElementType element = ElementType::SzArray;
    std::uint32_t rank = 1;
  };

  /// Metadata's name of the definition, "N.Outer`1+Inner`2"; empty for a function pointer.
  std::string definition;
  /// `definition` without the arities that only the arguments tell, for generic types that are named without them.
  std::string writtenDefinition;
  std::vector<ParsedTypeName> arguments;  // of all levels; of a function pointer what it returns, then its parameters
  bool isFunctionPointer = false;
  std::vector<Suffix> suffixes;
};

/// Takes apart a name in the runtime's form, "N.Outer<X>+Inner<Y, Z>[]", in metadata's, "N.Outer`1+Inner`2<X,Y,Z>[]",
/// in .NET's own (Type.ToString, FullName and AssemblyQualifiedName), "N.Outer`1+Inner`2[X,Y,[Z, Assembly]]", with what
/// it escapes, "a\\,b", or in C#'s, "N.Outer<int>.Inner<string, Z?>[]". Function pointers are "X (Y, Z)" or "fnptr
/// X(Y,Z)". Angle brackets at the start of a part are the compiler's own: "<>c__DisplayClass1_0<X>", "<Run>d__3". Fails
/// with BadQuery.
Result<ParsedTypeName> parseTypeName(std::string_view name);

/// The name in the runtime's form, which types of dumps have.
std::string runtimeTypeName(const ParsedTypeName& name);
/// The runtime's form of any name that parseTypeName() reads; any other as it is.
std::string runtimeTypeName(std::string_view name);

/// The name of a type, or a part of one, as a person gives it: in the runtime's form, as .NET or C# writes it, with or
/// without namespaces, with "+" or "." before a nested type.
class TypeNameSearch {
 public:
  explicit TypeNameSearch(std::string_view text);

  /// Whether a type of that name, in the runtime's form, is the one that is named.
  bool isNameOf(std::string_view typeName) const;
  /// Whether it is the type's name, or the type's name holds the text.
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
