// SPDX-License-Identifier: MIT
#include "memory/elf/elf_core.h"

#include <elf.h>
#include <fmt/format.h>
#include <gelf.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <limits>
#include <span>
#include <string_view>

#include "base/figures.h"
#include "base/limits.h"
#include "memory/elf/elf_notes.h"
#include "memory/files/file_kind.h"

namespace heapscape::engine {
namespace {

// So many segments in their order make one out of it a damaged one, rather than the habit of who wrote the file.
constexpr std::size_t kOrderedForEachOther = 8;

void tell(FindingList& findings, const GElf_Phdr& header, std::string what) {
  findings.add(FindingKind::MemoryMissing, {header.p_vaddr}, "The dump's list of segments is damaged: " + what);
}

// A core dump has memory and notes, nothing else.
void checkKinds(std::span<const GElf_Phdr> headers, FindingList& findings) {
  const auto found = std::ranges::find_if(headers, [](const GElf_Phdr& header) {
    return header.p_type != PT_LOAD && header.p_type != PT_NOTE && header.p_filesz > 0;
  });
  if (found == headers.end()) return;
  tell(findings, *found, fmt::format("one of {} is neither memory nor notes.", sizeText(found->p_filesz)));
}

void checkSizes(std::span<const GElf_Phdr> loads, FindingList& findings) {
  const auto found = std::ranges::find_if(loads, [](const GElf_Phdr& load) { return load.p_filesz > load.p_memsz; });
  if (found == loads.end()) return;
  tell(findings, *found,
       fmt::format("one of {} has {} in the file.", sizeText(found->p_memsz), sizeText(found->p_filesz)));
}

void checkAlignment(std::span<const GElf_Phdr> loads, FindingList& findings) {
  const auto found = std::ranges::find_if(loads, [](const GElf_Phdr& load) {
    return load.p_filesz > 0 && load.p_align > 1 && load.p_vaddr % load.p_align != load.p_offset % load.p_align;
  });
  if (found != loads.end()) tell(findings, *found, "one is aligned otherwise in memory than in the file.");
}

void checkOrder(std::span<const GElf_Phdr> loads, FindingList& findings) {
  const auto isMisplaced = [](const GElf_Phdr& one, const GElf_Phdr& next) { return next.p_vaddr < one.p_vaddr; };
  const auto first = std::ranges::adjacent_find(loads, isMisplaced);
  if (first == loads.end()) return;
  std::size_t misplaced = 0;
  for (auto at = first; at != loads.end(); at = std::adjacent_find(at + 1, loads.end(), isMisplaced)) ++misplaced;
  if (misplaced * kOrderedForEachOther < loads.size())
    tell(findings, *first, "one is not in the order of addresses, as the others are.");
}

// `loads` with bytes, in the order of the file.
void checkPlaces(const std::vector<GElf_Phdr>& loads, FindingList& findings) {
  const auto sharing = std::ranges::adjacent_find(
      loads, [](const GElf_Phdr& one, const GElf_Phdr& next) { return next.p_offset - one.p_offset < one.p_filesz; });
  if (sharing != loads.end()) tell(findings, *sharing, "two have the same bytes of the file.");
  const auto between = [](const GElf_Phdr& one, const GElf_Phdr& next) {
    const std::uint64_t distance = next.p_offset - one.p_offset;
    return distance - std::min(distance, one.p_filesz);
  };
  const auto apart = std::ranges::adjacent_find(
      loads, [&](const GElf_Phdr& one, const GElf_Phdr& next) { return between(one, next) >= kPageBytes; });
  if (apart == loads.end()) return;
  tell(findings, *apart,
       fmt::format("{} of the file, between two of them, belong to none.",
                   sizeText(between(*apart, *std::next(apart)))));
}

/// Adds a finding for each way in which the program headers of a core file contradict each other, or what all who write
/// such files do: segments in the order of their addresses, each with bytes of its own, one after the other. They are
/// believed all the same: nothing tells which of them is wrong. `headers` in the order of the file.
void checkSegments(std::span<const GElf_Phdr> headers, FindingList& findings) {
  std::vector<GElf_Phdr> loads;
  std::ranges::copy_if(headers, std::back_inserter(loads),
                       [](const GElf_Phdr& header) { return header.p_type == PT_LOAD; });
  checkKinds(headers, findings);
  checkSizes(loads, findings);
  checkAlignment(loads, findings);
  checkOrder(loads, findings);
  std::erase_if(loads, [](const GElf_Phdr& load) { return load.p_filesz == 0; });
  std::ranges::stable_sort(loads, {}, &GElf_Phdr::p_offset);
  checkPlaces(loads, findings);
}

constexpr std::string_view kMagic{ELFMAG, SELFMAG};
constexpr std::uint64_t kMostNoteBytes = 1ull << 30;
constexpr std::size_t kMostNoteSegments = 64;
constexpr std::uint64_t kBeyondAddresses = 0xffff'0000'0000'0000;  // of user space on arm64, which has 48 bits
constexpr std::uint64_t kMostAddress = std::numeric_limits<std::uint64_t>::max();

std::uint64_t addSaturating(std::uint64_t left, std::uint64_t right) {
  return left > kMostAddress - right ? kMostAddress : left + right;
}

tl::unexpected<Error> headerCut(std::uint64_t fileBytes) {
  return failure(ErrorCode::Truncated,
                 fmt::format("The file ends after {}, inside the header of an ELF file.", sizeText(fileBytes)),
                 "Copy the dump again, or make it again with enough room on the disk.");
}

tl::unexpected<Error> notADump(std::string_view what) {
  return failure(ErrorCode::NotACoreDump, fmt::format("The file is {}, not a core dump.", what), kWhichDumpsHelp);
}

tl::unexpected<Error> headerDamaged(std::string_view what) {
  return failure(ErrorCode::NotACoreDump,
                 fmt::format("The file begins as an ELF file, but its header is damaged: {}.", what),
                 "Copy the dump again.");
}

/// Fails unless the file begins as some ELF file whose header is all there.
Result<void> checkMagic(Bytes file) {
  const std::string_view beginning(reinterpret_cast<const char*>(file.data()), std::min(file.size(), kMagic.size()));
  if (file.empty() || !kMagic.starts_with(beginning)) return tl::unexpected<Error>(describeForeignFile(file));
  if (file.size() < sizeof(Elf64_Ehdr)) return headerCut(file.size());
  return {};
}

Result<void> checkFileType(std::uint16_t type) {
  switch (type) {
    case ET_CORE:
      return {};
    case ET_EXEC:
      return notADump("a program (ELF executable)");
    case ET_DYN:
      return notADump("a program or a shared library (ELF)");
    case ET_REL:
      return notADump("an object file of a compiler (ELF relocatable)");
    default:
      return headerDamaged(fmt::format("there is no file type {}", type));
  }
}

Result<void> checkProcessKind(const GElf_Ehdr& header) {
  const bool is64Bit = header.e_ident[EI_CLASS] == ELFCLASS64;
  const bool isBigEndian = header.e_ident[EI_DATA] == ELFDATA2MSB;
  if (is64Bit && !isBigEndian && architectureOf(header.e_machine)) {
    if (header.e_phentsize == sizeof(Elf64_Phdr)) return {};
    return headerDamaged("its program headers have a wrong size");
  }
  return failure(ErrorCode::NotACoreDump,
                 fmt::format("The file is a core dump of a {}-bit{} process of the {} architecture.", is64Bit ? 64 : 32,
                             isBigEndian ? " big-endian" : "", machineName(header.e_machine, is64Bit, isBigEndian)),
                 "Only dumps of 64-bit x86 (x64) and arm64 processes can be read.");
}

/// libelf makes an entry for each section before it looks at any, so the number must be sane before it sees the file.
Result<void> checkSectionCount(Bytes file) {
  Elf64_Ehdr header{};
  Elf64_Shdr first{};
  if (!tryReadAt(file, 0, header) || header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_shnum != 0) return {};
  if (header.e_shoff == 0 || !tryReadAt(file, header.e_shoff, first)) return {};
  if (first.sh_size <= kLimits.programHeaders) return {};
  return headerDamaged(fmt::format("it says that there are {} sections", first.sh_size));
}

/// The program headers of a core file, as far as they are in the file.
class HeaderTable {
 public:
  HeaderTable(Elf* elf, Bytes file, const GElf_Ehdr& header) : m_elf(elf), m_file(file), m_header(header) {}

