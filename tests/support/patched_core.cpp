// SPDX-License-Identifier: MIT
#include "support/patched_core.h"
#include "support/dump_path.h"

#include <elf.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <stdexcept>

#include "base/bounded_reader.h"
#include "support/opened_core.h"
#include "support/truth.h"

namespace heapscape::test {
namespace {

using namespace engine;

constexpr std::size_t kBlock = 1 << 16;
constexpr Address kDiagnosticPage{0x00007ffffff10000};  // added to every dump by createdump

void check(bool worked, const std::string& what) {
  if (!worked) throw std::runtime_error("cannot " + what);
}

}  // namespace

PatchedCore::PatchedCore(const std::string& dump)
    : m_path(m_folder / (std::filesystem::path(dump).filename().string() + ".core")) {
  const auto file = openDump(dumpPath(dump));
  auto core = parseElfCore(file->bytes());
  check(core.has_value(), "parse " + dump);
  m_core = std::move(*core);
  m_descriptor = ::open(m_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  check(m_descriptor >= 0, "make " + m_path.string());
  check(::ftruncate(m_descriptor, static_cast<off_t>(file->bytes().size())) == 0, "grow " + m_path.string());
  // Pages of zeros stay holes of the file, which saves most of its size on disk.
  for (std::size_t at = 0; at < file->bytes().size(); at += kBlock) {
    const Bytes block = file->bytes().subspan(at, std::min(kBlock, file->bytes().size() - at));
    if (areZero(block)) continue;
    check(::pwrite(m_descriptor, block.data(), block.size(), static_cast<off_t>(at)) ==
              static_cast<ssize_t>(block.size()),
          "write " + m_path.string());
  }
}

PatchedCore::~PatchedCore() {
  if (m_descriptor >= 0) ::close(m_descriptor);
}

std::uint64_t PatchedCore::fileOffset(Address address) const {
  for (const LoadSegment& load : m_core.loads) {
    if (load.range.contains(address) && address - load.range.start < load.fileBytes) {
      return load.fileOffset + (address - load.range.start);
    }
  }
  throw std::runtime_error("not in the dump: " + toString(address));
}

std::vector<std::byte> PatchedCore::readAt(std::uint64_t fileOffset, std::size_t size) const {
  std::vector<std::byte> bytes(size);
  check(::pread(m_descriptor, bytes.data(), size, static_cast<off_t>(fileOffset)) == static_cast<ssize_t>(size),
        "read " + m_path.string());
  return bytes;
}

void PatchedCore::writeAt(std::uint64_t fileOffset, std::span<const std::byte> bytes) {
  m_changes.push_back({fileOffset, readAt(fileOffset, bytes.size())});
  check(::pwrite(m_descriptor, bytes.data(), bytes.size(), static_cast<off_t>(fileOffset)) ==
            static_cast<ssize_t>(bytes.size()),
        "write " + m_path.string());
}

void PatchedCore::restore() {
  check(::ftruncate(m_descriptor, static_cast<off_t>(sizeBytes())) == 0, "grow " + m_path.string());
  for (; !m_changes.empty(); m_changes.pop_back()) {
    const Change& change = m_changes.back();
    check(::pwrite(m_descriptor, change.before.data(), change.before.size(), static_cast<off_t>(change.fileOffset)) ==
              static_cast<ssize_t>(change.before.size()),
          "restore " + m_path.string());
  }
}

void PatchedCore::cut(std::uint64_t sizeBytes) {
  // Holes need not be kept; where there is no data up to the end, there is no next place of it either.
  off_t at = ::lseek(m_descriptor, static_cast<off_t>(sizeBytes), SEEK_DATA);
  while (at >= 0) {
    const off_t end = ::lseek(m_descriptor, at, SEEK_HOLE);
    check(end > at, "read " + m_path.string());
    const auto offset = static_cast<std::uint64_t>(at);
    m_changes.push_back({offset, readAt(offset, static_cast<std::size_t>(end - at))});
    at = ::lseek(m_descriptor, end, SEEK_DATA);
  }
  check(::ftruncate(m_descriptor, static_cast<off_t>(sizeBytes)) == 0, "cut " + m_path.string());
}

void PatchedCore::makeHole(AddressRange range) {
  Elf64_Ehdr header{};
  const auto headerBytes = readAt(0, sizeof header);
  std::memcpy(&header, headerBytes.data(), sizeof header);
  std::optional<std::uint64_t> spare;
  std::optional<std::uint64_t> around;
  Elf64_Phdr before{};
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    const std::uint64_t at = header.e_phoff + std::uint64_t{i} * header.e_phentsize;
    Elf64_Phdr segment{};
    const auto bytes = readAt(at, sizeof segment);
    std::memcpy(&segment, bytes.data(), sizeof segment);
    if (segment.p_type != PT_LOAD) continue;
    if (segment.p_vaddr == kDiagnosticPage.value) spare = at;
    if (segment.p_vaddr <= range.start.value && range.end.value <= segment.p_vaddr + segment.p_filesz) {
      around = at;
      before = segment;
    }
  }
  check(spare && around, "make a hole in " + m_path.string());
  Elf64_Phdr behind = before;
  const std::uint64_t shift = range.end.value - before.p_vaddr;
  behind.p_vaddr += shift;
  behind.p_offset += shift;
  behind.p_filesz -= shift;
  behind.p_memsz -= shift;
  before.p_filesz = before.p_memsz = range.start.value - before.p_vaddr;
  writeAt(*around, std::as_bytes(std::span(&before, 1)));
  writeAt(*spare, std::as_bytes(std::span(&behind, 1)));
}

}  // namespace heapscape::test
