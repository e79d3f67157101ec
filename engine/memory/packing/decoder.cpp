// SPDX-License-Identifier: MIT
#include "memory/packing/decoder.h"

#include <lz4frame.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>
#include <algorithm>
#include <limits>
#include <string_view>

#include "base/limits.h"

namespace heapscape::engine {
namespace {

using namespace std::string_view_literals;

constexpr std::uint32_t kLz4FrameMagic = 0x184d2204;

/// The header's sum counts its own eight digits as blanks (POSIX ustar; the same in v7 and GNU archives).
bool isTarHeader(Bytes header) {
  constexpr std::size_t kSumAt = 148;
  constexpr std::size_t kSumBytes = 8;
  if (header.size() < kPackingBytes || header[0] == std::byte{0}) return false;
  std::uint32_t stated = 0;
  bool hasDigits = false;
  for (const std::byte letter : header.subspan(kSumAt, kSumBytes)) {
    const auto code = std::to_integer<unsigned>(letter);
    if (code >= '0' && code <= '7') {
      stated = stated * 8 + (code - '0');
      hasDigits = true;
    } else if (hasDigits || code != ' ') {
      break;
    }
  }
  std::uint32_t sum = ' ' * kSumBytes;
  for (std::size_t at = 0; at < kPackingBytes; ++at) {
    if (at < kSumAt || at >= kSumAt + kSumBytes) sum += std::to_integer<std::uint32_t>(header[at]);
  }
  return hasDigits && stated == sum;
}

}  // namespace

Packing packingOf(Bytes beginning) {
  const std::string_view text(reinterpret_cast<const char*>(beginning.data()), beginning.size());
  std::uint32_t magic = 0;
  if (!tryReadAt(beginning, 0, magic)) return Packing::None;
  if (magic == ZSTD_MAGICNUMBER) return Packing::Zstandard;
  if (magic == kLz4FrameMagic) return Packing::Lz4;
  // Both formats have the same skippable frames; zstd writes them, for its seekable form and by pzstd.
  if ((magic & ZSTD_MAGIC_SKIPPABLE_MASK) == ZSTD_MAGIC_SKIPPABLE_START) return Packing::Zstandard;
  if (text.starts_with("\x1f\x8b\x08"sv)) return Packing::Gzip;
  if (text.starts_with("\xfd\x37zXZ\0"sv)) return Packing::Xz;
  if (isTarHeader(beginning.first(std::min(beginning.size(), kPackingBytes)))) return Packing::Tar;
  return Packing::None;
}

std::unique_ptr<Decoder> makeDecoder(Packing packing) {
  switch (packing) {
    case Packing::Zstandard:
      return makeZstandardDecoder();
    case Packing::Gzip:
      return makeGzipDecoder();
    case Packing::Xz:
      return makeXzDecoder();
    case Packing::Lz4:
      return makeLz4Decoder();
    case Packing::None:
    case Packing::Tar:
      return nullptr;
  }
  return nullptr;
}

std::shared_ptr<std::byte[]> inflateBytes(Bytes packed, std::uint32_t sizeBytes) {
  constexpr int kWithoutHead = -MAX_WBITS;
  constexpr std::uint64_t kMostExpansion = 1032;  // of deflate
  if (packed.size() > std::numeric_limits<uInt>::max() || sizeBytes > packed.size() * kMostExpansion) return nullptr;
  z_stream stream{};
  if (inflateInit2(&stream, kWithoutHead) != Z_OK) return nullptr;
  auto unpacked = std::make_shared_for_overwrite<std::byte[]>(sizeBytes);
  stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(packed.data()));  // zlib does not write to it
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(unpacked.get());
  stream.avail_out = sizeBytes;
  const int ended = inflate(&stream, Z_FINISH);
  inflateEnd(&stream);
  return ended == Z_STREAM_END && stream.avail_out == 0 ? unpacked : nullptr;
}

