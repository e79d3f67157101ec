// SPDX-License-Identifier: MIT
#include "memory/elf/elf_image.h"

#include <elf.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "memory/elf/elf_notes.h"

namespace heapscape::engine {

namespace {

constexpr std::size_t kMostProgramHeaders = 256;
constexpr std::uint64_t kMostDynamicEntries = 4096;
constexpr std::uint64_t kMostImageNoteBytes = 64 * 1024;
constexpr std::size_t kMostChainSteps = 100'000;
constexpr std::size_t kMostNameBytes = 4096;
constexpr std::uint32_t kMostSymbols = 1 << 22;

struct GnuHashHeader {
  std::uint32_t buckets = 0;
  std::uint32_t firstSymbol = 0;
  std::uint32_t bloomWords = 0;
  std::uint32_t bloomShift = 0;
};

std::uint32_t gnuHash(std::string_view name) {
  std::uint32_t hash = 5381;
  for (const char letter : name) hash = hash * 33 + static_cast<unsigned char>(letter);
  return hash;
}

bool isFunction(unsigned char info) {
  const unsigned type = ELF64_ST_TYPE(info);
  return type == STT_FUNC || type == STT_GNU_IFUNC;
}

tl::unexpected<Error> damaged(Address base, const char* what) {
  return failure(ErrorCode::Damaged, "The library at " + toString(base) + " in the dump " + what + ".");
}

}  // namespace

Result<ElfImage> ElfImage::at(const AddressSpace& space, Address base) {
  HEAPSCAPE_TRY(const auto header, space.read<Elf64_Ehdr>(base));
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_ident[EI_DATA] != ELFDATA2LSB || header.e_phentsize != sizeof(Elf64_Phdr) || header.e_phnum == 0) {
    return damaged(base, "has no valid ELF header");
  }
  std::vector<Elf64_Phdr> headers(std::min<std::size_t>(header.e_phnum, kMostProgramHeaders));
  for (std::size_t index = 0; index < headers.size(); ++index) {
    HEAPSCAPE_TRY(headers[index], space.read<Elf64_Phdr>(base + header.e_phoff + index * sizeof(Elf64_Phdr)));
  }
  ElfImage image(space, base);
  image.m_bias = base;
  for (const Elf64_Phdr& segment : headers) {
    if (segment.p_type != PT_LOAD) continue;
    if (segment.p_offset == 0) image.m_bias = {base.value - segment.p_vaddr};
    image.m_spanBytes = std::max(image.m_spanBytes, segment.p_vaddr + segment.p_memsz);
  }
  for (const Elf64_Phdr& segment : headers) {
    const Address start = image.m_bias + segment.p_vaddr;
    const AddressRange range{start, start + segment.p_memsz};
    if (segment.p_type == PT_LOAD && (segment.p_flags & PF_W) != 0) image.m_data.push_back(range);
    if (segment.p_type == PT_DYNAMIC) image.m_dynamic = range;
    if (segment.p_type == PT_GNU_EH_FRAME) image.m_unwindTable = range;
    if (segment.p_type == PT_NOTE) image.m_notes.push_back({range, segment.p_align});
  }
  return image;
}

std::string ElfImage::buildId() const {
  for (const NoteRange& notes : m_notes) {
    const Bytes bytes = m_space->prefix(notes.range.start, std::min(notes.range.sizeBytes(), kMostImageNoteBytes));
    std::string buildId = buildIdAmongNotes(bytes, notes.alignment);
    if (!buildId.empty()) return buildId;
  }
  return {};
}

Result<ElfImage::DynamicTables> ElfImage::dynamicTables() const {
  // glibc turns these values into addresses when it loads a library, other loaders leave them as the file has them.
  const auto located = [this](std::uint64_t value) { return value < m_spanBytes ? m_bias + value : Address{value}; };
  DynamicTables tables;
  const std::uint64_t count = std::min(m_dynamic.sizeBytes() / sizeof(Elf64_Dyn), kMostDynamicEntries);
  for (std::uint64_t index = 0; index < count; ++index) {
    HEAPSCAPE_TRY(const auto entry, m_space->read<Elf64_Dyn>(m_dynamic.start + index * sizeof(Elf64_Dyn)));
    if (entry.d_tag == DT_NULL) break;
    if (entry.d_tag == DT_GNU_HASH) tables.hash = located(entry.d_un.d_ptr);
    if (entry.d_tag == DT_SYMTAB) tables.symbols = located(entry.d_un.d_ptr);
    if (entry.d_tag == DT_STRTAB) tables.strings = located(entry.d_un.d_ptr);
  }
  if (tables.hash && tables.symbols && tables.strings) return tables;
  return damaged(m_base, "has no table of exported names");
}