  Result<void> read() {
    m_promised = m_header.e_phnum;
    Elf64_Shdr first{};
    if (m_promised == PN_XNUM && m_header.e_shoff != 0) {
      if (tryReadAt(m_file, m_header.e_shoff, first)) {
        m_promised = first.sh_info;
      } else {
        return readUncounted();
      }
    }
    if (m_promised > kLimits.programHeaders)
      return headerDamaged(fmt::format("it says that there are {} segments", m_promised));
    std::size_t count = 0;
    if (elf_getphdrnum(m_elf, &count) != 0) count = 0;
    count = std::min(count, m_promised);
    m_headers.resize(count);
    for (std::size_t index = 0; index < count; ++index) {
      if (!gelf_getphdr(m_elf, static_cast<int>(index), &m_headers[index])) {
        m_headers.resize(index);
        break;
      }
    }
    m_cut = m_headers.size() < m_promised;
    return {};
  }

  const std::vector<GElf_Phdr>& headers() const { return m_headers; }
  std::size_t promised() const { return m_promised; }
  /// The file ends before what tells how many segments there are, or before the last of their headers.
  bool isCut() const { return m_cut; }

 private:
  /// The kernel writes the count behind all memory, so a cut file has lost it; but the table ends where the first
  /// segment's bytes begin.
  Result<void> readUncounted() {
    m_cut = true;
    std::uint64_t tableEnd = m_file.size();
    for (std::uint64_t offset = m_header.e_phoff; offset < tableEnd; offset += sizeof(Elf64_Phdr)) {
      GElf_Phdr header{};
      if (offset + sizeof header > tableEnd || !tryReadAt(m_file, offset, header)) break;
      if (m_headers.size() >= kLimits.programHeaders) return headerDamaged("it has no end of its segments");
      m_headers.push_back(header);
      if (header.p_filesz > 0 && header.p_offset > m_header.e_phoff) tableEnd = std::min(tableEnd, header.p_offset);
    }
    m_promised = m_headers.size();
    return {};
  }

