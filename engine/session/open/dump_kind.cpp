// SPDX-License-Identifier: MIT
#include "session/open/dump_kind.h"

#include <elf.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "session/snapshot/heap_presence.h"

namespace heapscape::engine {
namespace {

// createdump adds a page of its own to every dump (specialdiaginfo.h in dotnet/runtime).
constexpr Address kDiagnosticInfo{0x00007ffffff10000};
constexpr std::string_view kDiagnosticSignature = "DIAGINFOHEADER";
constexpr double kFullShare = 0.9;

bool isFromCreatedump(const AddressSpace& memory) {
  std::array<char, kDiagnosticSignature.size()> signature{};
  return memory.tryRead(kDiagnosticInfo, std::as_writable_bytes(std::span(signature))) &&
         std::string_view(signature.data(), signature.size()) == kDiagnosticSignature;
}

constexpr std::uint64_t kMostHeadersRead = 64;  // the notes come first

/// Type of the file's first note; 0 if there is none.
std::uint32_t firstNote(Bytes file, const Elf64_Ehdr& header) {
  const std::uint64_t count = std::min<std::uint64_t>(header.e_phnum, kMostHeadersRead);
  for (std::uint64_t i = 0; i < count; ++i) {
    Elf64_Phdr part{};
    Elf64_Nhdr note{};
    if (!tryReadAt(file, header.e_phoff + i * sizeof part, part)) return 0;
    if (part.p_type == PT_NOTE) return tryReadAt(file, part.p_offset, note) ? note.n_type : 0;
  }
  return 0;
}

// A heap dump leaves out what can be read from the library's file.
bool holdsLibrary(const AddressSpace& memory, const ElfCore& core, const RuntimeLibrary& library) {
  std::uint64_t mapped = 0;
  std::uint64_t present = 0;
  for (const MappedFile& file : core.files) {
    if (file.path != library.path) continue;
    mapped += file.range.sizeBytes();
    for (const AddressRange& part : memory.present(file.range)) present += part.sizeBytes();
  }
  return mapped && static_cast<double>(present) >= kFullShare * static_cast<double>(mapped);
}

}  // namespace

DumpKind smallDumpKindOf(const std::vector<Segment>& segments) {
  return listHeap(segments) ? DumpKind::Mini : DumpKind::Triage;
}

DumpKind dumpKindOf(Bytes file, const AddressSpace& memory, const ElfCore& core, const RuntimeLibrary& library) {
  Elf64_Ehdr header{};
  if (!tryReadAt(file, 0, header)) return DumpKind::Unknown;
  // createdump names Linux in the header and begins with the process; the kernel names nothing and begins with the
  // thread that died (createdump of .NET 8 to 10).
  const std::uint32_t note = firstNote(file, header);
  const bool looksLikeCreatedump = header.e_ident[EI_OSABI] == ELFOSABI_LINUX && note == NT_PRPSINFO;
  if (isFromCreatedump(memory) || looksLikeCreatedump)
    return holdsLibrary(memory, core, library) ? DumpKind::Full : DumpKind::Heap;
  // gdb's writer makes a section header for every segment; the kernel and createdump write none.
  if (header.e_shnum > 1) return DumpKind::Gcore;
  return header.e_ident[EI_OSABI] == ELFOSABI_NONE && note == NT_PRSTATUS ? DumpKind::Kernel : DumpKind::Unknown;
}

}  // namespace heapscape::engine
