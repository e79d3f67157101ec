// SPDX-License-Identifier: MIT
#pragma once

#include <gelf.h>
#include <filesystem>
#include <optional>
#include <string_view>

#include "memory/elf/elf_notes.h"
#include "memory/files/regular_file.h"

namespace heapscape::engine {

/// An ELF file of 64 bits, read by libelf as data.
struct ElfOnDisk {
  FileDescriptor file;
  ElfHandle elf;  // reads from the file, so it must go first
};

/// Returns nullopt unless `path` is a regular file of that kind. It may come out of a dump.
std::optional<ElfOnDisk> openElfOnDisk(const std::filesystem::path& path);

/// Calls `visit(section, header)` for each section until it returns false.
template <class Visit>
void forEachSection(Elf* elf, Visit visit) {
  for (Elf_Scn* section = elf_nextscn(elf, nullptr); section; section = elf_nextscn(elf, section)) {
    GElf_Shdr header{};
    if (gelf_getshdr(section, &header) && !visit(section, header)) return;
  }
}

/// The name of a section; empty if it has none. Lives as long as `elf`.
std::string_view sectionName(Elf* elf, const GElf_Shdr& header);

}  // namespace heapscape::engine
