// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "memory/address_space.h"
#include "stacks/unwinding/registers.h"

namespace heapscape::engine {

/// The caller's registers of a function that was stopped in its epilogue, by carrying out what is left of it: unwind
/// codes describe prologues only. Nothing if the instruction is in none. `function`: its code, which a jump at the
/// end of an epilogue leaves. `frameRegister`: of its unwind information; rax for none.
std::optional<Registers> callerFromEpilogue(const AddressSpace& memory, AddressRange function, Register frameRegister,
                                            const Registers& registers);

}  // namespace heapscape::engine
