// SPDX-License-Identifier: MIT
#include "support/library_core.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>

namespace heapscape::test {
namespace {

constexpr std::uint64_t kPage = 4096;

FileBytes slice(const FileBytes& bytes, std::uint64_t start, std::uint64_t end) {
  FileBytes part(end - start);
  const auto available = std::min<std::uint64_t>(end, bytes.size());
  if (start < available)
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(start), available - start, part.begin());
  return part;
}

std::vector<Elf64_Phdr> segmentsOf(const FileBytes& library) {
  Elf64_Ehdr header{};
  std::memcpy(&header, library.data(), sizeof header);
  std::vector<Elf64_Phdr> segments(header.e_phnum);
  std::memcpy(segments.data(), library.data() + header.e_phoff, segments.size() * sizeof(Elf64_Phdr));
  return segments;
}

}  // namespace

FileBytes contentsOf(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  return bytesOfText(text);
}

std::uint64_t endOfNotes(const FileBytes& library) {
  std::uint64_t end = 0;
  for (const Elf64_Phdr& segment : segmentsOf(library)) {
    if (segment.p_type == PT_NOTE) end = std::max(end, segment.p_offset + segment.p_filesz);
  }
  return end;
}

CoreBuilder kernelCoreOf(const FileBytes& library, std::uint64_t base, const std::string& recordedPath,
                         std::uint64_t firstBytes) {
  CoreBuilder builder;
  builder.dataAlignment(16).memory(base, slice(library, 0, firstBytes));
  for (const Elf64_Phdr& segment : segmentsOf(library)) {
    if (segment.p_type != PT_LOAD) continue;
    const std::uint64_t before = segment.p_vaddr % kPage;
    const std::uint64_t start = base + segment.p_vaddr - before;
    const std::uint64_t size = (before + segment.p_filesz + kPage - 1) / kPage * kPage;
    const std::uint64_t offset = segment.p_offset - before;
    builder.mappedFile({{start}, {start + size}}, offset, recordedPath);
    if ((segment.p_flags & PF_W) != 0) builder.memory(start, slice(library, offset, offset + size));
  }
  return builder;
}

}  // namespace heapscape::test
