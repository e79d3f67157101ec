// SPDX-License-Identifier: MIT
#include "memory/file_backed_memory.h"

#include <sys/mman.h>
#include <algorithm>
#include <atomic>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include "memory/elf/elf_image.h"
#include "memory/elf/elf_library_file.h"
#include "memory/elf/library_map.h"
#include "memory/files/regular_file.h"
#include "memory/guarded_mapping.h"
#include "memory/packing/bundle_manifest.h"
#include "memory/packing/decoder.h"

namespace heapscape::engine {
namespace {

/// A file, mapped to be read.
class MappedBytes {
 public:
  /// No bytes if it cannot be read.
  explicit MappedBytes(const std::filesystem::path& path);
  ~MappedBytes();
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

/// The bytes of a file, and what keeps them.
struct FileContents {
  Bytes bytes;
  std::shared_ptr<const void> owner;
  std::shared_ptr<const MappedBytes> file;  // that they are read from; null for a copy
  std::uint64_t offsetInProgram = 0;        // where they begin in the single-file program that has them
};

FileContents contentsOf(const std::filesystem::path& path) {
  const auto mapped = std::make_shared<const MappedBytes>(path);
  return {mapped->bytes(), mapped, mapped, 0};
}

/// A program on disk that was published as a single file, and the list of what it has inside; empty if it is none.
struct SingleFileProgram {
  explicit SingleFileProgram(const std::filesystem::path& path) : contents(contentsOf(path)) {
    if (auto read = readBundleManifest(contents.bytes)) manifest = std::move(*read);
  }

  FileContents contents;
  BundleManifest manifest;
};

/// A file inside a single-file program, unpacked if need be; null for none.
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

constexpr std::uint64_t kMostComparedBytes = 16 << 20;
constexpr std::size_t kMostRefused = 16;

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

/// Whether bytes that the dump holds are those of the file, or zero where a copy without contents has left some out.
bool agree(Bytes held, Bytes file, bool hasContents) {
  if (std::ranges::equal(held, file)) return true;
  return !hasContents && std::ranges::equal(held, file, [](std::byte mine, std::byte theirs) {
    return mine == theirs || mine == std::byte{};
  });
}

/// Whether bytes that the dump does hold differ from those that the file has in their place.
bool isContradicted(const AddressSpace& dump, std::span<const FileExtent> extents, Bytes file) {
  std::uint64_t compared = 0;
  for (const FileExtent& extent : extents) {
    for (const AddressRange& part : dump.present(extent.range)) {
      const std::uint64_t size = std::min(part.sizeBytes(), kMostComparedBytes - compared);
      const auto held = size ? dump.view({part.start, part.start + size}) : failure(ErrorCode::NotFound, {});
      if (!held) continue;
      const Bytes own = file.subspan(extent.fileOffset + (part.start - extent.range.start), size);
      if (!agree(held->bytes, own, dump.hasContents())) return true;
      compared += size;
    }
  }
  return false;
}

/// These mappings, seen as those of the file inside that begins at an offset of the program's.
std::vector<MappedFile> mappingsOfPart(std::span<const MappedFile> mappings, std::uint64_t offset) {
  std::vector<MappedFile> parts;
  for (MappedFile part : mappings) {
    const std::uint64_t before = offset - std::min(offset, part.fileOffset);
    if (before >= part.range.sizeBytes()) continue;
    part.range.start = part.range.start + before;
    part.fileOffset = part.fileOffset + before - offset;
    parts.push_back(std::move(part));
  }
  return parts;
}

}  // namespace

struct FileBackedMemory::OpenedFile {
  std::filesystem::path path;
  FileIdentity identity = FileIdentity::BuildId;
  FileContents contents;
  std::vector<FileExtent> extents;