namespace {

constexpr int kLargestWindowLog = 31;

class ZstandardDecoder : public Decoder {
 public:
  ZstandardDecoder() : m_context(ZSTD_createDCtx(), &ZSTD_freeDCtx) {
    if (m_context) ZSTD_DCtx_setParameter(m_context.get(), ZSTD_d_windowLogMax, kLargestWindowLog);
  }

  bool isReady() const { return m_context != nullptr; }

  DecodedStep decode(Bytes input, std::span<std::byte> output) override {
    ZSTD_inBuffer from{input.data(), input.size(), 0};
    ZSTD_outBuffer to{output.data(), output.size(), 0};
    const std::size_t status = ZSTD_decompressStream(m_context.get(), &to, &from);
    DecodedStep step{from.pos, to.pos, status == 0, {}};
    if (ZSTD_isError(status)) step.error = ZSTD_getErrorName(status);
    return step;
  }

  std::uint64_t announcedBytes(Bytes beginning) const override {
    const unsigned long long content = ZSTD_getFrameContentSize(beginning.data(), beginning.size());
    return content == ZSTD_CONTENTSIZE_UNKNOWN || content == ZSTD_CONTENTSIZE_ERROR ? 0 : content;
  }

 private:
  std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> m_context;
};

}  // namespace

std::unique_ptr<Decoder> makeZstandardDecoder() {
  auto decoder = std::make_unique<ZstandardDecoder>();
  return decoder->isReady() ? std::move(decoder) : nullptr;
}

namespace {

constexpr int kGzipWithLargestWindow = 16 + 15;

class GzipDecoder : public Decoder {
 public:
  GzipDecoder() : m_isReady(inflateInit2(&m_stream, kGzipWithLargestWindow) == Z_OK) {}
  ~GzipDecoder() override {
    if (m_isReady) inflateEnd(&m_stream);
  }
  GzipDecoder(const GzipDecoder&) = delete;
  GzipDecoder& operator=(const GzipDecoder&) = delete;

  bool isReady() const { return m_isReady; }

  DecodedStep decode(Bytes input, std::span<std::byte> output) override {
    DecodedStep step;
    if (m_isBetweenMembers) {
      // Tapes and some copies fill the rest of a block with zeros.
      const auto member = std::ranges::find_if(input, [](std::byte value) { return value != std::byte{0}; });
      step.read = static_cast<std::size_t>(member - input.begin());
      step.isAtFrameEnd = true;
      if (step.read == input.size()) return step;
      inflateReset(&m_stream);
      m_isBetweenMembers = false;
    }
    const Bytes rest = input.subspan(step.read);
    // zlib's input has no const unless ZLIB_CONST is set, yet it does not write to it.
    m_stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(rest.data()));
    m_stream.avail_in = lengthOf(rest.size());
    m_stream.next_out = reinterpret_cast<Bytef*>(output.data());
    m_stream.avail_out = lengthOf(output.size());
    const int status = inflate(&m_stream, Z_NO_FLUSH);
    step.read += lengthOf(rest.size()) - m_stream.avail_in;
    step.written = lengthOf(output.size()) - m_stream.avail_out;
    step.isAtFrameEnd = m_isBetweenMembers = status == Z_STREAM_END;
    // Z_BUF_ERROR only says that there was nothing to do.
    if (status == Z_NEED_DICT) {
      step.error = "it needs a dictionary";
    } else if (status < 0 && status != Z_BUF_ERROR) {
      step.error = m_stream.msg ? m_stream.msg : "not enough memory";
    }
    return step;
  }

 private:
  static uInt lengthOf(std::size_t size) {
    return static_cast<uInt>(std::min<std::size_t>(size, std::numeric_limits<uInt>::max()));
  }

  z_stream m_stream{};
  bool m_isReady;
  bool m_isBetweenMembers = false;
};

}  // namespace

std::unique_ptr<Decoder> makeGzipDecoder() {
  auto decoder = std::make_unique<GzipDecoder>();
  return decoder->isReady() ? std::move(decoder) : nullptr;
}

