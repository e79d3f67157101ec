// SPDX-License-Identifier: MIT
#include "memory/packing/unpacked_core.h"

#include <archive.h>
#include <archive_entry.h>
#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/figures.h"
#include "base/limits.h"
#include "base/unicode.h"
#include "memory/files/file_kind.h"
#include "memory/packing/byte_source.h"
#include "memory/packing/decoder.h"
#include "memory/packing/temporary_file.h"

namespace heapscape::engine {
namespace {

/// A file in a tar archive.
struct TarEntry {
  std::string name;
  std::uint64_t sizeBytes = 0;   // holes included
  std::uint64_t dataOffset = 0;  // of its bytes in the archive
  bool isSparse = false;         // its bytes do not lie in the archive as they are
};

/// A piece of an entry, and where it belongs; what no piece covers is zero.
struct TarPiece {
  std::uint64_t offset = 0;
  Bytes bytes;
};

/// Reads a tar archive from its start to its end, through libarchive; knows no other format. Only files are given out,
/// no folders or links.
class TarReader {
 public:
  /// `source` must outlive the reader.
  explicit TarReader(ByteSource& source);
  ~TarReader();
  TarReader(const TarReader&) = delete;
  TarReader& operator=(const TarReader&) = delete;

  /// The next file; nothing at the end, or where the archive is damaged.
  Outcome<std::optional<TarEntry>> nextEntry();
  /// The next bytes of this file; nothing at its end, or where the archive is damaged.
  Outcome<std::optional<TarPiece>> nextPiece();
  /// Why the archive could not be read to its end; empty if it could.
  const std::string& damage() const;

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

struct ArchiveDeleter {
  void operator()(archive* reader) const { archive_read_free(reader); }
};

bool saysThatItEnds(std::string_view message) {
  return message.find("runcated") != std::string_view::npos;
}

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

/// Decompressed bytes. Where they are damaged or end early, what could be decoded before that.
class DecompressedSource : public ByteSource {
 public:
  /// `from` must outlive this.
  DecompressedSource(ByteSource& from, std::unique_ptr<Decoder> decoder);

  std::string damage() const override;
  /// How many bytes the first frame says that come out of it, once a piece was taken; 0 if it does not say.
  std::uint64_t announcedBytes() const { return m_announcedBytes; }

 private:
  Outcome<Bytes> fetch() override;
  Outcome<bool> fetchInput();
  void take(const DecodedStep& step);

