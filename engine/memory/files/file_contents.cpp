// SPDX-License-Identifier: MIT
#include "memory/files/file_contents.h"

#include <sys/mman.h>

#include <utility>

#include "memory/files/regular_file.h"
#include "memory/packing/inflate.h"

namespace heapscape::engine {

MappedBytes::MappedBytes(const std::filesystem::path& path) {
  auto opened = openRegularFile(path, {});
  if (!opened) return;
  void* start = ::mmap(nullptr, opened->sizeBytes, PROT_READ, MAP_PRIVATE, opened->file.get(), 0);
  if (start == MAP_FAILED) return;
  m_bytes = {static_cast<const std::byte*>(start), opened->sizeBytes};
  m_file = std::move(opened->file);
  m_watch.emplace(m_file.get());
  m_guard = GuardedMapping(start, m_bytes.size(), m_watch->lostPages());
}

MappedBytes::~MappedBytes() {
  m_guard = GuardedMapping();
  if (!m_bytes.empty()) ::munmap(const_cast<std::byte*>(m_bytes.data()), m_bytes.size());
}

FileContents contentsOf(const std::filesystem::path& path) {
  const auto mapped = std::make_shared<const MappedBytes>(path);
  return {mapped->bytes(), mapped, mapped, 0};
}

FileContents contentsInBundle(const SingleFileProgram& program, const BundledFile* file) {
  Bytes stored;
  if (!file || !trySlice(program.contents.bytes, file->offset, file->packedBytes ? file->packedBytes : file->sizeBytes,
                         stored)) {
    return {};
  }
  if (file->packedBytes == 0) return {stored, program.contents.owner, program.contents.file, file->offset};
  auto unpacked = inflateBytes(stored, static_cast<std::uint32_t>(file->sizeBytes));
  if (!unpacked) return {};
  const Bytes bytes(unpacked.get(), file->sizeBytes);
  return {bytes, std::move(unpacked), nullptr, 0};
}

}  // namespace heapscape::engine