  Elf* m_elf;
  Bytes m_file;
  GElf_Ehdr m_header;
  std::vector<GElf_Phdr> m_headers;
  std::size_t m_promised = 0;
  bool m_cut = false;
};

/// Turns program headers into what the core holds.
class CoreAssembler {
 public:
  CoreAssembler(Elf* elf, Bytes file, Architecture architecture) : m_elf(elf), m_file(file) {
    m_core.fileBytes = file.size();
    m_core.architecture = architecture;
    if (architecture == Architecture::Arm64) m_core.signatureBits = kBeyondAddresses;
  }

  Result<ElfCore> build(const HeaderTable& table) {
    for (const GElf_Phdr& header : table.headers()) {
      if (header.p_type == PT_LOAD) addLoad(header);
      if (header.p_type == PT_NOTE) addNotes(header);
    }
    HEAPSCAPE_CHECK(checkNotHopeless(table));
    checkSegments(table.headers(), m_core.findings);
    dropOverlaps();
    std::ranges::stable_sort(m_core.files, {}, [](const MappedFile& file) { return file.range.start; });
    checkMappedFiles();
    if (m_core.pid == 0 && !m_core.threads.empty()) m_core.pid = m_core.threads.front().osId;
    addTruncation(table);
    return std::move(m_core);
  }

 private:
  void addLoad(const GElf_Phdr& header) {
    if (header.p_memsz == 0) return;
    if (header.p_vaddr > kMostAddress - header.p_memsz) {
      m_core.findings.add(FindingKind::MemoryMissing, {header.p_vaddr},
                          "A segment of the dump ends behind the last address; it is left out.");
      return;
    }
    LoadSegment load;
    load.range = {{header.p_vaddr}, {header.p_vaddr + header.p_memsz}};
    load.fileOffset = header.p_offset;
    load.flags = header.p_flags;
    load.mappingStart = {header.p_paddr};
    const std::uint64_t promised = std::min(header.p_filesz, header.p_memsz);
    load.fileBytes = bytesInFile(header.p_offset, promised);
    if (load.fileBytes < promised) {
      ++m_cutLoads;
      m_firstMissing = std::min(m_firstMissing, load.range.start + load.fileBytes);
    }
    m_heldBytes += load.fileBytes;
    m_core.loads.push_back(load);
  }

  void addNotes(const GElf_Phdr& header) {
    NoteSegment segment{header.p_offset, bytesInFile(header.p_offset, header.p_filesz), header.p_align};
    segment.fileBytes = std::min(segment.fileBytes, kMostNoteBytes - m_noteBytes);
    if (segment.fileBytes == 0 || ++m_noteSegments > kMostNoteSegments) return;
    m_noteBytes += segment.fileBytes;
    const bool isWhole = readCoreNotes(m_elf, segment, m_core);
    if (!isWhole) m_core.areNotesWhole = false;
    if (!isWhole && segment.fileBytes == header.p_filesz) {
      m_core.findings.add(
          FindingKind::MemoryMissing, {},
          "The notes of the dump are damaged: threads, signals or mapped files that they list may be missing.");
    }
  }

  // No two files are mapped at one address. What is listed is believed all the same: nothing tells which is wrong.
  void checkMappedFiles() {
    const auto overlapping = std::ranges::adjacent_find(
        m_core.files, [](const MappedFile& one, const MappedFile& next) { return next.range.start < one.range.end; });
    if (overlapping == m_core.files.end()) return;
    m_core.findings.add(FindingKind::MemoryMissing, overlapping->range.start,
                        "The dump's list of mapped files is damaged: two of them lie at the same address.");
  }