  ByteSource& m_from;
  std::unique_ptr<Decoder> m_decoder;
  std::vector<std::byte> m_output;
  Bytes m_input;
  std::size_t m_written = 0;
  std::uint64_t m_inputBytes = 0;  // all that were taken, those of m_input among them
  std::uint64_t m_announcedBytes = 0;
  bool m_isInsideFrame = true;
  bool m_mayHoldMore = false;  // the decoder, for want of room
  bool m_isAtEnd = false;
  std::string m_damage;
};

constexpr std::size_t kUnpackedPieceBytes = 1 << 20;

DecompressedSource::DecompressedSource(ByteSource& from, std::unique_ptr<Decoder> decoder)
    : m_from(from), m_decoder(std::move(decoder)), m_output(kUnpackedPieceBytes) {}

std::string DecompressedSource::damage() const {
  std::string before = m_from.damage();
  return before.empty() ? m_damage : before;
}

Outcome<Bytes> DecompressedSource::fetch() {
  m_written = 0;
  while (!m_isAtEnd && m_written < m_output.size()) {
    if (m_input.empty() && !m_mayHoldMore) {
      HEAPSCAPE_TRY(const bool more, fetchInput());
      if (!more) break;
    }
    take(m_decoder->decode(m_input, std::span(m_output).subspan(m_written)));
  }
  return Bytes(m_output).first(m_written);
}

Outcome<bool> DecompressedSource::fetchInput() {
  HEAPSCAPE_TRY(m_input, m_from.next());
  if (m_inputBytes == 0) m_announcedBytes = m_decoder->announcedBytes(m_input);
  m_inputBytes += m_input.size();
  m_isAtEnd = m_input.empty();
  if (m_isAtEnd && m_isInsideFrame) m_damage = "the compressed file ends early";
  return !m_isAtEnd;
}

void DecompressedSource::take(const DecodedStep& step) {
  // A call that moves nothing already asks for the next frame, which need not be there.
  const bool hasMoved = step.read + step.written > 0;
  const bool isStuck = !hasMoved && !m_input.empty();
  m_input = m_input.subspan(step.read);
  m_written += step.written;
  m_mayHoldMore = m_written == m_output.size();
  if (hasMoved) m_isInsideFrame = !step.isAtFrameEnd;
  if (step.error.empty() && !isStuck) return;
  m_damage = fmt::format("the compressed file is damaged near byte {} ({})", m_inputBytes - m_input.size(),
                         step.error.empty() ? "it cannot be decoded" : step.error);
  m_isAtEnd = true;
}

constexpr std::size_t kMostNamesShown = 5;

Packing packingOfFile(const RegularFile& file) {
  std::array<std::byte, kPackingBytes> beginning{};
  const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(file.sizeBytes, beginning.size()));
  if (!tryReadFile(file, 0, std::span(beginning).first(size))) return Packing::None;
  return packingOf(Bytes(beginning).first(size));
}

bool isElfCore(Bytes beginning) {
  std::uint16_t type = 0;
  return beginning.size() >= EI_NIDENT && std::memcmp(beginning.data(), ELFMAG, SELFMAG) == 0 &&
         tryReadAt(beginning, offsetof(Elf64_Ehdr, e_type), type) && type == ET_CORE;
}

/// Some bytes and, around them, what undoes each layer of compression.
class Layers {
 public:
  /// Arguments must outlive the layers.
  Layers(ByteSource& innermost, const std::filesystem::path& path) : m_path(path), m_innermost(innermost) {}

  /// Adds decompression until what comes out is not compressed; tells what it is.
  Outcome<Packing> peel() {
    for (;;) {
      HEAPSCAPE_TRY(const Bytes beginning, source().peek());
      const Packing packing = packingOf(beginning);
      if (packing == Packing::None || packing == Packing::Tar) return packing;
      if (m_methods.size() >= kLimits.packingDepth) {
        return tl::unexpected<Unfinished>(
            Error{ErrorCode::NotACoreDump,
                  fmt::format("{} is compressed more than {} times over.", m_path.string(), kLimits.packingDepth),
                  "Decompress it first and open what comes out."});
      }
      auto decoder = makeDecoder(packing);
      if (!decoder) {
        return tl::unexpected<Unfinished>(
            Error{ErrorCode::FileUnreadable, "There is not enough memory to decompress the dump.", {}});
      }
      m_layers.push_back(std::make_unique<DecompressedSource>(source(), std::move(decoder)));
      m_methods.push_back(packing);
    }
  }

  ByteSource& source() { return m_layers.empty() ? m_innermost : *m_layers.back(); }
  bool isCompressed() const { return !m_layers.empty(); }
  std::uint64_t announcedBytes() const { return m_layers.size() == 1 ? m_layers.back()->announcedBytes() : 0; }
  Packing outermost() const { return m_methods.front(); }

 private:
  const std::filesystem::path& m_path;
  ByteSource& m_innermost;
  std::vector<std::unique_ptr<DecompressedSource>> m_layers;
  std::vector<Packing> m_methods;
};

/// Contents of an archive besides the core that is wanted, for the error that there is none.
struct Contents {
  std::vector<std::string> names;
  std::size_t files = 0;
  std::string packedName;  // of a file in it that is packed itself

  void add(const std::string& name) {
    if (++files <= kMostNamesShown) names.push_back(name);
  }
};

class Unpacker {
 public:
  Unpacker(RegularFile file, const std::filesystem::path& path, StageProgress& progress, std::stop_token stop)
      : m_file(std::move(file)), m_path(path), m_progress(progress), m_stop(std::move(stop)) {}

