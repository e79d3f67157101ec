// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/address.h"
#include "base/architecture.h"
#include "base/bounded_reader.h"
#include "memory/address_space.h"
#include "memory/elf/elf_image.h"

namespace heapscape::engine {

/// An unsigned number of DWARF (DWARF 5, section 7.6); bits beyond the 64th are lost.
inline std::uint64_t readUleb128(BoundedReader& reader) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; !reader.failed(); shift += 7) {
    const auto byte = reader.read<std::uint8_t>();
    if (shift < 64) value |= std::uint64_t{byte & 0x7fu} << shift;
    if ((byte & 0x80) == 0) break;
  }
  return value;
}

/// A signed number of DWARF.
inline std::int64_t readSleb128(BoundedReader& reader) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; !reader.failed();) {
    const auto byte = reader.read<std::uint8_t>();
    if (shift < 64) value |= std::uint64_t{byte & 0x7fu} << shift;
    shift += 7;
    if ((byte & 0x80) != 0) continue;
    if (shift < 64 && (byte & 0x40) != 0) value |= ~std::uint64_t{0} << shift;
    break;
  }
  return static_cast<std::int64_t>(value);
}

/// What .eh_frame says of one function: its code, and the instructions that tell how a caller's registers are found
/// anywhere in it (DWARF 5, section 6.4.1; Linux Standard Base 5, section 10.6).
struct FrameDescription {
  AddressRange code;
  bool isSignalFrame = false;  // its caller did not call it: the kernel did, on the caller's behalf
  std::uint64_t codeAlignment = 1;
  std::int64_t dataAlignment = 1;
  std::uint64_t returnAddressRegister = 0;  // by DWARF's number
  std::uint8_t pointerEncoding = 0;         // of addresses among the instructions
  Address languageData;         // what the code's language keeps of the function for itself (LSDA); 0 if there is none
  bool hasPersonality = false;  // a routine reads that, as C++ has one
  Bytes initialInstructions;    // of all functions of the same kind
  Bytes instructions;
  Address instructionsAddress;  // where the latter lie in the process

  MemoryView common;  // keep the instructions alive
  MemoryView own;
};

/// The unwind information of one library as it is mapped in the dumped process, found through PT_GNU_EH_FRAME.
class EhFrame {
 public:
  /// Returns nullopt if the library has no table of functions, or a form that no linker writes.
  static std::optional<EhFrame> of(const AddressSpace& memory, const ElfImage& image);

  /// The function whose code holds an address; nullopt if none does, or if what is said of it is not in the dump.
  std::optional<FrameDescription> find(Address address) const;
  /// Whether no function that is described holds an address. False where the dump lacks what would show it.
  bool leavesOut(Address address) const;

 private:
  EhFrame(const AddressSpace& memory, AddressRange header) : m_memory(&memory), m_header(header) {}
  /// Place of the last description whose function begins at an address or before it, 0 for none; nullopt if the dump
  /// lacks a part of the table.
  std::optional<Address> descriptionOf(Address address) const;

  const AddressSpace* m_memory;
  AddressRange m_header;  // .eh_frame_hdr
  Address m_table;        // pairs of offsets from the header, sorted: start of code, description
  std::uint64_t m_entries = 0;
};

/// Reads a pointer in one of the encodings of .eh_frame (DW_EH_PE_*). `place`: where the reader's first byte lies in
/// the process; `dataBase`: what DW_EH_PE_datarel is relative to. Returns nullopt for encodings that
/// neither x64 nor arm64 uses.
std::optional<std::uint64_t> readEncodedPointer(BoundedReader& reader, std::uint8_t encoding, Address place,
                                                Address dataBase = {});

/// DWARF numbers the general registers of x64 otherwise than instructions do, and the return address after them; those
/// of arm64 alike (RegisterFile::byDwarfNumber).
inline constexpr std::size_t kDwarfRegisterCount = 32;

/// How a register of the caller is found.
struct RegisterRule {
  enum class Kind : std::uint8_t {
    Same,        // as in the frame itself
    Undefined,   // lost; of the return address: there is no caller
    SavedAt,     // at an offset from the frame's address
    IsOffset,    // is the frame's address and an offset
    InRegister,  // in another register
    SavedAtExpression,
    IsExpression,
  };
  Kind kind = Kind::Same;
  std::uint64_t reg = 0;
  std::int64_t offset = 0;
  Bytes expression;
};

/// The rules that hold at one instruction. The canonical frame address is the stack pointer before the call.
struct UnwindRow {
  RegisterRule frameAddress{RegisterRule::Kind::Undefined, 0, 0, {}};  // InRegister with an offset, or IsExpression
  std::array<RegisterRule, kDwarfRegisterCount> registers;
};

/// Runs a function's instructions up to an address in its code; nullopt if they make no sense.
std::optional<UnwindRow> unwindRowAt(const FrameDescription& description, Address address,
                                     Architecture architecture = Architecture::X64);

}  // namespace heapscape::engine
