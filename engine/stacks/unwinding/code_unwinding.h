// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>

#include "memory/address_space.h"
#include "memory/elf/eh_frame.h"

namespace heapscape::engine {

/// Numbers of DWARF's for x64 (System V ABI, table 3.36): the stack pointer and the return address.
inline constexpr std::size_t kDwarfX64StackPointer = 7;
inline constexpr std::size_t kDwarfX64ReturnAddress = 16;

/// Where the caller's registers are at an instruction of x86-64 that is the kernel's way back from a signal handler
/// ("mov $15, %rax; syscall"): in the ucontext_t on top of the stack, as the kernel lays it out (struct rt_sigframe,
/// arch/x86/include/asm/sigframe.h). glibc describes its own in .eh_frame, musl does not. Returns nullopt for any other
/// code.
std::optional<UnwindRow> signalReturnRow(const AddressSpace& memory, Address instruction);

/// Where code is that is read for want of a table, and what is asked about the process around it.
struct CodePlace {
  Address instruction;
  Address stackPointer;
  Address framePointer;  // rbp, if code should need it

  std::function<bool(Address)> isInLibrary;   // in the one that the instruction is in
  std::function<bool(Address)> isBehindCall;  // an address of code with a call right in front of it
};

/// Where a caller's registers are, told by the instructions of x86-64 alone: for libraries that are built without
/// unwind information, as musl's C library is. Returns nullopt where the code does not settle it.
///
/// A word of the stack is the return address if the call in front of it goes to code that comes to the instruction with
/// just so many bytes more on the stack as lie between. Where calls go through a register, the code is followed to its
/// return instead: all ways have to end at one word, with a call in front of what it says. Registers that the caller
/// wants back are where they were pushed, or where they are popped from.
std::optional<UnwindRow> rowByCode(const AddressSpace& memory, const CodePlace& place);

}  // namespace heapscape::engine
