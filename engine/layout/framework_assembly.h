// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace heapscape::engine {

/// Whether an assembly, by its simple or its file name, belongs to .NET rather than to a program: its types are not the
/// reader's to change. The shared frameworks and what extends them do, the library of F# too; Roslyn, say, does not.
bool isFrameworkAssembly(std::string_view name);

/// Whether a type or a method is the framework's by its full name, for where no assembly is known.
bool isFrameworkMember(std::string_view fullName);

}  // namespace heapscape::engine
