// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "memory/address_space.h"
#include "memory/elf/elf_core.h"

namespace heapscape::engine {

/// What an address of native code can be called.
struct NativeName {
  std::string module;           // file name of the library; empty for memory of no file
  std::string symbol;           // function whose code holds the address; empty if none is known
  std::uint64_t offset = 0;     // bytes from the symbol, else from the start of the library
  bool isExportedOnly = false;  // only exported functions are known, so that others may have no name
};

/// Names native code by the symbols that the dump holds, or by those of the file that the address space proves to be
/// the mapped one. Safe from any thread.
class NativeSymbols {
 public:
  NativeSymbols(const AddressSpace& memory, const ElfCore& core);
  ~NativeSymbols();
  NativeSymbols(const NativeSymbols&) = delete;
  NativeSymbols& operator=(const NativeSymbols&) = delete;

  NativeName nameOf(Address address) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> m_parts;
};

}  // namespace heapscape::engine