  /// How many of the promised bytes are really in the file; the others are summed up.
  std::uint64_t bytesInFile(std::uint64_t offset, std::uint64_t promised) {
    const std::uint64_t available = offset < m_file.size() ? m_file.size() - offset : 0;
    if (promised <= available) return promised;
    m_core.missingFileBytes = addSaturating(m_core.missingFileBytes, promised - available);
    m_promisedFileBytes = std::max(m_promisedFileBytes, addSaturating(offset, promised));
    return available;
  }

  Result<void> checkNotHopeless(const HeaderTable& table) const {
    if (m_heldBytes > 0) return {};
    if (table.isCut() || m_core.missingFileBytes > 0) {
      return failure(
          ErrorCode::Truncated,
          fmt::format("The core dump ends after {}, before any memory of the process.", sizeText(m_file.size())),
          "Copy it again, or make it again with enough room on the disk.");
    }
    return failure(ErrorCode::NotACoreDump, "The core dump holds no memory of the process at all.",
                   "Make it again, with the heap: for example dotnet-dump collect --type Heap.");
  }

  void dropOverlaps() {
    std::ranges::stable_sort(m_core.loads, {}, [](const LoadSegment& load) { return load.range.start; });
    Address end{0};
    std::erase_if(m_core.loads, [&](const LoadSegment& load) {
      if (load.range.start >= end) {
        end = load.range.end;
        return false;
      }
      m_core.findings.add(
          FindingKind::MemoryMissing, load.range.start,
          fmt::format("Two segments of the dump hold the same addresses; the one of {} at {} is left out.",
                      sizeText(load.range.sizeBytes()), toString(load.range.start)));
      return true;
    });
  }

  void addTruncation(const HeaderTable& table) {
    if (m_core.missingFileBytes > 0) {
      std::string where = m_cutLoads == 0 ? "in its notes"
                                          : fmt::format("in {} of {} segments, the first at {}", m_cutLoads,
                                                        m_core.loads.size(), toString(m_firstMissing));
      m_core.findings.add(
          FindingKind::DumpTruncated, m_cutLoads == 0 ? Address{} : m_firstMissing,
          fmt::format("The dump is cut: it ends at {} bytes, but its headers promise {}; {} are missing, {}.",
                      m_file.size(), m_promisedFileBytes, sizeText(m_core.missingFileBytes), where));
    } else if (table.isCut()) {
      m_core.findings.add(
          FindingKind::DumpTruncated, {},
          fmt::format("The dump is cut: the headers of {} segments are there, but not all that it promises.",
                      table.headers().size()));
    }
  }

  Elf* m_elf;
  Bytes m_file;
  ElfCore m_core;
  std::uint64_t m_heldBytes = 0;
  std::uint64_t m_promisedFileBytes = 0;
  std::uint64_t m_noteBytes = 0;
  std::size_t m_noteSegments = 0;
  std::size_t m_cutLoads = 0;
  Address m_firstMissing{kMostAddress};
};

}  // namespace

Result<ElfCore> parseElfCore(Bytes file) {
  HEAPSCAPE_CHECK(checkMagic(file));
  HEAPSCAPE_CHECK(checkSectionCount(file));
  elf_version(EV_CURRENT);
  // libelf takes a pointer to non-const, but does not write through it when it only reads.
  const ElfHandle elf(elf_memory(reinterpret_cast<char*>(const_cast<std::byte*>(file.data())), file.size()));
  GElf_Ehdr header{};
  if (!elf || elf_kind(elf.get()) != ELF_K_ELF || !gelf_getehdr(elf.get(), &header)) {
    return headerDamaged("its class, byte order or version is unknown");
  }
  HEAPSCAPE_CHECK(checkFileType(header.e_type));
  HEAPSCAPE_CHECK(checkProcessKind(header));
  HeaderTable table(elf.get(), file, header);
  HEAPSCAPE_CHECK(table.read());
  return CoreAssembler(elf.get(), file, *architectureOf(header.e_machine)).build(table);
}

std::uint64_t ElfCore::pageBytes() const {
  constexpr std::uint64_t kLargestPage = 64 << 10;
  const auto entry = std::ranges::find(auxiliaryVector, std::uint64_t{AT_PAGESZ}, &AuxiliaryEntry::type);
  const bool isSane = entry != auxiliaryVector.end() && std::has_single_bit(entry->value) &&
                      entry->value >= kPageBytes && entry->value <= kLargestPage;
  return isSane ? entry->value : kPageBytes;
}

}  // namespace heapscape::engine
