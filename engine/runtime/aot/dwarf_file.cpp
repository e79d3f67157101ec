// SPDX-License-Identifier: MIT
#include "runtime/aot/dwarf_file.h"

#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "memory/elf/elf_on_disk.h"

namespace heapscape::engine {
namespace {

constexpr std::uint64_t kMostDwarfBytes = 2ull << 30;  // all sections together, unpacked; an ASP.NET program has 0.1 GB
constexpr std::size_t kMostSymbols = 16'000'000;
constexpr std::string_view kDebugSections = ".debug_";

struct DwarfEnd {
  void operator()(Dwarf* dwarf) const { dwarf_end(dwarf); }
};

bool hasTypesSection(Elf* elf) {
  bool has = false;
  forEachSection(elf, [&](Elf_Scn*, const GElf_Shdr& header) {
    has = sectionName(elf, header) == ".debug_info" && header.sh_type != SHT_NOBITS && header.sh_size > 0;
    return !has;
  });
  return has;
}

/// What the sections ask for when they are unpacked: a header's promise, which the unpacking holds them to.
std::uint64_t unpackedBytes(Elf* elf) {
  std::uint64_t bytes = 0;
  forEachSection(elf, [&](Elf_Scn* section, const GElf_Shdr& header) {
    if (!sectionName(elf, header).starts_with(kDebugSections) || header.sh_type == SHT_NOBITS) return true;
    GElf_Chdr packed{};
    const bool isPacked = (header.sh_flags & SHF_COMPRESSED) != 0 && gelf_getchdr(section, &packed);
    const std::uint64_t own = isPacked ? packed.ch_size : header.sh_size;
    bytes = own > kMostDwarfBytes ? kMostDwarfBytes + 1 : bytes + own;
    return bytes <= kMostDwarfBytes;
  });
  return bytes;
}

std::string buildIdOfFile(Elf* elf) {
  const void* bytes = nullptr;
  const ssize_t size = dwelf_elf_gnu_build_id(elf, &bytes);
  if (size <= 0 || !bytes) return {};
  const std::span id(static_cast<const unsigned char*>(bytes), static_cast<std::size_t>(size));
  return fmt::format("{:02x}", fmt::join(id, ""));
}

}  // namespace

struct DwarfFile::Impl : ElfOnDisk {
  std::unique_ptr<Dwarf, DwarfEnd> opened = {};  // reads from these
};

std::optional<DwarfFile> DwarfFile::openMatching(const std::filesystem::path& path, const std::string& buildId) {
  auto disk = openElfOnDisk(path);
  if (!disk || buildId.empty() || buildIdOfFile(disk->elf.get()) != buildId || !hasTypesSection(disk->elf.get()))
    return std::nullopt;
  return DwarfFile(std::make_shared<Impl>(Impl{std::move(*disk)}));
}

std::string DwarfFile::linkOf(const std::filesystem::path& path) {
  const auto disk = openElfOnDisk(path);
  if (!disk) return {};
  GElf_Word checksum = 0;
  const char* name = dwelf_elf_gnu_debuglink(disk->elf.get(), &checksum);
  const std::string link = name ? std::string(name) : std::string();
  return link.find('/') == std::string::npos ? link : std::string();
}

Result<Dwarf*> DwarfFile::dwarf() {
  if (m_impl->opened) return m_impl->opened.get();
  if (unpackedBytes(m_impl->elf.get()) > kMostDwarfBytes)
    return failure(ErrorCode::Damaged, "The program's debugging information is larger than that of any program.");
  m_impl->opened.reset(dwarf_begin_elf(m_impl->elf.get(), DWARF_C_READ, nullptr));
  if (!m_impl->opened) return failure(ErrorCode::Damaged, "The program's debugging information is damaged.");
  return m_impl->opened.get();
}

void DwarfFile::forEachSymbol(const std::function<void(std::string_view, std::uint64_t)>& visit) {
  Elf* elf = m_impl->elf.get();
  forEachSection(elf, [&](Elf_Scn* section, const GElf_Shdr& header) {
    Elf_Data* data = header.sh_type == SHT_SYMTAB && header.sh_entsize > 0 ? elf_getdata(section, nullptr) : nullptr;
    const std::size_t count = data ? std::min<std::size_t>(data->d_size / sizeof(Elf64_Sym), kMostSymbols) : 0;
    for (std::size_t i = 0; i < count; ++i) {
      GElf_Sym symbol{};
      if (!gelf_getsym(data, static_cast<int>(i), &symbol) || symbol.st_shndx == SHN_UNDEF) continue;
      if (const char* name = elf_strptr(elf, header.sh_link, symbol.st_name)) visit(name, symbol.st_value);
    }
    return true;
  });
}

}  // namespace heapscape::engine
