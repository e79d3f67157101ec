// SPDX-License-Identifier: MIT
#include "memory/packing/tar_reader.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/unseen_characters.h"

namespace heapscape::engine {

namespace {

struct ArchiveDeleter {
  void operator()(archive* reader) const { archive_read_free(reader); }
};

bool saysThatItEnds(std::string_view message) {
  return message.find("runcated") != std::string_view::npos;
}

}  // namespace

struct TarReader::State {
  explicit State(ByteSource& from) : source(from), reader(archive_read_new()) {}

  static la_ssize_t read(archive* /*reader*/, void* state, const void** piece) {
    auto& self = *static_cast<State*>(state);
    auto bytes = self.source.next();
    if (!bytes) {
      self.failure = std::move(bytes.error());
      return -1;
    }
    *piece = bytes->data();
    return static_cast<la_ssize_t>(bytes->size());
  }

  static la_int64_t skip(archive* /*reader*/, void* state, la_int64_t bytes) {
    return static_cast<la_int64_t>(static_cast<State*>(state)->source.skip(static_cast<std::uint64_t>(bytes)));
  }

  /// Whether there is something to read; ARCHIVE_WARN comes with names of foreign encodings, which are no matter here.
  Outcome<bool> check(int status) {
    if (failure) return tl::unexpected<Unfinished>(*failure);
    if (status == ARCHIVE_OK || status == ARCHIVE_WARN) return true;
    if (status != ARCHIVE_EOF) {
      const char* message = archive_error_string(reader.get());
      const std::string_view text = message ? message : "it cannot be read";
      damage = saysThatItEnds(text) ? "the tar archive ends early"
                                    : fmt::format("the tar archive is damaged near byte {} ({})",
                                                  archive_filter_bytes(reader.get(), 0), text);
    }
    return false;
  }

  ByteSource& source;
  std::unique_ptr<archive, ArchiveDeleter> reader;
  std::optional<Unfinished> failure;
  std::string damage;
  bool isOpen = false;
};

TarReader::TarReader(ByteSource& source) : m_state(std::make_unique<State>(source)) {
  archive* reader = m_state->reader.get();
  if (!reader) return;
  archive_read_support_format_tar(reader);
  archive_read_set_callback_data(reader, m_state.get());
  archive_read_set_read_callback(reader, &State::read);
  archive_read_set_skip_callback(reader, &State::skip);
  m_state->isOpen = archive_read_open1(reader) == ARCHIVE_OK;
}

TarReader::~TarReader() = default;

Outcome<std::optional<TarEntry>> TarReader::nextEntry() {
  if (!m_state->isOpen && !m_state->failure) {
    m_state->damage = "the tar archive cannot be read";
    return std::nullopt;
  }
  for (;;) {
    archive_entry* entry = nullptr;
    HEAPSCAPE_TRY(const bool more, m_state->check(archive_read_next_header(m_state->reader.get(), &entry)));
    if (!more) return std::nullopt;
    if (archive_entry_filetype(entry) != AE_IFREG || archive_entry_hardlink(entry)) continue;
    TarEntry file;
    const char* name = archive_entry_pathname(entry);
    file.name = withEscapes(name ? name : "(without a name)");
    file.sizeBytes = static_cast<std::uint64_t>(std::max<la_int64_t>(archive_entry_size(entry), 0));
    file.dataOffset = static_cast<std::uint64_t>(archive_filter_bytes(m_state->reader.get(), 0));
    file.isSparse = archive_entry_sparse_count(entry) > 0;
    return file;
  }
}

Outcome<std::optional<TarPiece>> TarReader::nextPiece() {
  const void* start = nullptr;
  std::size_t size = 0;
  la_int64_t offset = 0;
  HEAPSCAPE_TRY(const bool more,
                m_state->check(archive_read_data_block(m_state->reader.get(), &start, &size, &offset)));
  if (!more) return std::nullopt;
  return TarPiece{static_cast<std::uint64_t>(offset), Bytes(static_cast<const std::byte*>(start), size)};
}

const std::string& TarReader::damage() const {
  return m_state->damage;
}

}  // namespace heapscape::engine
