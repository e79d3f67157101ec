// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "metadata/metadata.h"
#include "metadata/signature.h"

namespace heapscape::engine {

/// Puts type arguments into a definition's name, each nesting level taking as many as its own arity says:
/// "A.Outer`1+Inner`2" with three arguments becomes "A.Outer<X>+Inner<Y, Z>". Without arguments the name stays as it
/// is.
std::string withTypeArguments(std::string_view definitionName, std::span<const std::string> arguments);

/// Suffix behind the element type's name for an array of this rank that is no plain "[]": "[,]"; "[*]" for one
/// dimension with a lower bound of its own.
std::string arraySuffix(std::uint32_t rank);

/// Names of what a signature has only by number or by an address of the process. Where there is no function the number
/// itself is the name: "!0", "!!0".
struct SignatureNames {
  std::function<std::string(std::uint32_t)> typeParameter = {};
  std::function<std::string(std::uint32_t)> methodParameter = {};
  std::function<std::string(std::uint64_t)> typeHandle = {};
  /// The name of a generic definition as metadata has it, "List`1".
  std::function<std::string(std::uint64_t)> definitionHandle = {};
};

/// The name of a signature's type. Forms: "System.Int32[,]", "System.Byte*", "System.Int32&",
/// "System.Collections.Generic.List<System.String>", function pointers "System.Int32 (System.Byte, System.Object)".
std::string signatureTypeName(const Metadata& metadata, const SignatureType& type, const SignatureNames& names);

/// Beginning of a function pointer's name in the runtime's form.
inline constexpr std::string_view kFunctionPointer = "fnptr ";

/// A type's name as metadata spells it, with all generic arguments behind it:
/// "N.Outer<System.Int32>+Inner<System.String>" becomes "N.Outer`1+Inner`1<System.Int32,System.String>", a function
/// pointer "fnptr RETURN(ARGUMENT,ARGUMENT)". A name in this form already stays as it is, so that two names mean the
/// same type if this gives the same text for both.
std::string metadataTypeName(std::string_view typeName);

}  // namespace heapscape::engine
