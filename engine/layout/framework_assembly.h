// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace heapscape::engine {

/// Whether an assembly, by its simple or its file name, belongs to .NET rather than to a program: its types are not the
/// reader's to change.
bool isFrameworkAssembly(std::string_view name);

}  // namespace heapscape::engine
