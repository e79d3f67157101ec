// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "memory/address_space.h"
#include "memory/elf/elf_image.h"

namespace heapscape::engine {

/// What .eh_frame says of one function: its code, and the instructions that tell how a caller's registers are found
/// anywhere in it (DWARF 5, section 6.4.1; Linux Standard Base 5, section 10.6).
struct FrameDescription {
  AddressRange code;
  bool isSignalFrame = false;  // its caller did not call it: the kernel did, on the caller's behalf
  std::uint64_t codeAlignment = 1;
  std::int64_t dataAlignment = 1;
  std::uint64_t returnAddressRegister = 0;  // by DWARF's number
  std::uint8_t pointerEncoding = 0;         // of addresses among the instructions
  Bytes initialInstructions;                // of all functions of the same kind
  Bytes instructions;
  Address instructionsAddress;  // where the latter lie in the process

  MemoryView common;  // keep the instructions alive
  MemoryView own;
};

/// The unwind information of one library as it is mapped in the dumped process, found through PT_GNU_EH_FRAME.
class EhFrame {
 public:
  /// Nothing if the library has no table of functions, or a form that no linker writes.
  static std::optional<EhFrame> of(const AddressSpace& memory, const ElfImage& image);

  /// The function whose code holds an address; nothing if none does, or if what is said of it is not in the dump.
  std::optional<FrameDescription> find(Address address) const;

 private:
  EhFrame(const AddressSpace& memory, AddressRange header) : m_memory(&memory), m_header(header) {}
  std::optional<Address> descriptionOf(Address address) const;

  const AddressSpace* m_memory;
  AddressRange m_header;  // .eh_frame_hdr
  Address m_table;        // pairs of offsets from the header, sorted: start of code, description
  std::uint64_t m_entries = 0;
};

/// Reads a pointer in one of the encodings of .eh_frame (DW_EH_PE_*). `place`: where the reader's first byte lies in
/// the process; `dataBase`: what DW_EH_PE_datarel is relative to. Nothing for encodings that x86-64 does not use.
std::optional<std::uint64_t> readEncodedPointer(BoundedReader& reader, std::uint8_t encoding, Address place,
                                                Address dataBase = {});

}  // namespace heapscape::engine
