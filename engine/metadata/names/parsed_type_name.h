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
  /// What stands behind the name, from left to right: SzArray, Array (with its rank), Ptr or ByRef.
  struct Suffix {
    ElementType element = ElementType::SzArray;
    std::uint32_t rank = 1;
  };

  /// Metadata's name of the definition, "N.Outer`1+Inner`2"; empty for a function pointer.
  std::string definition;
  /// The same without the arities that only the arguments tell, for generic types that are named without them.
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
/// The same of any name that parseTypeName() reads; any other as it is.
std::string runtimeTypeName(std::string_view name);

}  // namespace heapscape::engine
