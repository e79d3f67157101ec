// SPDX-License-Identifier: MIT
#include "memory/elf/elf_library_file.h"

#include <elf.h>
#include <gelf.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "memory/elf/elf_on_disk.h"
#include "memory/files/file_kind.h"

namespace heapscape::engine {

namespace {

constexpr std::uint64_t kMostFileNoteBytes = 1 << 20;
constexpr std::uint64_t kMostReadBytes = 64 << 20;
constexpr std::size_t kMostFunctions = 1 << 22;

bool isLibraryOfOurs(Elf* elf) {
  GElf_Ehdr header{};
  return gelf_getehdr(elf, &header) && architectureOf(header.e_machine);
}

template <class Visit>
void forEachSegment(Elf* elf, std::uint32_t type, Visit visit) {
  std::size_t count = 0;
  if (elf_getphdrnum(elf, &count) != 0) return;
  for (std::size_t index = 0; index < count; ++index) {
    GElf_Phdr segment{};
    if (!gelf_getphdr(elf, static_cast<int>(index), &segment)) return;
    if (segment.p_type == type && !visit(segment)) return;
  }
}

/// Calls `visit(data, index, header)` for every entry of the sections of a type until it returns false.
template <class Visit>
void forEachEntry(Elf* elf, std::uint32_t sectionType, Visit visit) {
  forEachSection(elf, [&](Elf_Scn* section, const GElf_Shdr& header) {
    if (header.sh_type != sectionType || header.sh_entsize == 0) return true;
    Elf_Data* data = elf_getdata(section, nullptr);
    const std::uint64_t count = data ? data->d_size / header.sh_entsize : 0;
    for (std::uint64_t index = 0; index < count; ++index) {
      if (!visit(data, static_cast<int>(index), header)) return false;
    }
    return true;
  });
}

Bytes rawBytes(Elf* elf, std::uint64_t fileOffset, std::uint64_t sizeBytes) {
  const Elf_Data* data = elf_getdata_rawchunk(elf, static_cast<std::int64_t>(fileOffset), sizeBytes, ELF_T_BYTE);
  if (!data || !data->d_buf) return {};
  return {static_cast<const std::byte*>(data->d_buf), data->d_size};
}

std::string buildIdOf(Elf* elf) {
  std::string buildId;
  forEachSegment(elf, PT_NOTE, [&](const GElf_Phdr& segment) {
    if (segment.p_filesz > kMostFileNoteBytes) return true;
    buildId = buildIdAmongNotes(rawBytes(elf, segment.p_offset, segment.p_filesz), segment.p_align);
    return buildId.empty();
  });
  return buildId;
}

}  // namespace

struct ElfLibraryFile::Impl : ElfOnDisk {};

std::optional<ElfLibraryFile> ElfLibraryFile::openMatching(const std::filesystem::path& path,
                                                           const std::string& buildId) {
  auto disk = openElfOnDisk(path);
  if (!disk || !isLibraryOfOurs(disk->elf.get()) || buildId.empty() || buildIdOf(disk->elf.get()) != buildId)
    return std::nullopt;
  return ElfLibraryFile(std::make_shared<Impl>(Impl{std::move(*disk)}));
}

std::optional<std::uint64_t> ElfLibraryFile::findSymbol(std::string_view name) const {
  Elf* elf = m_impl->elf.get();
  std::optional<std::uint64_t> address;
  forEachEntry(elf, SHT_DYNSYM, [&](Elf_Data* data, int index, const GElf_Shdr& section) {
    GElf_Sym symbol{};
    if (!gelf_getsym(data, index, &symbol) || symbol.st_shndx == SHN_UNDEF) return true;
    const char* text = elf_strptr(elf, section.sh_link, symbol.st_name);
    if (text && text == name) address = symbol.st_value;
    return !address;
  });
  return address;
}

bool ElfLibraryFile::isStripped() const {
  bool hasSymbols = false;
  forEachEntry(m_impl->elf.get(), SHT_SYMTAB, [&](Elf_Data*, int, const GElf_Shdr&) {
    hasSymbols = true;
    return false;
  });
  return !hasSymbols;
}

std::vector<NamedFunction> ElfLibraryFile::functions() const {
  Elf* elf = m_impl->elf.get();
  std::vector<NamedFunction> functions;
  const auto add = [&](Elf_Data* data, int index, const GElf_Shdr& section) {
    GElf_Sym symbol{};
    if (!gelf_getsym(data, index, &symbol)) return false;
    const unsigned type = GELF_ST_TYPE(symbol.st_info);
    if (symbol.st_shndx == SHN_UNDEF || (type != STT_FUNC && type != STT_GNU_IFUNC)) return true;
    const char* name = elf_strptr(elf, section.sh_link, symbol.st_name);
    if (name && *name) functions.push_back({symbol.st_value, symbol.st_size, name});
    return functions.size() < kMostFunctions;
  };
  forEachEntry(elf, SHT_SYMTAB, add);
  forEachEntry(elf, SHT_DYNSYM, add);
  return functions;
}

bool ElfLibraryFile::tryRead(std::uint64_t address, std::span<std::byte> target) const {
  if (target.empty()) return true;
  if (target.size() > kMostReadBytes) return false;
  Bytes found;
  forEachSegment(m_impl->elf.get(), PT_LOAD, [&](const GElf_Phdr& segment) {
    if (address < segment.p_vaddr || address - segment.p_vaddr >= segment.p_filesz) return true;
    const std::uint64_t offset = address - segment.p_vaddr;
    if (segment.p_filesz - offset >= target.size()) {
      found = rawBytes(m_impl->elf.get(), segment.p_offset + offset, target.size());
    }
    return false;
  });
  if (found.size() != target.size()) return false;
  std::ranges::copy(found, target.begin());
  return true;
}

std::optional<std::uint64_t> ElfLibraryFile::relocatedPointer(std::uint64_t address) const {
  std::uint64_t pointer = 0;
  if (!tryRead(address, std::as_writable_bytes(std::span(&pointer, 1)))) return std::nullopt;
  GElf_Ehdr header{};
  if (!gelf_getehdr(m_impl->elf.get(), &header)) return std::nullopt;
  const std::uint64_t relative = header.e_machine == EM_AARCH64 ? R_AARCH64_RELATIVE : R_X86_64_RELATIVE;
  forEachEntry(m_impl->elf.get(), SHT_RELA, [&](Elf_Data* data, int index, const GElf_Shdr&) {
    GElf_Rela entry{};
    if (!gelf_getrela(data, index, &entry)) return false;
    if (entry.r_offset != address || GELF_R_TYPE(entry.r_info) != relative) return true;
    pointer = static_cast<std::uint64_t>(entry.r_addend);
    return false;
  });
  return pointer;
}

}  // namespace heapscape::engine
