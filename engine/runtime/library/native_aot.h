// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>

#include "memory/address_space.h"

namespace heapscape::engine {

/// What a program that was compiled ahead of time exports for debuggers (src/coreclr/nativeaot/Runtime/DebugHeader.cpp
/// in dotnet/runtime).
inline constexpr std::string_view kNativeAotSymbol = "DotNetRuntimeDebugHeader";

/// Whether the variables of a program hold that header: its mark "DNDH", a version and addresses of two lists in the
/// program. `program`: where it is mapped.
bool hasNativeAotHeader(const AddressSpace& space, AddressRange program, std::span<const AddressRange> data);

}  // namespace heapscape::engine
