// SPDX-License-Identifier: MIT
#include "memory/elf/elf_on_disk.h"

#include <utility>

namespace heapscape::engine {

std::optional<ElfOnDisk> openElfOnDisk(const std::filesystem::path& path) {
  auto opened = openRegularFile(path, {});
  if (!opened) return std::nullopt;
  ElfOnDisk disk{.file = std::move(opened->file), .elf = {}};
  elf_version(EV_CURRENT);
  disk.elf.reset(elf_begin(disk.file.get(), ELF_C_READ, nullptr));
  GElf_Ehdr header{};
  const bool isElf = disk.elf && elf_kind(disk.elf.get()) == ELF_K_ELF && gelf_getehdr(disk.elf.get(), &header) &&
                     header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_ident[EI_DATA] == ELFDATA2LSB;
  return isElf ? std::optional(std::move(disk)) : std::nullopt;
}

std::string_view sectionName(Elf* elf, const GElf_Shdr& header) {
  std::size_t names = 0;
  const char* name = elf_getshdrstrndx(elf, &names) == 0 ? elf_strptr(elf, names, header.sh_name) : nullptr;
  return name ? name : std::string_view();
}

}  // namespace heapscape::engine
