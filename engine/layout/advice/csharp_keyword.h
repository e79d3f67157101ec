// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace heapscape::engine {

/// A name as C# source writes it: reserved words need an @ in front.
std::string csharpIdentifier(std::string_view name);

}  // namespace heapscape::engine
