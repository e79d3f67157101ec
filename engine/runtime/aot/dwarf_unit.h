// SPDX-License-Identifier: MIT
#pragma once

#include <elfutils/libdw.h>

#include <optional>

namespace heapscape::engine {

/// The unit of a program's debugging information that the compiler of managed code wrote; nullopt if there is none.
std::optional<Dwarf_Die> managedUnitOf(Dwarf* dwarf);

}  // namespace heapscape::engine