  /// The extent that holds an address, or else the first one behind it.
  std::vector<FileExtent>::const_iterator firstEndingAfter(Address address) const {
    return std::ranges::upper_bound(extents, address, {}, [](const FileExtent& extent) { return extent.range.end; });
  }
};

/// A library of the map or an image, and the file that was found for it.
struct FileBackedMemory::Library {
  AddressRange range;
  std::string path;
  std::string program;  // that has it inside
  bool isImage = false;
  bool mapsProgram = false;  // the mappings are of the program's file
  std::vector<MappedFile> mappings;

  /// Where its first byte lies in the program's file, as mapped.
  std::optional<std::uint64_t> placeInProgram() const {
    for (const MappedFile& mapping : mappings) {
      if (mapping.range.contains(range.start)) return mapping.fileOffset + (range.start - mapping.range.start);
    }
    return std::nullopt;
  }

  mutable std::mutex mutex;
  mutable std::size_t proofsTried = 0;  // one more than the proofs that were added at that time
  mutable std::vector<RefusedFile> refused;
  mutable std::unique_ptr<const OpenedFile> storage;
  mutable std::atomic<const OpenedFile*> opened = nullptr;
};

struct FileBackedMemory::Parts {
  Parts(AddressSpace dumpOnly, const ElfCore& core, FilePlaces filePlaces)
      : dump(std::move(dumpOnly)),
        finder(std::move(filePlaces)),
        map(core),
        pageBytes(core.pageBytes()),
        libraries(map.all().size()) {
    for (std::size_t i = 0; i < libraries.size(); ++i) {
      libraries[i].range = map.all()[i].range;
      libraries[i].path = map.all()[i].path;
    }
    for (const MappedFile& file : core.files) {
      const auto index = map.indexAt(file.range.start);
      if (index && map.all()[*index].path == file.path) libraries[*index].mappings.push_back(file);
    }
  }

  std::vector<std::filesystem::path> candidatesFor(const Library& library, bool further) {
    const std::string& path = library.program.empty() ? library.path : library.program;
    const std::lock_guard lock(finderMutex);
    return further ? finder.furtherCandidatesFor(path) : finder.candidatesFor(path);
  }

  FileContents contentsFor(const Library& library, const std::filesystem::path& candidate) {
    if (library.program.empty()) return contentsOf(candidate);
    const auto program = programAt(candidate);
    if (library.path.empty()) {
      const auto offset = library.placeInProgram();
      return contentsInBundle(*program, offset ? program->manifest.findAt(*offset) : nullptr);
    }
    // The host gives what it has inside paths below its own folder.
    const std::string folder = library.program.substr(0, library.program.rfind('/') + 1);
    if (!library.path.starts_with(folder)) return {};
    return contentsInBundle(*program, program->manifest.find(library.path.substr(folder.size())));
  }

  /// Its list is looked for once, and not for each of the files inside.
  std::shared_ptr<const SingleFileProgram> programAt(const std::filesystem::path& path) {
    const std::lock_guard lock(finderMutex);
    auto& program = programs[path];
    if (!program) program = std::make_shared<const SingleFileProgram>(path);
    return program;
  }

  std::unique_ptr<const OpenedFile> open(const Library& library);
  std::unique_ptr<const OpenedFile> openIfSame(const Library& library, const std::filesystem::path& candidate);
  std::optional<FileIdentity> identify(const Library& library, const std::filesystem::path& path, Bytes file,
                                       bool& isOther) const;

