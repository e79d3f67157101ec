// SPDX-License-Identifier: MIT
#include "layout/advice/csharp_keyword.h"

#include <algorithm>
#include <array>

namespace heapscape::engine {
namespace {

// C# language specification, 6.4.4; sorted.
constexpr std::array<std::string_view, 77> kReserved{
    "abstract", "as",      "base",    "bool",       "break",    "byte",     "case",      "catch",     "char",
    "checked",  "class",   "const",   "continue",   "decimal",  "default",  "delegate",  "do",        "double",
    "else",     "enum",    "event",   "explicit",   "extern",   "false",    "finally",   "fixed",     "float",
    "for",      "foreach", "goto",    "if",         "implicit", "in",       "int",       "interface", "internal",
    "is",       "lock",    "long",    "namespace",  "new",      "null",     "object",    "operator",  "out",
    "override", "params",  "private", "protected",  "public",   "readonly", "ref",       "return",    "sbyte",
    "sealed",   "short",   "sizeof",  "stackalloc", "static",   "string",   "struct",    "switch",    "this",
    "throw",    "true",    "try",     "typeof",     "uint",     "ulong",    "unchecked", "unsafe",    "ushort",
    "using",    "virtual", "void",    "volatile",   "while"};

}  // namespace

std::string csharpIdentifier(std::string_view name) {
  const bool isReserved = std::ranges::binary_search(kReserved, name);
  return (isReserved ? "@" : "") + std::string(name);
}

}  // namespace heapscape::engine
