// SPDX-License-Identifier: MIT
#pragma once

#include <libelf.h>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/bounded_reader.h"
#include "memory/elf/elf_core.h"

namespace heapscape::engine {

struct ElfDeleter {
  void operator()(Elf* elf) const { elf_end(elf); }
};

/// Owns libelf's view of a file.
using ElfHandle = std::unique_ptr<Elf, ElfDeleter>;

/// Where notes lie in a file.
struct NoteSegment {
  std::uint64_t fileOffset = 0;
  std::uint64_t fileBytes = 0;  // already held against the end of the file
  std::uint64_t alignment = 4;
};

/// Adds what one segment of notes tells about the process: NT_PRPSINFO, NT_PRSTATUS, NT_SIGINFO,
/// NT_AUXV, NT_FILE, of arm64 NT_ARM_TLS and NT_ARM_PAC_MASK. False if they break off before its end, list what cannot
/// be, contradict each other, or have lost a thread.
bool readCoreNotes(Elf* elf, const NoteSegment& segment, ElfCore& core);

/// Calls `visit` with the kind, owner and description of each note of a core file, in its order, as far as they are
/// whole.
using NoteVisitor = std::function<void(std::uint32_t type, std::string_view owner, Bytes description)>;
void forEachNoteOf(Bytes file, const NoteVisitor& visit);

/// The note in which a redacted copy says what was done (engine/redact): JSON.
inline constexpr std::string_view kRedactionOwner = "Heapscape";
inline constexpr std::uint32_t kRedactionType = 1;

/// The GNU build-id among notes, in lower-case hexadecimal; empty if there is none.
std::string buildIdAmongNotes(Bytes notes, std::uint64_t alignment);

}  // namespace heapscape::engine
