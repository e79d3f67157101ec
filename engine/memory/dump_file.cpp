// SPDX-License-Identifier: MIT
#include "memory/dump_file.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cerrno>
#include <utility>

#include "base/large_array.h"
#include "memory/files/regular_file.h"
#include "memory/packing/unpacked_core.h"

namespace heapscape::engine {

namespace {

const RegularFileHelp kDumpHelp{
    .notAFile = "Name a core dump file of a .NET process.",
    .notReadable = "Dumps often belong to root: change the owner or the permissions of the file, or of its folder.",
    .empty = "The dump was probably not written: check the room on that disk and make it again."};

}  // namespace

Outcome<std::shared_ptr<const DumpFile>> DumpFile::open(const std::filesystem::path& path, StageProgress& progress,
                                                        std::stop_token stop) {
  if (stop.stop_requested()) return tl::unexpected<Unfinished>(Unfinished::cancelled());
  HEAPSCAPE_TRY(const std::optional<InputStream> stream, openInputStream(path));
  const auto unpack = [&]() -> Outcome<UnpackedCore> {
    if (stream) return unpackStream(*stream, progress, std::move(stop));
    HEAPSCAPE_TRY(RegularFile source, openRegularFile(namedInput(path), kDumpHelp));
    return unpackCore(std::move(source), path, progress, std::move(stop));
  };
  HEAPSCAPE_TRY(UnpackedCore core, unpack());
  std::shared_ptr<DumpFile> dump(new DumpFile);
  dump->m_path = path;
  dump->m_isCompressed = core.isDecompressed;
  dump->m_nameInArchive = std::move(core.nameInArchive);
  dump->m_coresInArchive = core.coresInArchive;
  dump->m_damage = std::move(core.damage);
  dump->m_descriptor = std::move(core.file.file);
  dump->m_fileOffset = core.fileOffset;
  dump->m_watch.emplace(dump->m_descriptor.get());
  HEAPSCAPE_CHECK(dump->map(core.sizeBytes));
  progress.report(1);
  return dump;
}

Result<void> DumpFile::map(std::uint64_t sizeBytes) {
  const std::uint64_t inPage = m_fileOffset % hostPageBytes();
  const std::uint64_t size = inPage + sizeBytes;
  void* start = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor(), static_cast<off_t>(m_fileOffset - inPage));
  if (start == MAP_FAILED) {
    return failure(ErrorCode::FileUnreadable,
                   fmt::format("{} cannot be mapped into memory: {}.", m_path.string(), systemMessage(errno)),
                   "Copy it to a local disk and open it there.");
  }
  m_pages = {static_cast<const std::byte*>(start), size};
  m_bytes = m_pages.subspan(inPage);
  m_guard = GuardedMapping(start, size, m_watch->lostPages());
  return {};
}

DumpFile::~DumpFile() {
  m_guard = GuardedMapping();
  if (!m_pages.empty()) ::munmap(const_cast<std::byte*>(m_pages.data()), m_pages.size());
}

}  // namespace heapscape::engine