  Outcome<UnpackedCore> runOn(StreamSource& stream) {
    Layers layers(stream, m_path);
    HEAPSCAPE_TRY(const Packing inside, layers.peel());
    HEAPSCAPE_CHECK(makeTemporaryFile(layers.isCompressed() || inside == Packing::Tar ? kDecompress : kCopy));
    if (inside == Packing::Tar) {
      HEAPSCAPE_CHECK(extractFrom(layers.source(), {}));
      HEAPSCAPE_CHECK(readToTheEnd(layers.source()));
    } else {
      HEAPSCAPE_CHECK(writeOut(layers.source()));
    }
    if (stream.bytesSoFar() == 0) return nothingCame();
    return finish(layers, inside);
  }

  Outcome<UnpackedCore> run() {
    const Packing packing = packingOfFile(m_file);
    if (packing == Packing::None) return whole();
    if (packing == Packing::Tar) return outOfPlainTar();
    FileSource source(m_file, m_path, m_progress, m_stop);
    Layers layers(source, m_path);
    HEAPSCAPE_TRY(const Packing inside, layers.peel());
    HEAPSCAPE_CHECK(makeTemporaryFile(kDecompress));
    if (inside == Packing::Tar) {
      HEAPSCAPE_CHECK(extractFrom(layers.source(), {}));
      HEAPSCAPE_CHECK(readToTheEnd(layers.source()));
    } else {
      HEAPSCAPE_CHECK(checkRoom(layers));
      HEAPSCAPE_CHECK(writeOut(layers.source()));
    }
    return finish(layers, inside);
  }

 private:
  Outcome<UnpackedCore> finish(Layers& layers, Packing inside) {
    // Damage of the compression may have changed the archive's bytes, so it goes before what that looks like there.
    if (std::string damage = layers.source().damage(); !damage.empty()) m_core.damage = std::move(damage);
    if (inside == Packing::Tar && m_core.coresInArchive == 0) return noCoreInside();
    HEAPSCAPE_CHECK(m_output->finish());
    if (m_output->bytes() == 0) return nothingDecompressed(layers.outermost());
    return writtenOut();
  }

  tl::unexpected<Unfinished> nothingCame() const {
    return tl::unexpected<Unfinished>(Error{ErrorCode::FileUnreadable,
                                            fmt::format("Nothing came from {}.", m_path.string()),
                                            "See whether the command that writes to it has failed."});
  }

  UnpackedCore whole() {
    m_core.sizeBytes = m_file.sizeBytes;
    m_core.file = std::move(m_file);
    return std::move(m_core);
  }

  UnpackedCore writtenOut() {
    m_core.isDecompressed = true;
    m_core.sizeBytes = m_output->bytes();
    m_core.file = {m_output->release(), m_core.sizeBytes};
    return std::move(m_core);
  }

  Outcome<void> makeTemporaryFile(const WritingOut& words) {
    HEAPSCAPE_TRY(m_output, TemporaryFile::create(m_path, words));
    return {};
  }

  Outcome<void> poll() const {
    if (m_stop.stop_requested()) return tl::unexpected<Unfinished>(Unfinished::cancelled());
    return {};
  }

  /// Better to say at once that the disk is too small than after it was filled. Zeros need no room, so where all that
  /// comes out does not fit, it is decompressed once only to count.
  Outcome<void> checkRoom(const Layers& layers) {
    const std::uint64_t announced = layers.announcedBytes();
    const std::uint64_t available = m_output->freeBytes();
    if (announced < available) return {};
    FileSource source(m_file, m_path, m_progress, m_stop);
    Layers again(source, m_path);
    HEAPSCAPE_CHECK(again.peel());
    std::uint64_t bytes = 0;
    std::uint64_t needed = 0;
    for (;;) {
      HEAPSCAPE_CHECK(poll());
      HEAPSCAPE_TRY(const Bytes piece, again.source().next());
      if (piece.empty()) break;
      needed += bytesWithoutHoles(piece, bytes);
      bytes += piece.size();
      if (bytes >= kLimits.decompressedBytes) break;
    }
    if (needed >= available) return tl::unexpected<Unfinished>(m_output->noRoomFor(needed));
    return {};
  }