bool ElfImage::hasName(const DynamicTables& tables, std::uint32_t nameOffset, std::string_view name) const {
  std::array<char, kMostNameBytes> text;
  const std::span withZero(text.data(), name.size() + 1);
  if (!m_space->tryRead(tables.strings + nameOffset, std::as_writable_bytes(withZero))) return false;
  return std::string_view(text.data(), name.size()) == name && text[name.size()] == '\0';
}

Result<DynamicSymbol> ElfImage::findSymbol(std::string_view name) const {
  const auto notFound = [&] {
    return failure(ErrorCode::NotFound,
                   "The library at " + toString(m_base) + " does not export " + std::string(name) + ".");
  };
  if (name.empty() || name.size() >= kMostNameBytes) return notFound();
  HEAPSCAPE_TRY(const DynamicTables tables, dynamicTables());
  HEAPSCAPE_TRY(const auto header, m_space->read<GnuHashHeader>(tables.hash));
  if (header.buckets == 0) return notFound();

  const std::uint32_t hash = gnuHash(name);
  const Address buckets = tables.hash + sizeof header + std::uint64_t{header.bloomWords} * 8;
  const Address chains = buckets + std::uint64_t{header.buckets} * 4;
  HEAPSCAPE_TRY(std::uint32_t symbolIndex, m_space->read<std::uint32_t>(buckets + (hash % header.buckets) * 4ull));
  if (symbolIndex < header.firstSymbol) return notFound();
  for (std::size_t step = 0; step < kMostChainSteps; ++step, ++symbolIndex) {
    const Address link = chains + std::uint64_t{symbolIndex - header.firstSymbol} * 4;
    HEAPSCAPE_TRY(const auto linkHash, m_space->read<std::uint32_t>(link));
    if ((linkHash | 1) == (hash | 1)) {
      const Address entry = tables.symbols + std::uint64_t{symbolIndex} * sizeof(Elf64_Sym);
      HEAPSCAPE_TRY(const auto symbol, m_space->read<Elf64_Sym>(entry));
      if (symbol.st_shndx != SHN_UNDEF && hasName(tables, symbol.st_name, name)) {
        return DynamicSymbol{m_bias + symbol.st_value, symbol.st_size, entry};
      }
    }
    if (linkHash & 1) return notFound();
  }
  return damaged(m_base, "has a table of exported names without an end");
}

/// The table of symbols has no length of its own: it ends with the longest chain.
Result<std::uint32_t> ElfImage::symbolCount(Address hash) const {
  HEAPSCAPE_TRY(const auto header, m_space->read<GnuHashHeader>(hash));
  if (header.buckets > kMostSymbols) return damaged(m_base, "has more exported names than any library");
  const Address buckets = hash + sizeof header + std::uint64_t{header.bloomWords} * 8;
  const Address chains = buckets + std::uint64_t{header.buckets} * 4;
  std::uint32_t last = 0;
  for (std::uint32_t bucket = 0; bucket < header.buckets; ++bucket) {
    HEAPSCAPE_TRY(const auto first, m_space->read<std::uint32_t>(buckets + bucket * 4ull));
    last = std::max(last, first);
  }
  if (last < header.firstSymbol) return std::uint32_t{0};
  for (; last < kMostSymbols; ++last) {
    HEAPSCAPE_TRY(const auto link, m_space->read<std::uint32_t>(chains + std::uint64_t{last - header.firstSymbol} * 4));
    if (link & 1) return last + 1;
  }
  return damaged(m_base, "has a table of exported names without an end");
}

Result<std::vector<ExportedFunction>> ElfImage::exportedFunctions() const {
  HEAPSCAPE_TRY(const DynamicTables tables, dynamicTables());
  HEAPSCAPE_TRY(const std::uint32_t count, symbolCount(tables.hash));
  std::vector<ExportedFunction> functions;
  for (std::uint32_t index = 1; index < count; ++index) {
    Elf64_Sym symbol{};
    if (!m_space->tryRead(tables.symbols + std::uint64_t{index} * sizeof symbol, symbol)) continue;
    if (symbol.st_shndx == SHN_UNDEF || !isFunction(symbol.st_info)) continue;
    functions.push_back({m_bias + symbol.st_value, symbol.st_size, symbol.st_name});
  }
  return functions;
}

Result<std::string> ElfImage::nameAt(std::uint32_t nameOffset) const {
  HEAPSCAPE_TRY(const DynamicTables tables, dynamicTables());
  return m_space->readText(tables.strings + nameOffset, kMostNameBytes);
}

}  // namespace heapscape::engine