  AddressSpace dump;
  std::mutex finderMutex;
  FileFinder finder;
  std::map<std::filesystem::path, std::shared_ptr<const SingleFileProgram>> programs;
  LibraryMap map;
  std::uint64_t pageBytes;
  std::deque<Library> libraries;
  std::deque<Library> images;  // sorted by address
  std::vector<std::pair<FileIdentity, Proof>> proofs;
  ConstantParts constantParts;
};

FileBackedMemory::FileBackedMemory(AddressSpace dump, const ElfCore& core, FilePlaces places)
    : m_parts(std::make_unique<Parts>(std::move(dump), core, std::move(places))) {}
FileBackedMemory::~FileBackedMemory() = default;

void FileBackedMemory::addProof(FileIdentity identity, Proof proof) {
  m_parts->proofs.emplace_back(identity, std::move(proof));
}

void FileBackedMemory::setConstantParts(ConstantParts parts) {
  m_parts->constantParts = std::move(parts);
}

void FileBackedMemory::addImages(std::span<const LoadedImage> images) {
  std::vector<LoadedImage> sorted(images.begin(), images.end());
  std::ranges::sort(sorted, {}, [](const LoadedImage& image) { return image.range.start; });
  m_parts->images.clear();
  for (const LoadedImage& image : sorted) {
    const auto& known = m_parts->images;
    if (image.range.isEmpty() || (!known.empty() && known.back().range.end > image.range.start)) continue;
    Library& library = m_parts->images.emplace_back();
    library.range = image.range;
    library.path = image.path;
    library.program = image.program;
    library.isImage = true;
    library.mappings = image.mappings;
    library.mapsProgram = !image.mappings.empty();
    if (!library.mapsProgram) library.mappings.push_back({image.range, 0, image.path});
  }
}

const FileBackedMemory::OpenedFile* FileBackedMemory::openedFile(const Library& library) const {
  if (const OpenedFile* opened = library.opened.load(std::memory_order_acquire)) return opened;
  const std::lock_guard lock(library.mutex);
  const std::size_t proofs = m_parts->proofs.size() + 1;
  if (!library.storage && library.proofsTried < proofs) {
    library.proofsTried = proofs;
    library.storage = m_parts->open(library);
    library.opened.store(library.storage.get(), std::memory_order_release);
  }
  return library.storage.get();
}

std::unique_ptr<const FileBackedMemory::OpenedFile> FileBackedMemory::Parts::open(const Library& library) {
  library.refused.clear();
  std::set<std::filesystem::path> tried;
  for (const bool further : {false, true}) {
    for (const std::filesystem::path& candidate : candidatesFor(library, further)) {
      auto opened = tried.insert(candidate).second ? openIfSame(library, candidate) : nullptr;
      if (opened) return opened;
    }
  }
  return nullptr;
}

std::unique_ptr<const FileBackedMemory::OpenedFile> FileBackedMemory::Parts::openIfSame(
    const Library& library, const std::filesystem::path& candidate) {
  FileContents contents = contentsFor(library, candidate);
  if (contents.bytes.empty()) return nullptr;
  bool isOther = false;
  const auto identity = identify(library, candidate, contents.bytes, isOther);
  const auto mappings = mappingsOfPart(library.mappings, library.mapsProgram ? contents.offsetInProgram : 0);
  const bool hasConstants = identity && constantParts && isPeImage(contents.bytes);
  const auto constants = hasConstants ? constantParts(contents.bytes) : std::vector<ImagePart>{};
  auto extents = unchangedExtents(contents.bytes, library.range.start, mappings, constants, pageBytes);
  // A debugger's breakpoints change code, so that what the file's maker wrote into its headers counts for more.
  const bool hasOwnMark = identity == FileIdentity::BuildId || identity == FileIdentity::Headers;
  isOther |= identity && !hasOwnMark && isContradicted(dump, extents, contents.bytes);
  if (identity && !isOther) {
    return std::make_unique<const OpenedFile>(
        OpenedFile{candidate, *identity, std::move(contents), std::move(extents)});
  }
  if (library.refused.size() < kMostRefused) library.refused.push_back({candidate, isOther});
  return nullptr;
}

std::optional<FileIdentity> FileBackedMemory::Parts::identify(const Library& library, const std::filesystem::path& path,
                                                              Bytes file, bool& isOther) const {
  const bool isPe = isPeImage(file);
  FileIdentity identity = isPe ? FileIdentity::Headers : FileIdentity::BuildId;
  std::optional<bool> same;
  if (isPe) {
    same = hasSameHeaders(dump, library.range.start, file);
  } else if (!library.isImage) {
    same = hasSameBuildId(dump, library.range.start, path);
  }
  for (const auto& [kind, proof] : proofs) {
    if (same) break;
    same = proof(dump, library.range.start, file);
    identity = kind;
  }
  isOther = same == false;
  return same == true ? std::optional(identity) : std::nullopt;
}

const FileBackedMemory::Library* FileBackedMemory::libraryAt(Address address) const {
  const auto next =
      std::ranges::upper_bound(m_parts->images, address, {}, [](const Library& image) { return image.range.start; });
  if (next != m_parts->images.begin() && (next - 1)->range.contains(address)) return &*(next - 1);
  const auto index = m_parts->map.indexAt(address);
  return index ? &m_parts->libraries[*index] : nullptr;
}

Bytes FileBackedMemory::prefix(Address address, std::uint64_t size) const {
  const Library* library = libraryAt(address);
  const OpenedFile* file = library ? openedFile(*library) : nullptr;
  if (!file) return {};
  const auto extent = file->firstEndingAfter(address);
  if (extent == file->extents.end() || extent->range.start > address) return {};
  const std::uint64_t offset = extent->fileOffset + (address - extent->range.start);
  return file->contents.bytes.subspan(offset, std::min(size, extent->range.end - address));
}

std::optional<Address> FileBackedMemory::relocatedPointer(Address address) const {
  const Library* library = libraryAt(address);
  const OpenedFile* file = library ? openedFile(*library) : nullptr;
  const auto target = file ? relocatedTarget(file->contents.bytes, address - library->range.start) : std::nullopt;
  return target ? std::optional(library->range.start + *target) : std::nullopt;
}

std::vector<AddressRange> FileBackedMemory::parts(AddressRange range) const {
  std::vector<AddressRange> parts;
  for (const std::deque<Library>* libraries : {&m_parts->libraries, &m_parts->images}) {
    const auto first =
        std::ranges::upper_bound(*libraries, range.start, {}, [](const Library& l) { return l.range.end; });
    for (auto library = first; library != libraries->end() && library->range.start < range.end; ++library) {
      const OpenedFile* file = openedFile(*library);
      if (!file) continue;
      for (auto extent = file->firstEndingAfter(range.start); extent != file->extents.end(); ++extent) {
        if (extent->range.start >= range.end) break;
        parts.push_back({std::max(extent->range.start, range.start), std::min(extent->range.end, range.end)});
      }
    }
  }
  std::ranges::sort(parts, {}, &AddressRange::start);
  return parts;
}

std::vector<std::filesystem::path> FileBackedMemory::candidatesFor(const std::string& recordedPath) const {
  const std::lock_guard lock(m_parts->finderMutex);
  auto candidates = m_parts->finder.candidatesFor(recordedPath);
  std::ranges::move(m_parts->finder.furtherCandidatesFor(recordedPath), std::back_inserter(candidates));
  return candidates;
}

std::optional<ChangedFile> FileBackedMemory::changedFile() const {
  for (const std::deque<Library>* libraries : {&m_parts->libraries, &m_parts->images}) {
    for (const Library& library : *libraries) {
      const OpenedFile* file = library.opened.load(std::memory_order_acquire);
      const FileChange change = file && file->contents.file ? file->contents.file->change() : FileChange::None;
      if (change != FileChange::None) return ChangedFile{file->path, change};
    }
  }
  return std::nullopt;
}

std::optional<std::filesystem::path> FileBackedMemory::fileAt(Address address) const {
  const Library* library = libraryAt(address);
  const OpenedFile* file = library ? openedFile(*library) : nullptr;
  return file ? std::optional(file->path) : std::nullopt;
}

std::optional<FileIdentity> FileBackedMemory::identityAt(Address address) const {
  const Library* library = libraryAt(address);
  const OpenedFile* file = library ? openedFile(*library) : nullptr;
  return file ? std::optional(file->identity) : std::nullopt;
}

std::vector<FileBackedMemory::RefusedFile> FileBackedMemory::refusedAt(Address address) const {
  const Library* library = libraryAt(address);
  if (!library || openedFile(*library)) return {};
  const std::lock_guard lock(library->mutex);
  return library->refused;
}

}  // namespace heapscape::engine