  Outcome<void> writeOut(ByteSource& source) {
    for (;;) {
      HEAPSCAPE_CHECK(poll());
      HEAPSCAPE_TRY(const Bytes piece, source.next());
      if (piece.empty()) return {};
      HEAPSCAPE_CHECK(m_output->append(piece));
    }
  }

  /// Reads the rest, so that checksums at the very end are compared too.
  Outcome<void> readToTheEnd(ByteSource& source) {
    for (std::uint64_t bytes = 0; bytes < kLimits.decompressedBytes;) {
      HEAPSCAPE_CHECK(poll());
      HEAPSCAPE_TRY(const Bytes piece, source.next());
      if (piece.empty()) return {};
      bytes += piece.size();
    }
    return {};
  }

  /// Looks through an archive for its largest core, which is written out if there is a temporary file. If an entry is
  /// wanted, only that one is written.
  Outcome<void> extractFrom(ByteSource& source, std::optional<std::uint64_t> wantedOffset) {
    TarReader archive(source);
    m_contents = {};
    m_core.coresInArchive = 0;
    m_largest.reset();
    for (std::size_t entries = 0; entries < kLimits.archiveEntries; ++entries) {
      HEAPSCAPE_CHECK(poll());
      HEAPSCAPE_TRY(const std::optional<TarEntry> entry, archive.nextEntry());
      if (!entry) break;
      HEAPSCAPE_TRY(const std::optional<TarPiece> first, archive.nextPiece());
      m_contents.add(entry->name);
      const Bytes beginning = first && first->offset == 0 ? first->bytes : Bytes();
      if (!isElfCore(beginning)) {
        if (packingOf(beginning) != Packing::None) m_contents.packedName = entry->name;
        if (m_output) HEAPSCAPE_CHECK(passOver(archive));
        continue;
      }
      ++m_core.coresInArchive;
      const bool isWanted =
          wantedOffset ? entry->dataOffset == *wantedOffset : !m_largest || entry->sizeBytes > m_largest->sizeBytes;
      if (!isWanted) {
        if (m_output) HEAPSCAPE_CHECK(passOver(archive));
        continue;
      }
      m_largest = *entry;
      m_core.nameInArchive = entry->name;
      m_core.damage.clear();
      if (!m_output) continue;
      HEAPSCAPE_CHECK(m_output->startAnew());
      HEAPSCAPE_CHECK(writeEntry(archive, *entry, *first));
    }
    if (m_core.coresInArchive == 0) m_core.damage = archive.damage();
    return {};
  }

  Outcome<void> passOver(TarReader& archive) {
    for (;;) {
      HEAPSCAPE_CHECK(poll());
      HEAPSCAPE_TRY(const std::optional<TarPiece> piece, archive.nextPiece());
      if (!piece) return {};
      m_passedBytes += piece->bytes.size();
      if (m_passedBytes > kLimits.decompressedBytes) {
        return tl::unexpected<Unfinished>(Error{ErrorCode::NotACoreDump,
                                                fmt::format("{} holds more than {}, which no archive of dumps does.",
                                                            m_path.string(), sizeText(kLimits.decompressedBytes)),
                                                {}});
      }
    }
  }

  Outcome<void> writeEntry(TarReader& archive, const TarEntry& entry, TarPiece piece) {
    for (;;) {
      HEAPSCAPE_CHECK(poll());
      HEAPSCAPE_CHECK(m_output->extendTo(piece.offset));
      HEAPSCAPE_CHECK(m_output->append(piece.bytes));
      HEAPSCAPE_TRY(const std::optional<TarPiece> next, archive.nextPiece());
      if (!next) break;
      piece = *next;
    }
    m_core.damage = archive.damage();
    // The end of a sparse file may be a hole.
    if (m_core.damage.empty()) HEAPSCAPE_CHECK(m_output->extendTo(entry.sizeBytes));
    return {};
  }

