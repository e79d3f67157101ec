// SPDX-License-Identifier: MIT
#include "memory/file_backed_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>

#include "memory/elf_image.h"
#include "memory/elf_library_file.h"
#include "memory/file_descriptor.h"
#include "memory/guarded_mapping.h"
#include "memory/image_extents.h"
#include "memory/library_map.h"
#include "memory/regular_file.h"

namespace heapscape::engine {
namespace {

/// A file, mapped to be read.
class MappedBytes {
 public:
  explicit MappedBytes(const std::filesystem::path& path) {
    auto opened = openRegularFile(path, {});
    if (!opened) return;
    void* start = ::mmap(nullptr, opened->sizeBytes, PROT_READ, MAP_PRIVATE, opened->file.get(), 0);
    if (start == MAP_FAILED) return;
    m_bytes = {static_cast<const std::byte*>(start), opened->sizeBytes};
    m_file = std::move(opened->file);
    m_watch.emplace(m_file.get());
    m_guard = GuardedMapping(start, m_bytes.size(), m_watch->lostPages());
  }
  ~MappedBytes() {
    m_guard = GuardedMapping();
    if (!m_bytes.empty()) ::munmap(const_cast<std::byte*>(m_bytes.data()), m_bytes.size());
  }
  MappedBytes(const MappedBytes&) = delete;
  MappedBytes& operator=(const MappedBytes&) = delete;

  Bytes bytes() const { return m_bytes; }
  FileChange change() const { return m_watch ? m_watch->change() : FileChange::None; }

 private:
  FileDescriptor m_file;
  std::optional<FileWatch> m_watch;
  GuardedMapping m_guard;
  Bytes m_bytes;
};

/// The linker's name for the contents of an ELF file.
std::optional<bool> hasSameBuildId(const AddressSpace& dump, Address base, const std::filesystem::path& path) {
  const auto image = ElfImage::at(dump, base);
  const std::string buildId = image ? image->buildId() : std::string();
  if (buildId.empty()) return std::nullopt;
  return ElfLibraryFile::openMatching(path, buildId).has_value();
}

/// Headers tell the sizes of all sections, and a hash of the contents where the compiler is deterministic.
std::optional<bool> hasSameHeaders(const AddressSpace& dump, Address base, Bytes file) {
  const std::uint64_t size = isPeImage(file) ? peHeaderBytes(file) : 0;
  const auto headers = dump.view({base, base + size});
  if (size == 0 || !headers) return std::nullopt;
  return std::ranges::equal(headers->bytes, file.first(size));
}

}  // namespace

struct FileBackedMemory::OpenedFile {
  std::filesystem::path path;
  std::unique_ptr<const MappedBytes> contents;
  std::vector<FileExtent> extents;

  /// The extent that holds an address, or else the first one behind it.
  std::vector<FileExtent>::const_iterator firstEndingAfter(Address address) const {
    return std::ranges::upper_bound(extents, address, {}, [](const FileExtent& extent) { return extent.range.end; });
  }
};

struct FileBackedMemory::Parts {
  /// A library of the map, and the file that was found for it.
  struct Library {
    std::vector<MappedFile> mappings;
    std::mutex mutex;
    std::size_t proofsTried = 0;  // one more than the proofs that were added at that time
    std::unique_ptr<const OpenedFile> storage;
    std::atomic<const OpenedFile*> opened = nullptr;
  };

  Parts(AddressSpace dumpOnly, const ElfCore& core, FilePlaces filePlaces)
      : dump(std::move(dumpOnly)),
        places(std::move(filePlaces)),
        map(core),
        libraries(std::make_unique<Library[]>(map.all().size())) {
    for (const MappedFile& file : core.files) {
      const auto index = map.indexAt(file.range.start);
      if (index && map.all()[*index].path == file.path) libraries[*index].mappings.push_back(file);
    }
  }

