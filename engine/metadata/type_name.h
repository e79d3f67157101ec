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

/// The name of a signature's type. `argument(n)` names type parameter n of the declaring type; method parameters are
/// "!!n". Forms: "System.Int32[,]", "System.Byte*", "System.Int32&", "System.Collections.Generic.List<System.String>",
/// function pointers "System.Int32 (System.Byte, System.Object)".
std::string signatureTypeName(const Metadata& metadata, const SignatureType& type,
                              const std::function<std::string(std::uint32_t)>& argument);

}  // namespace heapscape::engine
