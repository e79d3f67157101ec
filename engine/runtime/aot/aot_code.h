// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "memory/address_space.h"
#include "memory/elf/eh_frame.h"

namespace heapscape::engine {

/// A function of compiled managed code: a method, or a funclet of one.
struct AotFunction {
  AddressRange code = {};    // of the function alone
  Address methodStart = {};  // of the method that it belongs to
  bool isFunclet = false;    // a catch, finally or filter part
  bool isFilter = false;
  Address gcInfo = {};            // of the method
  Address exceptionClauses = {};  // of the method; 0 if it handles nothing
};

/// Finds the managed code of a program that was compiled ahead of time: its functions lie among native ones, described
/// like these, but with the runtime's own data in the place of a language's and without a routine to read it
/// (UnixNativeCodeManager, src/coreclr/nativeaot/Runtime/unix). Safe from any thread.
class AotCode {
 public:
  /// `program`: where the program's file begins in memory.
  AotCode(const AddressSpace& memory, Address program);

  /// The function that holds an instruction; nullopt if that is native, or if the dump lacks what describes it.
  std::optional<AotFunction> find(Address instruction) const;

 private:
  const AddressSpace& m_memory;
  std::optional<EhFrame> m_frames;
};

}  // namespace heapscape::engine
