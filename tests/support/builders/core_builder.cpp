// SPDX-License-Identifier: MIT
#include "support/builders/core_builder.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <utility>

namespace heapscape::test {

namespace {

constexpr std::size_t kStatusBytes = 336;
constexpr std::size_t kProcessInfoBytes = 136;

void appendBytes(FileBytes& bytes, engine::Bytes more) {
  bytes.insert(bytes.end(), more.begin(), more.end());
}

template <class T>
void append(FileBytes& bytes, const T& value) {
  appendBytes(bytes, std::as_bytes(std::span(&value, 1)));
}

template <class T>
void put(FileBytes& bytes, std::size_t offset, const T& value) {
  std::memcpy(bytes.data() + offset, &value, sizeof value);
}

void padTo(FileBytes& bytes, std::uint64_t alignment) {
  bytes.resize((bytes.size() + alignment - 1) / alignment * alignment);
}

void appendNote(FileBytes& notes, std::string_view owner, std::uint32_t type, const FileBytes& description) {
  append(notes,
         Elf64_Nhdr{static_cast<Elf64_Word>(owner.size() + 1), static_cast<Elf64_Word>(description.size()), type});
  appendBytes(notes, bytesOfText(owner));
  notes.push_back(std::byte{0});
  padTo(notes, 4);
  appendBytes(notes, description);
  padTo(notes, 4);
}

void putIdent(unsigned char* ident, unsigned char elfClass, unsigned char byteOrder) {
  std::memcpy(ident, ELFMAG, SELFMAG);
  ident[EI_CLASS] = elfClass;
  ident[EI_DATA] = byteOrder;
  ident[EI_VERSION] = EV_CURRENT;
}

}  // namespace

FileBytes pattern(std::size_t sizeBytes, unsigned seed) {
  FileBytes bytes(sizeBytes);
  std::uint32_t state = seed * 2654435761u + 1;
  for (std::byte& value : bytes) {
    state = state * 1664525u + 1013904223u;
    value = static_cast<std::byte>(state >> 24);
  }
  return bytes;
}

FileBytes bytesOfText(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
  return {bytes.begin(), bytes.end()};
}

void writeFile(const std::filesystem::path& path, engine::Bytes bytes) {
  std::ofstream stream(path, std::ios::binary | std::ios::trunc);
  stream.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!stream.flush()) throw std::runtime_error("cannot write " + path.string());
}

void putLibraryHeaders(FileBytes& image, const std::vector<Elf64_Phdr>& segments) {
  Elf64_Ehdr header{};
  putIdent(header.e_ident, ELFCLASS64, ELFDATA2LSB);
  header.e_type = ET_DYN;
  header.e_machine = EM_X86_64;
  header.e_phoff = sizeof header;
  header.e_phentsize = sizeof(Elf64_Phdr);
  header.e_phnum = static_cast<std::uint16_t>(segments.size());
  put(image, 0, header);
  for (std::size_t i = 0; i < segments.size(); ++i) put(image, sizeof header + i * sizeof segments[i], segments[i]);
}

CoreBuilder& CoreBuilder::memory(std::uint64_t address, FileBytes contents, std::uint64_t memoryBytes) {
  const std::uint64_t all = memoryBytes ? memoryBytes : contents.size();
  m_segments.push_back({address, std::move(contents), all});
  return *this;
}

CoreBuilder& CoreBuilder::rawSegment(const Elf64_Phdr& segment) {
  m_rawSegments.push_back(segment);
  return *this;
}

CoreBuilder& CoreBuilder::mappedFile(engine::AddressRange range, std::uint64_t fileOffset, std::string path) {
  m_files.push_back({range, fileOffset, std::move(path)});
  return *this;
}

CoreBuilder& CoreBuilder::thread(std::uint32_t osId, std::uint64_t stackPointer, std::uint64_t instructionPointer) {
  FileBytes status(kStatusBytes);
  put(status, 32, osId);
  put(status, 112 + 16 * 8, instructionPointer);
  put(status, 112 + 19 * 8, stackPointer);
  return note("CORE", NT_PRSTATUS, status);
}

CoreBuilder& CoreBuilder::process(std::uint32_t pid, std::string_view fileName, std::string_view arguments) {
  FileBytes info(kProcessInfoBytes);
  put(info, 24, pid);
  std::memcpy(info.data() + 40, fileName.data(), std::min<std::size_t>(fileName.size(), 16));
  std::memcpy(info.data() + 56, arguments.data(), std::min<std::size_t>(arguments.size(), 80));
  return note("CORE", NT_PRPSINFO, info);
}

CoreBuilder& CoreBuilder::auxiliary(std::uint64_t type, std::uint64_t value) {
  m_auxiliary.insert(m_auxiliary.end(), {type, value});
  return *this;
}