  /// A core that lies in the archive as it is needs no copy.
  Outcome<UnpackedCore> outOfPlainTar() {
    {
      FileSource source(m_file, m_path, m_progress, m_stop);
      HEAPSCAPE_CHECK(extractFrom(source, {}));
    }
    if (!m_largest) return noCoreInside();
    const TarEntry entry = *m_largest;
    if (!entry.isSparse && entry.dataOffset < m_file.sizeBytes) {
      const std::uint64_t there = m_file.sizeBytes - entry.dataOffset;
      m_core.fileOffset = entry.dataOffset;
      m_core.sizeBytes = std::min(entry.sizeBytes, there);
      if (entry.sizeBytes > there) m_core.damage = "the tar archive ends early";
      m_core.file = std::move(m_file);
      return std::move(m_core);
    }
    HEAPSCAPE_CHECK(makeTemporaryFile(kDecompress));
    FileSource source(m_file, m_path, m_progress, m_stop);
    HEAPSCAPE_CHECK(extractFrom(source, entry.dataOffset));
    HEAPSCAPE_CHECK(m_output->finish());
    return writtenOut();
  }

  tl::unexpected<Unfinished> noCoreInside() const {
    std::string holds = fmt::format("{}", fmt::join(m_contents.names, ", "));
    if (m_contents.files > m_contents.names.size()) {
      holds += fmt::format(" and {} more", m_contents.files - m_contents.names.size());
    }
    if (m_contents.files == 0) holds = "no files";
    const std::string damage = m_core.damage.empty() ? "" : fmt::format(" ({})", m_core.damage);
    return tl::unexpected<Unfinished>(
        Error{ErrorCode::NotACoreDump,
              fmt::format("{} is a tar archive without a core dump: it holds {}{}.", m_path.string(), holds, damage),
              m_contents.packedName.empty() ? std::string(kWhichDumpsHelp)
                                            : fmt::format("Take {} out of it and open that.", m_contents.packedName)});
  }

  tl::unexpected<Unfinished> nothingDecompressed(Packing packing) const {
    return tl::unexpected<Unfinished>(Error{
        ErrorCode::NotACoreDump,
        m_core.damage.empty()
            ? fmt::format("{} is compressed with {}, but there is nothing in it.", m_path.string(), toString(packing))
            : fmt::format("{} is compressed with {}, but nothing of it can be decompressed: {}.", m_path.string(),
                          toString(packing), m_core.damage),
        "Copy the file again, or open the dump it was made from."});
  }

  RegularFile m_file;
  const std::filesystem::path& m_path;
  StageProgress& m_progress;
  std::stop_token m_stop;
  std::optional<TemporaryFile> m_output;
  UnpackedCore m_core;
  Contents m_contents;
  std::optional<TarEntry> m_largest;
  std::uint64_t m_passedBytes = 0;
};

}  // namespace

Outcome<UnpackedCore> unpackCore(RegularFile file, const std::filesystem::path& path, StageProgress& progress,
                                 std::stop_token stop) {
  return Unpacker(std::move(file), path, progress, std::move(stop)).run();
}

Outcome<UnpackedCore> unpackStream(const InputStream& stream, StageProgress& progress, std::stop_token stop) {
  StreamSource source(stream, progress, stop);
  return Unpacker({}, stream.name, progress, std::move(stop)).runOn(source);
}

bool isPackedFile(const std::filesystem::path& path) {
  if (isStream(path)) return true;
  const auto file = openRegularFile(namedInput(path), {});
  const Packing packing = file ? packingOfFile(*file) : Packing::None;
  return packing != Packing::None && packing != Packing::Tar;
}

}  // namespace heapscape::engine
