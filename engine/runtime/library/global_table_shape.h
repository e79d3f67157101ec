// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "base/architecture.h"
#include "memory/address_space.h"
#include "memory/elf/elf_image.h"

namespace heapscape::engine {

/// Finds g_dacTable where no symbol tells of it, among the variables of a library: as a row of addresses that all lie
/// in the library, most of them in its variables, and that lead to what the runtime has (`invariantsHold`). A row of
/// exactly as many entries as a table that is known goes first; on all builds that were looked at there is just one,
/// because zeros or the heap's addresses stand beside the table. `architecture`: of the process; `version`: the release
/// if it is known, else empty; only their own contracts are tried.
std::optional<DynamicSymbol> findGlobalTableByShape(const AddressSpace& space, AddressRange library,
                                                    std::span<const AddressRange> data, Architecture architecture,
                                                    std::string_view version);

}  // namespace heapscape::engine