namespace {

const char* textOf(lzma_ret status) {
  switch (status) {
    case LZMA_DATA_ERROR:
      return "its data is corrupt";
    case LZMA_FORMAT_ERROR:
      return "this is no xz stream";
    case LZMA_OPTIONS_ERROR:
      return "it asks for options that do not exist";
    case LZMA_MEMLIMIT_ERROR:
      return "it asks for more memory than any encoder does";
    case LZMA_MEM_ERROR:
      return "not enough memory";
    case LZMA_UNSUPPORTED_CHECK:
      return "its checksum is of an unknown kind";
    default:
      return "it cannot be decoded";
  }
}

class XzDecoder : public Decoder {
 public:
  ~XzDecoder() override { lzma_end(&m_stream); }
  XzDecoder() = default;
  XzDecoder(const XzDecoder&) = delete;
  XzDecoder& operator=(const XzDecoder&) = delete;

  bool start() { return lzma_stream_decoder(&m_stream, kLimits.decoderBytes, LZMA_TELL_UNSUPPORTED_CHECK) == LZMA_OK; }

  DecodedStep decode(Bytes input, std::span<std::byte> output) override {
    DecodedStep step;
    if (m_isBetweenStreams) {
      // Streams are filled up with zeros to a multiple of four bytes.
      const auto stream = std::ranges::find_if(input, [](std::byte value) { return value != std::byte{0}; });
      step.read = static_cast<std::size_t>(stream - input.begin());
      step.isAtFrameEnd = true;
      if (step.read == input.size()) return step;
      if (!start()) return {step.read, 0, true, "not enough memory"};
      m_isBetweenStreams = false;
    }
    const Bytes rest = input.subspan(step.read);
    m_stream.next_in = reinterpret_cast<const std::uint8_t*>(rest.data());
    m_stream.avail_in = rest.size();
    m_stream.next_out = reinterpret_cast<std::uint8_t*>(output.data());
    m_stream.avail_out = output.size();
    const lzma_ret status = lzma_code(&m_stream, LZMA_RUN);
    step.read += rest.size() - m_stream.avail_in;
    step.written = output.size() - m_stream.avail_out;
    step.isAtFrameEnd = m_isBetweenStreams = status == LZMA_STREAM_END;
    // LZMA_BUF_ERROR only says that there was nothing to do.
    if (status != LZMA_OK && status != LZMA_STREAM_END && status != LZMA_BUF_ERROR) step.error = textOf(status);
    return step;
  }

 private:
  lzma_stream m_stream = LZMA_STREAM_INIT;
  bool m_isBetweenStreams = false;
};

}  // namespace

std::unique_ptr<Decoder> makeXzDecoder() {
  auto decoder = std::make_unique<XzDecoder>();
  return decoder->start() ? std::move(decoder) : nullptr;
}

namespace {

class Lz4Decoder : public Decoder {
 public:
  ~Lz4Decoder() override { LZ4F_freeDecompressionContext(m_context); }
  Lz4Decoder() = default;
  Lz4Decoder(const Lz4Decoder&) = delete;
  Lz4Decoder& operator=(const Lz4Decoder&) = delete;

  bool start() { return !LZ4F_isError(LZ4F_createDecompressionContext(&m_context, LZ4F_VERSION)); }

  DecodedStep decode(Bytes input, std::span<std::byte> output) override {
    std::size_t read = input.size();
    std::size_t written = output.size();
    const std::size_t status = LZ4F_decompress(m_context, output.data(), &written, input.data(), &read, nullptr);
    DecodedStep step{read, written, status == 0, {}};
    if (LZ4F_isError(status)) step = {0, 0, false, LZ4F_getErrorName(status)};
    return step;
  }

 private:
  LZ4F_dctx* m_context = nullptr;
};

}  // namespace

std::unique_ptr<Decoder> makeLz4Decoder() {
  auto decoder = std::make_unique<Lz4Decoder>();
  return decoder->start() ? std::move(decoder) : nullptr;
}

}  // namespace heapscape::engine
