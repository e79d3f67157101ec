// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace heapscape::engine {

/// A type's name as C# writes it, without namespaces: "System.Collections.Generic.List<System.String>" is
/// "List<string>", "System.Nullable<System.Int32>[]" is "int?[]", "System.ValueTuple<System.Int32, System.String>" is
/// "(int, string)", "N.Outer<System.Int32>+Inner" is "Outer<int>.Inner", a reference to it "ref Outer<int>.Inner". C#
/// names the last dimensions of arrays of arrays first: "System.Int32[,][]" is "int[][,]".
std::string csharpTypeName(std::string_view typeName);

/// "System.Int32" of "int"; empty for what is no such word of C#.
std::string_view nameOfKeyword(std::string_view word);

}  // namespace heapscape::engine
