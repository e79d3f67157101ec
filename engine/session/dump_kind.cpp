// SPDX-License-Identifier: MIT
#include "session/dump_kind.h"

#include <elf.h>

#include <array>
#include <string_view>

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

// gdb's writer makes a section header for every segment; the kernel and createdump write none.
bool hasSectionHeaders(Bytes file) {
  Elf64_Ehdr header{};
  return tryReadAt(file, 0, header) && header.e_shnum > 1;
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

DumpKind dumpKindOf(Bytes file, const AddressSpace& memory, const ElfCore& core, const RuntimeLibrary& library) {
  if (isFromCreatedump(memory)) return holdsLibrary(memory, core, library) ? DumpKind::Full : DumpKind::Heap;
  return hasSectionHeaders(file) ? DumpKind::Gcore : DumpKind::Kernel;
}

}  // namespace heapscape::engine