CoreBuilder& CoreBuilder::note(std::string_view owner, std::uint32_t type, const FileBytes& description) {
  appendNote(m_notes, owner, type, description);
  return *this;
}

CoreBuilder& CoreBuilder::header(std::function<void(Elf64_Ehdr&)> change) {
  m_changeHeader = std::move(change);
  return *this;
}

CoreBuilder& CoreBuilder::dataAlignment(std::uint64_t bytes) {
  m_dataAlignment = bytes;
  return *this;
}

CoreBuilder& CoreBuilder::withExtendedCount() {
  m_extendedCount = true;
  return *this;
}

FileBytes CoreBuilder::buildNotes() const {
  FileBytes notes = m_notes;
  if (!m_auxiliary.empty()) {
    FileBytes entries;
    for (const std::uint64_t value : m_auxiliary) append(entries, value);
    append(entries, std::array<std::uint64_t, 2>{AT_NULL, 0});
    appendNote(notes, "CORE", NT_AUXV, entries);
  }
  if (!m_files.empty()) {
    constexpr std::uint64_t kPageBytes = 4096;
    FileBytes table;
    append(table, std::array<std::uint64_t, 2>{m_files.size(), kPageBytes});
    for (const File& file : m_files) {
      append(table, std::array{file.range.start.value, file.range.end.value, file.fileOffset / kPageBytes});
    }
    for (const File& file : m_files) {
      appendBytes(table, bytesOfText(file.path));
      table.push_back(std::byte{0});
    }
    appendNote(notes, "CORE", NT_FILE, table);
  }
  return notes;
}

Elf64_Ehdr CoreBuilder::buildHeader(std::size_t segmentCount, std::uint64_t sectionOffset) const {
  Elf64_Ehdr header{};
  putIdent(header.e_ident, ELFCLASS64, ELFDATA2LSB);
  header.e_type = ET_CORE;
  header.e_machine = EM_X86_64;
  header.e_version = EV_CURRENT;
  header.e_phoff = sizeof header;
  header.e_ehsize = sizeof header;
  header.e_phentsize = sizeof(Elf64_Phdr);
  header.e_phnum = static_cast<Elf64_Half>(segmentCount);
  if (sectionOffset != 0) {
    header.e_phnum = PN_XNUM;
    header.e_shoff = sectionOffset;
    header.e_shentsize = sizeof(Elf64_Shdr);
    header.e_shnum = 1;
  }
  if (m_changeHeader) m_changeHeader(header);
  return header;
}

FileBytes CoreBuilder::build() const {
  const FileBytes notes = buildNotes();
  std::vector<Elf64_Phdr> segments;
  const std::size_t count = m_rawSegments.size() + m_segments.size() + (notes.empty() ? 0 : 1);
  FileBytes file(sizeof(Elf64_Ehdr) + count * sizeof(Elf64_Phdr));
  if (!notes.empty()) {
    segments.push_back({PT_NOTE, 0, file.size(), 0, 0, notes.size(), 0, 4});
    appendBytes(file, notes);
  }
  segments.insert(segments.end(), m_rawSegments.begin(), m_rawSegments.end());
  for (const Segment& segment : m_segments) {
    if (!segment.contents.empty()) padTo(file, m_dataAlignment);
    segments.push_back({PT_LOAD, PF_R | PF_W, file.size(), segment.address, 0, segment.contents.size(),
                        segment.memoryBytes, m_dataAlignment});
    appendBytes(file, segment.contents);
  }
  std::uint64_t sectionOffset = 0;
  if (m_extendedCount || count >= PN_XNUM) {
    padTo(file, 8);
    sectionOffset = file.size();
    Elf64_Shdr section{};
    section.sh_size = 1;
    section.sh_info = static_cast<Elf64_Word>(count);
    append(file, section);
  }
  put(file, 0, buildHeader(count, sectionOffset));
  std::memcpy(file.data() + sizeof(Elf64_Ehdr), segments.data(), segments.size() * sizeof(Elf64_Phdr));
  return file;
}

FileBytes foreignCore(unsigned char elfClass, unsigned char byteOrder, std::uint16_t machine, std::uint16_t type) {
  FileBytes file(128);
  putIdent(reinterpret_cast<unsigned char*>(file.data()), elfClass, byteOrder);
  const bool isBigEndian = byteOrder == ELFDATA2MSB;
  const auto inOrder = [&](std::uint16_t value) {
    return isBigEndian ? static_cast<std::uint16_t>(value << 8 | value >> 8) : value;
  };
  put(file, EI_NIDENT, inOrder(type));
  put(file, EI_NIDENT + 2, inOrder(machine));
  put(file, EI_NIDENT + 4, isBigEndian ? std::uint32_t{EV_CURRENT} << 24 : std::uint32_t{EV_CURRENT});
  return file;
}

}  // namespace heapscape::test
