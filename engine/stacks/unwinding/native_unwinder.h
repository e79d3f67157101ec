// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>

#include "memory/address_space.h"
#include "memory/elf/elf_core.h"
#include "stacks/unwinding/registers.h"

namespace heapscape::engine {

/// Unwinds native code by the .eh_frame of the libraries that are mapped (DWARF 5, section 6.4; System V ABI for
/// x86-64, section 3.7), and where one has none of a place, by its code (code_unwinding.h). Everything is read through
/// the address space. Safe from any thread.
class NativeUnwinder {
 public:
  NativeUnwinder(const AddressSpace& memory, const ElfCore& core);
  ~NativeUnwinder();
  NativeUnwinder(const NativeUnwinder&) = delete;
  NativeUnwinder& operator=(const NativeUnwinder&) = delete;

  struct Step {
    Registers caller;            // with the places where callee-saved registers were saved
    bool isSignalFrame = false;  // the caller was interrupted by a signal: its instruction is no return address
  };
  /// The caller of a native frame; nullopt where no unwind information is known or makes sense. `isReturnAddress`:
  /// the instruction of `registers` is behind a call, so that the call in front of it decides.
  std::optional<Step> callerOf(const Registers& registers, bool isReturnAddress) const;
  /// Whether an address lies behind a call instruction in a library that has unwind information.
  bool isBehindCall(Address address) const;
  /// Whether code can be at an address at all: in a library, or in memory of no file that the dump holds.
  bool mayBeCode(Address address) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> m_parts;
};

}  // namespace heapscape::engine
