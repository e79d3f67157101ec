// SPDX-License-Identifier: MIT
#pragma once

#include <elf.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/address.h"
#include "base/bounded_reader.h"

namespace heapscape::test {

using FileBytes = std::vector<std::byte>;

/// Bytes that differ from their neighbours and, for another seed, from the same place of another pattern.
FileBytes pattern(std::size_t sizeBytes, unsigned seed = 1);

/// The bytes of a text, without a zero at the end.
FileBytes bytesOfText(std::string_view text);

void writeFile(const std::filesystem::path& path, engine::Bytes bytes);

/// Puts the header of a library for x86-64 with these program headers at the start of its image.
void putLibraryHeaders(FileBytes& image, const std::vector<Elf64_Phdr>& segments);

/// Writes small core files as the kernel does: header, program headers, notes, memory and, if there are too many
/// segments for the header, a section header at the end. What the caller asks for is not checked, so it may be wrong.
class CoreBuilder {
 public:
  /// A segment with its bytes. `memoryBytes` above the size of `contents` leaves the rest out of the file; 0 means all.
  CoreBuilder& memory(std::uint64_t address, FileBytes contents, std::uint64_t memoryBytes = 0);
  /// A segment none of whose bytes are in the file.
  CoreBuilder& leftOut(std::uint64_t address, std::uint64_t memoryBytes) { return memory(address, {}, memoryBytes); }
  /// A program header as it is, in front of the others.
  CoreBuilder& rawSegment(const Elf64_Phdr& segment);
  CoreBuilder& mappedFile(engine::AddressRange range, std::uint64_t fileOffset, std::string path);
  CoreBuilder& thread(std::uint32_t osId, std::uint64_t stackPointer, std::uint64_t instructionPointer);
  CoreBuilder& process(std::uint32_t pid, std::string_view fileName, std::string_view arguments);
  CoreBuilder& auxiliary(std::uint64_t type, std::uint64_t value);
  CoreBuilder& note(std::string_view owner, std::uint32_t type, const FileBytes& description);
  /// Called last with the finished header.
  CoreBuilder& header(std::function<void(Elf64_Ehdr&)> change);
  /// Where memory may begin in the file; createdump and the kernel use whole pages, gcore does not.
  CoreBuilder& dataAlignment(std::uint64_t bytes);
  /// Writes the number of segments as for more than 65,534 of them.
  CoreBuilder& withExtendedCount();

  FileBytes build() const;
  void write(const std::filesystem::path& path) const { writeFile(path, build()); }

 private:
  struct Segment {
    std::uint64_t address = 0;
    FileBytes contents;
    std::uint64_t memoryBytes = 0;
  };
  struct File {
    engine::AddressRange range;
    std::uint64_t fileOffset = 0;
    std::string path;
  };

  FileBytes buildNotes() const;
  Elf64_Ehdr buildHeader(std::size_t segmentCount, std::uint64_t sectionOffset) const;

  std::vector<Elf64_Phdr> m_rawSegments;
  std::vector<Segment> m_segments;
  std::vector<File> m_files;
  std::vector<std::uint64_t> m_auxiliary;
  FileBytes m_notes;
  std::function<void(Elf64_Ehdr&)> m_changeHeader;
  std::uint64_t m_dataAlignment = 4096;
  bool m_extendedCount = false;
};

/// The 64 bytes or more that a core dump of another machine begins with, and nothing else.
FileBytes foreignCore(unsigned char elfClass, unsigned char byteOrder, std::uint16_t machine,
                      std::uint16_t type = ET_CORE);

}  // namespace heapscape::test
