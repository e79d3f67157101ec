// SPDX-License-Identifier: MIT
#include "session/cache/cache_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <optional>

#include "base/address.h"
#include "base/limits.h"
#include "memory/files/regular_file.h"

namespace heapscape::engine {

RecordWriter& RecordWriter::add(const FindingList& findings) {
  add(static_cast<std::uint64_t>(findings.items().size()));
  for (const Finding& finding : findings.items())
    add(static_cast<std::uint32_t>(finding.kind)).add(finding.address).add(finding.message);
  return *this;
}

std::string RecordReader::readText() {
  const Bytes bytes = m_reader.readBytes(m_reader.read<std::uint64_t>());
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

FindingList RecordReader::readFindings() {
  FindingList findings;
  const std::size_t count = readAtMost<std::uint64_t>(kLimits.findings);
  for (std::size_t i = 0; i < count && !failed(); ++i) {
    const auto kind = readAtMost(static_cast<std::uint32_t>(FindingKind::NamesCut));
    const Address address = readAddress();
    findings.add(static_cast<FindingKind>(kind), address, readText());
  }
  return findings;
}

namespace {

constexpr std::size_t kBlockBytes = 1 << 20;  // what the hash has read is still in the core's cache for the check
constexpr std::size_t kMaximumSections = 16;
constexpr std::uint64_t kMark = 0x0a1a706163537048;  // reads otherwise on machines of another byte order
constexpr std::uint64_t kFormat = 1;                 // of the file itself; of what is in it the digest tells

struct Section {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

/// The file's first bytes.
struct Header {
  std::uint64_t mark = kMark;
  std::uint64_t format = kFormat;
  Hash128 digest;
  std::uint64_t fileBytes = 0;
  std::uint64_t sectionCount = 0;
  std::uint64_t hashesOffset = 0;
  std::uint64_t hashesHash = 0;
  std::array<Section, kMaximumSections> sections{};
  std::uint64_t headerHash = 0;  // of all before

  std::uint64_t ownHash() const {
    return hashOf(std::as_bytes(std::span(this, 1)).first(offsetof(Header, headerHash)));
  }
};
static_assert(sizeof(Header) <= kPageBytes && std::has_unique_object_representations_v<Header>);

std::uint64_t blocksOf(std::uint64_t bytes) {
  return (bytes + kBlockBytes - 1) / kBlockBytes;
}

std::uint64_t toPage(std::uint64_t offset) {
  return (offset + kPageBytes - 1) / kPageBytes * kPageBytes;
}

struct Block {
  std::size_t section = 0;
  std::size_t firstByte = 0;
  Bytes bytes;
};

std::vector<Block> blocksOf(std::span<const Bytes> sections) {
  std::vector<Block> blocks;
  for (std::size_t section = 0; section < sections.size(); ++section) {
    const Bytes bytes = sections[section];
    for (std::size_t first = 0; first < bytes.size(); first += kBlockBytes)
      blocks.push_back({section, first, bytes.subspan(first, std::min(kBlockBytes, bytes.size() - first))});
  }
  return blocks;
}

Error notWritten(const std::filesystem::path& path, int error) {
  return {ErrorCode::FileUnreadable, fmt::format("{} cannot be written: {}.", path.string(), systemMessage(error))};
}

/// A file that goes away again unless it is given its name.
class UnfinishedFile {
 public:
  explicit UnfinishedFile(const std::filesystem::path& path) : m_path(path) {
    static std::atomic<std::uint32_t> count = 0;
    m_name = path.string() + fmt::format(".{}.{}{}", ::getpid(), ++count, kUnfinishedEnding);
    m_file = FileDescriptor(::open(m_name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!m_file.isOpen()) m_error = errno;
  }
  ~UnfinishedFile() {
    if (m_file.isOpen() && !m_isFinished) ::unlink(m_name.c_str());
  }
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;

  /// Takes the room, so that a full disk is noticed before anything is written.
  void reserve(std::uint64_t bytes) {
    if (m_error || ::fallocate(m_file.get(), 0, 0, static_cast<off_t>(bytes)) == 0) return;
    if (errno != EOPNOTSUPP && errno != EINVAL && errno != ENOSYS && errno != EINTR) m_error = errno;
  }

  void write(Bytes bytes, std::uint64_t offset, const std::stop_token& stop) {
    while (!bytes.empty() && !m_error && !stop.stop_requested()) {
      const ssize_t put =
          ::pwrite(m_file.get(), bytes.data(), std::min(bytes.size(), kBytesAtOnce), static_cast<off_t>(offset));
      if (put < 0 && errno == EINTR) continue;
      if (put <= 0) {
        m_error = put < 0 ? errno : ENOSPC;
        return;
      }
      offset += static_cast<std::uint64_t>(put);
      bytes = bytes.subspan(static_cast<std::size_t>(put));
    }
  }

  void finish() {
    if (m_error) return;
    m_isFinished = ::rename(m_name.c_str(), m_path.c_str()) == 0;
    // Where it is gone, another program has cleared the folder meanwhile: as if it had done so just after.
    if (!m_isFinished && errno != ENOENT) m_error = errno;
  }

  /// 0, or what went wrong first.
  int error() const { return m_error; }

 private:
  static constexpr std::size_t kBytesAtOnce = 8 << 20;

  const std::filesystem::path& m_path;
  std::string m_name;
  FileDescriptor m_file;
  int m_error = 0;
  bool m_isFinished = false;
};

}  // namespace

std::uint64_t CacheContents::sizeBytes() const {
  std::uint64_t sum = kPageBytes;
  for (const Bytes& section : sections)
    sum += toPage(section.size()) + blocksOf(section.size()) * sizeof(std::uint64_t);
  return sum;
}

std::shared_ptr<const CacheFile> CacheFile::open(const std::filesystem::path& path, const Hash128& digest) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  struct stat status {};
  if (!file.isOpen() || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return nullptr;
  if (status.st_uid != ::geteuid() || (status.st_mode & (S_IWGRP | S_IWOTH)) != 0) return nullptr;
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size < sizeof(Header)) return nullptr;
  void* start = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file.get(), 0);
  if (start == MAP_FAILED) return nullptr;
  std::shared_ptr<CacheFile> opened(new CacheFile);
  opened->m_bytes = {static_cast<const std::byte*>(start), size};
  opened->m_guard = GuardedMapping(start, size, opened->m_lost);
  return opened->readHeader(digest) ? opened : nullptr;
}

CacheFile::~CacheFile() {
  m_guard = GuardedMapping();
  if (!m_bytes.empty()) ::munmap(const_cast<std::byte*>(m_bytes.data()), m_bytes.size());
}

bool CacheFile::readHeader(const Hash128& digest) {
  Header header;
  if (!tryReadAt(m_bytes, 0, header) || header.mark != kMark || header.format != kFormat) return false;
  if (header.headerHash != header.ownHash() || header.digest != digest) return false;
  if (header.fileBytes != m_bytes.size() || header.sectionCount > kMaximumSections) return false;
  std::uint64_t blocks = 0;
  for (std::size_t i = 0; i < header.sectionCount; ++i) {
    Bytes section;
    const auto [offset, bytes] = header.sections[i];
    if (offset % kPageBytes != 0 || !trySlice(m_bytes, offset, bytes, section)) return false;
    m_sections.push_back(section);
    blocks += blocksOf(bytes);
  }
  Bytes hashes;
  if (header.hashesOffset % kPageBytes != 0 ||
      !trySlice(m_bytes, header.hashesOffset, blocks * sizeof(std::uint64_t), hashes))
    return false;
  m_hashes = {reinterpret_cast<const std::uint64_t*>(hashes.data()), blocks};
  return hashOf(hashes) == header.hashesHash;
}

bool CacheFile::isIntact(std::span<const BlockCheck> checks, const std::stop_token& stop) const {
  const std::vector<Block> blocks = blocksOf(m_sections);
  std::atomic<bool> isIntact = true;
  tbb::parallel_for(std::size_t{0}, blocks.size(), [&](std::size_t i) {
    if (!isIntact.load(std::memory_order_relaxed) || stop.stop_requested()) return;
    const auto& [section, firstByte, bytes] = blocks[i];
    const bool isGood = hashOf(bytes) == m_hashes[i] &&
                        (section >= checks.size() || !checks[section] || checks[section](firstByte, bytes));
    if (!isGood) isIntact = false;
  });
  return isIntact && !stop.stop_requested() && !isLost();
}

Outcome<void> writeCacheFile(const std::filesystem::path& path, const Hash128& digest, std::span<const Bytes> sections,
                             const std::stop_token& stop) {
  Header header;
  header.digest = digest;
  header.sectionCount = sections.size();
  std::uint64_t end = kPageBytes;
  for (std::size_t i = 0; i < sections.size(); ++i) {
    header.sections[i] = {end, sections[i].size()};
    end = toPage(end + sections[i].size());
  }
  header.hashesOffset = end;

  const std::vector<Block> blocks = blocksOf(sections);
  std::vector<std::uint64_t> hashes(blocks.size());
  tbb::parallel_for(std::size_t{0}, blocks.size(), [&](std::size_t i) {
    if (!stop.stop_requested()) hashes[i] = hashOf(blocks[i].bytes);
  });
  const Bytes hashBytes = std::as_bytes(std::span(hashes));
  header.hashesHash = hashOf(hashBytes);
  header.fileBytes = end + hashBytes.size();
  header.headerHash = header.ownHash();

  UnfinishedFile file(path);
  file.reserve(header.fileBytes);
  file.write(std::as_bytes(std::span(&header, 1)), 0, stop);
  for (std::size_t i = 0; i < sections.size(); ++i) file.write(sections[i], header.sections[i].offset, stop);
  file.write(hashBytes, header.hashesOffset, stop);
  if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
  file.finish();
  if (file.error() != 0) return tl::unexpected(Unfinished(notWritten(path, file.error())));
  return {};
}

}  // namespace heapscape::engine
