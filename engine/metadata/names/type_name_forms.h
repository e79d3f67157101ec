// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace heapscape::engine {

/// What a function pointer's name begins with in the runtime's form.
inline constexpr std::string_view kFunctionPointer = "fnptr ";

/// A type's name as metadata spells it, with all generic arguments behind it:
/// "N.Outer<System.Int32>+Inner<System.String>" becomes "N.Outer`1+Inner`1<System.Int32,System.String>", a function
/// pointer "fnptr RETURN(ARGUMENT,ARGUMENT)". A name in this form already stays as it is, so that two names mean the
/// same type if this gives the same text for both.
std::string metadataTypeName(std::string_view typeName);

}  // namespace heapscape::engine
