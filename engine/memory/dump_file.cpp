// SPDX-License-Identifier: MIT
#include "memory/dump_file.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <array>
#include <cerrno>
#include <utility>

#include "memory/decompressor.h"
#include "memory/regular_file.h"

namespace heapscape::engine {

namespace {

const RegularFileHelp kDumpHelp{
    .notAFile = "Name a core dump file of a .NET process.",
    .notReadable = "Dumps often belong to root: change the owner or the permissions of the file, or of its folder.",
    .empty = "The dump was probably not written: check the room on that disk and make it again."};

Result<Bytes> mapWhole(const FileDescriptor& file, std::uint64_t sizeBytes, const std::filesystem::path& path) {
  void* start = ::mmap(nullptr, sizeBytes, PROT_READ, MAP_SHARED, file.get(), 0);
  if (start == MAP_FAILED) {
    return failure(ErrorCode::FileUnreadable,
                   fmt::format("{} cannot be mapped into memory: {}.", path.string(), systemMessage(errno)),
                   "Copy it to a local disk and open it there.");
  }
  return Bytes(static_cast<const std::byte*>(start), sizeBytes);
}

bool beginsAsZstandard(const FileDescriptor& file) {
  std::array<std::byte, 4> beginning{};
  const ssize_t got = ::pread(file.get(), beginning.data(), beginning.size(), 0);
  return got > 0 && isZstandard(Bytes(beginning).first(static_cast<std::size_t>(got)));
}

}  // namespace

Outcome<std::shared_ptr<const DumpFile>> DumpFile::open(const std::filesystem::path& path, StageProgress& progress,
                                                        std::stop_token stop) {
  if (stop.stop_requested()) return tl::unexpected<Unfinished>(Unfinished::cancelled());
  HEAPSCAPE_TRY(RegularFile source, openRegularFile(path, kDumpHelp));
  std::shared_ptr<DumpFile> dump(new DumpFile);
  dump->m_path = path;
  dump->m_compressed = beginsAsZstandard(source.file);
  if (dump->m_compressed) {
    HEAPSCAPE_TRY(DecompressedFile plain,
                  decompressZstandard(source.file.get(), source.sizeBytes, path, progress, stop));
    source = {std::move(plain.file), plain.bytes};
    dump->m_damage = std::move(plain.damage);
  }
  HEAPSCAPE_TRY(dump->m_bytes, mapWhole(source.file, source.sizeBytes, path));
  dump->m_descriptor = source.file.release();
  progress.report(1);
  return dump;
}

DumpFile::~DumpFile() {
  if (!m_bytes.empty()) ::munmap(const_cast<std::byte*>(m_bytes.data()), m_bytes.size());
  if (m_descriptor >= 0) ::close(m_descriptor);
}

}  // namespace heapscape::engine
