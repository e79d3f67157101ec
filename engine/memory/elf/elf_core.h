// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/address.h"
#include "base/architecture.h"
#include "base/bounded_reader.h"
#include "base/finding.h"
#include "base/result.h"
#include "memory/elf/redaction.h"

namespace heapscape::engine {

/// One PT_LOAD: memory of the process and which bytes of the file hold it.
struct LoadSegment {
  AddressRange range;            // all of p_memsz
  std::uint64_t fileOffset = 0;  // from the start of the core file
  std::uint64_t fileBytes = 0;   // really in the file: less than the range if memory was left out or the file is cut
  std::uint32_t flags = 0;       // PF_R, PF_W, PF_X
  Address mappingStart = {};     // of a redacted copy: of the segment of the dump that this is a piece of
};

/// One mapping of a file into the process (NT_FILE).
struct MappedFile {
  AddressRange range;
  std::uint64_t fileOffset = 0;  // bytes from the start of the mapped file
  std::string path;
};

/// Why a thread was interrupted, as the notes behind its registers say (siginfo_t, <signal.h>).
struct CoreSignal {
  std::int32_t number = 0;  // SIGSEGV …; 0 for none
  /// What brought it about (si_code): above 0 the kernel, SEGV_MAPERR …; SI_USER, SI_TKILL and SI_QUEUE a process.
  /// Returns nullopt where there is only the number.
  std::optional<std::int32_t> code = {};
  std::optional<Address> address = {};       // what the instruction wanted (si_addr), of a fault that the kernel tells
  std::optional<std::uint32_t> sender = {};  // process that sent it (si_pid), where one has
};

/// One thread of the process (NT_PRSTATUS).
struct CoreThread {
  std::uint32_t osId = 0;
  Architecture architecture = Architecture::X64;
  /// In the order of the kernel (sys/user.h): of x64 the 27 of user_regs_struct, of arm64 x0 to x30, sp, pc, pstate.
  std::array<std::uint64_t, 34> registers{};
  std::int32_t currentSignal = 0;         // pr_cursig; the kernel writes the deadly one for each thread
  std::optional<CoreSignal> signal = {};  // NT_SIGINFO, which gdb writes for each thread, others for the one that died
  /// xmm0 to xmm15, or v0 to v31, low half first (NT_FPREGSET); empty where the dump has none of the thread.
  std::vector<std::array<std::uint64_t, 2>> floatRegisters{};
  Address tlsRegister = {};  // tpidr_el0 of arm64 (NT_ARM_TLS), which createdump does not write; 0 if it is not known
  Address stackPointer() const { return {registers[isX64() ? 19 : 31]}; }
  Address instructionPointer() const { return {registers[isX64() ? 16 : 32]}; }
  /// Where the C library keeps data of the thread: FS base, or the register of arm64; 0 if it is not known.
  Address threadPointer() const { return isX64() ? Address{registers[21]} : tlsRegister; }

 private:
  bool isX64() const { return architecture == Architecture::X64; }
};

struct AuxiliaryEntry {
  std::uint64_t type = 0;
  std::uint64_t value = 0;
};

/// What the headers and notes of a core file say.
struct ElfCore {
  Architecture architecture = Architecture::X64;
  std::vector<LoadSegment> loads;  // sorted by address, no two overlap
  std::vector<MappedFile> files;   // sorted by address
  std::vector<CoreThread> threads;
  std::vector<AuxiliaryEntry> auxiliaryVector;
  std::uint32_t pid = 0;
  std::string command;                 // NT_PRPSINFO's arguments, or its file name; empty if there is none
  bool areNotesWhole = true;           // false if notes are cut, damaged or contradict each other
  std::uint64_t fileBytes = 0;         // of the whole core file
  std::uint64_t missingFileBytes = 0;  // promised by program headers, but behind the end of the file
  /// Bits of a return address on the stack that may hold a signature instead of the address (pointer authentication of
  /// arm64): as NT_ARM_PAC_MASK tells, else all beyond the 48 that addresses have. None on x64.
  std::uint64_t signatureBits = 0;
  std::optional<Redaction> redaction = {};  // of a redacted copy
  FindingList findings;

  /// Whether what values hold is what the program had: not in a redacted copy.
  bool hasContents() const { return !redaction || redaction->hasContents; }
  /// Of a page of the process's kernel (AT_PAGESZ): 4, 16 or 64 KiB on arm64.
  std::uint64_t pageBytes() const;
};

/// Reads the headers of a core file through libelf (gelf), PN_XNUM included.
/// Fails with NotACoreDump (what it is instead: an executable, a 32-bit or foreign core, no ELF at all) or Truncated.
Result<ElfCore> parseElfCore(Bytes file);

}  // namespace heapscape::engine