  AddressSpace dump;
  FilePlaces places;
  LibraryMap map;
  std::unique_ptr<Library[]> libraries;
  std::vector<Proof> proofs;
};

FileBackedMemory::FileBackedMemory(AddressSpace dump, const ElfCore& core, FilePlaces places)
    : m_parts(std::make_unique<Parts>(std::move(dump), core, std::move(places))) {}
FileBackedMemory::~FileBackedMemory() = default;

void FileBackedMemory::addProof(Proof proof) {
  m_parts->proofs.push_back(std::move(proof));
}

const FileBackedMemory::OpenedFile* FileBackedMemory::openedAt(std::size_t index) const {
  Parts::Library& library = m_parts->libraries[index];
  if (const OpenedFile* opened = library.opened.load(std::memory_order_acquire)) return opened;
  const std::lock_guard lock(library.mutex);
  const std::size_t proofs = m_parts->proofs.size() + 1;
  if (!library.storage && library.proofsTried < proofs) {
    library.proofsTried = proofs;
    library.storage = open(index);
    library.opened.store(library.storage.get(), std::memory_order_release);
  }
  return library.storage.get();
}

std::unique_ptr<const FileBackedMemory::OpenedFile> FileBackedMemory::open(std::size_t index) const {
  const MappedLibrary& library = m_parts->map.all()[index];
  for (const std::filesystem::path& candidate : m_parts->places.candidatesFor(library.path)) {
    auto contents = std::make_unique<const MappedBytes>(candidate);
    if (!isSame(library.range.start, candidate, contents->bytes())) continue;
    auto extents = unchangedExtents(contents->bytes(), library.range.start, m_parts->libraries[index].mappings);
    return std::make_unique<const OpenedFile>(OpenedFile{candidate, std::move(contents), std::move(extents)});
  }
  return nullptr;
}

bool FileBackedMemory::isSame(Address base, const std::filesystem::path& path, Bytes file) const {
  if (file.empty()) return false;
  std::optional<bool> same =
      isPeImage(file) ? hasSameHeaders(m_parts->dump, base, file) : hasSameBuildId(m_parts->dump, base, path);
  for (const Proof& proof : m_parts->proofs) {
    if (same) break;
    same = proof(m_parts->dump, base, file);
  }
  return same.value_or(false);
}

Bytes FileBackedMemory::prefix(Address address, std::uint64_t size) const {
  const auto index = m_parts->map.indexAt(address);
  const OpenedFile* file = index ? openedAt(*index) : nullptr;
  if (!file) return {};
  const auto extent = file->firstEndingAfter(address);
  if (extent == file->extents.end() || extent->range.start > address) return {};
  const std::uint64_t offset = extent->fileOffset + (address - extent->range.start);
  return file->contents->bytes().subspan(offset, std::min(size, extent->range.end - address));
}

std::vector<AddressRange> FileBackedMemory::parts(AddressRange range) const {
  std::vector<AddressRange> parts;
  const std::vector<MappedLibrary>& libraries = m_parts->map.all();
  const auto first =
      std::ranges::upper_bound(libraries, range.start, {}, [](const MappedLibrary& l) { return l.range.end; });
  for (auto index = static_cast<std::size_t>(first - libraries.begin()); index < libraries.size(); ++index) {
    if (libraries[index].range.start >= range.end) break;
    const OpenedFile* file = openedAt(index);
    if (!file) continue;
    for (auto extent = file->firstEndingAfter(range.start); extent != file->extents.end(); ++extent) {
      if (extent->range.start >= range.end) break;
      parts.push_back({std::max(extent->range.start, range.start), std::min(extent->range.end, range.end)});
    }
  }
  return parts;
}

std::optional<ChangedFile> FileBackedMemory::changedFile() const {
  for (std::size_t index = 0; index < m_parts->map.all().size(); ++index) {
    const OpenedFile* file = m_parts->libraries[index].opened.load(std::memory_order_acquire);
    const FileChange change = file ? file->contents->change() : FileChange::None;
    if (change != FileChange::None) return ChangedFile{file->path, change};
  }
  return std::nullopt;
}

std::optional<std::filesystem::path> FileBackedMemory::fileAt(Address address) const {
  const auto index = m_parts->map.indexAt(address);
  const OpenedFile* file = index ? openedAt(*index) : nullptr;
  if (!file) return std::nullopt;
  return file->path;
}

}  // namespace heapscape::engine
