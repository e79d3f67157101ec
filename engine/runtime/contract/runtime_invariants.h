// SPDX-License-Identifier: MIT
#pragma once

#include "memory/address_space.h"
#include "memory/elf/elf_image.h"
#include "runtime/contract/contract.h"

namespace heapscape::engine {

/// Whether a table of globals leads to what every runtime of a contract has: the method tables of free objects and of
/// strings with their known flags and base sizes, and the GC's variables with their version. `globals`: g_dacTable;
/// `table`: what its entries are.
bool invariantsHold(const AddressSpace& space, const Contract& contract, const Contract::GlobalTable& table,
                    const DynamicSymbol& globals);

}  // namespace heapscape::engine
