// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/address.h"
#include "base/bounded_reader.h"
#include "base/content_hash.h"
#include "base/finding.h"
#include "base/result.h"
#include "memory/guarded_mapping.h"

namespace heapscape::engine {

/// Numbers and texts, one behind the other, as RecordReader reads them back.
class RecordWriter {
 public:
  template <class T>
  requires(std::integral<T> || std::is_enum_v<T>) RecordWriter& add(T value) {
    const auto* bytes = reinterpret_cast<const std::byte*>(&value);
    m_bytes.insert(m_bytes.end(), bytes, bytes + sizeof(T));
    return *this;
  }
  RecordWriter& add(Address address) { return add(address.value); }
  RecordWriter& add(const std::string& text) {
    add(static_cast<std::uint64_t>(text.size()));
    const Bytes bytes = std::as_bytes(std::span(text));
    m_bytes.insert(m_bytes.end(), bytes.begin(), bytes.end());
    return *this;
  }
  /// Those in the list; that it had to leave some out is not told.
  RecordWriter& add(const FindingList& findings);

  std::vector<std::byte> take() && { return std::move(m_bytes); }

 private:
  std::vector<std::byte> m_bytes;
};

/// Reads what a RecordWriter wrote, out of bytes that may be anything: once something is wrong, failed() says so, and
/// all that is read is 0 or empty.
class RecordReader {
 public:
  explicit RecordReader(Bytes bytes) : m_size(bytes.size()), m_reader(bytes) {}

  template <class T>
  requires std::integral<T> T read() { return m_reader.read<T>(); }
  bool readBool() { return readAtMost<std::uint8_t>(1) != 0; }
  Address readAddress() { return {m_reader.read<std::uint64_t>()}; }
  std::string readText();
  /// A number that is to be no more than `most`.
  template <class T>
  T readAtMost(T most) {
    const T value = m_reader.read<T>();
    if (value <= most) return value;
    m_isWrong = true;
    return T{};
  }
  /// One of an enumeration whose last value this is.
  template <class Enum>
  Enum readEnum(Enum last) {
    return static_cast<Enum>(readAtMost(static_cast<std::underlying_type_t<Enum>>(last)));
  }
  /// How many things follow, each of at least one byte.
  std::size_t readCount() { return readAtMost<std::uint64_t>(m_size - std::min(m_size, m_reader.position())); }
  FindingList readFindings();

  bool failed() const { return m_isWrong || m_reader.failed(); }
  /// Whether all was read, and nothing was wrong.
  bool isDone() const { return !failed() && m_reader.atEnd(); }

 private:
  std::uint64_t m_size;
  BoundedReader m_reader;
  bool m_isWrong = false;
};

/// Contents of a file of the cache, and what keeps it in memory until it is written.
struct CacheContents {
  std::vector<Bytes> sections = {};
  std::vector<std::shared_ptr<const void>> owners = {};

  std::uint64_t sizeBytes() const;
};

/// A file of the cache, mapped to be read: a page of header, sections that begin at pages, and a hash of every block of
/// them. Taken for what others may have written there: nothing of it is used before its header, its hashes and whatever
/// its numbers lead to have been checked.
class CacheFile {
 public:
  /// Null if there is none, if it is not ours alone to write to, or if it is damaged, of another version or about
  /// something else than `digest` says. Sections are not checked yet.
  static std::shared_ptr<const CacheFile> open(const std::filesystem::path& path, const Hash128& digest);
  ~CacheFile();
  CacheFile(const CacheFile&) = delete;
  CacheFile& operator=(const CacheFile&) = delete;

  std::size_t sectionCount() const { return m_sections.size(); }
  /// Bytes of a section, at least as aligned as any number.
  Bytes section(std::size_t index) const { return m_sections[index]; }
  /// The section as an array of so many elements; nothing if it has another size.
  template <class T>
  std::optional<std::span<const T>> array(std::size_t index, std::size_t size) const {
    if (index >= m_sections.size() || m_sections[index].size() / sizeof(T) != size ||
        m_sections[index].size() % sizeof(T) != 0)
      return std::nullopt;
    return std::span(reinterpret_cast<const T*>(m_sections[index].data()), size);
  }

  /// Whether a block of a section, that begins so many bytes behind the section's start, holds what it may.
  using BlockCheck = std::function<bool(std::size_t firstByte, Bytes block)>;
  /// Whether every block has its hash and passes its section's check; a section may have none. On all cores, each block
  /// while it is in the core's own cache. False, too, if it was stopped.
  bool isIntact(std::span<const BlockCheck> checks, const std::stop_token& stop) const;

  /// Whether a page could no longer be read since it was opened.
  bool isLost() const { return m_lost->load(); }

 private:
  CacheFile() = default;
  bool readHeader(const Hash128& digest);

  Bytes m_bytes;
  LostPages m_lost = std::make_shared<std::atomic<bool>>(false);
  GuardedMapping m_guard;
  std::vector<Bytes> m_sections;
  std::span<const std::uint64_t> m_hashes;  // of all blocks, one section's behind the other's
};

/// Writes a file under a name that nobody has, and gives it its own at the end, so that others see all of it or the
/// file that was there before. Fails with FileUnreadable; nothing is left behind then.
Outcome<void> writeCacheFile(const std::filesystem::path& path, const Hash128& digest, std::span<const Bytes> sections,
                             const std::stop_token& stop);

/// How the name of a file ends that is still being written.
inline constexpr std::string_view kUnfinishedEnding = ".unfinished";

}  // namespace heapscape::engine
