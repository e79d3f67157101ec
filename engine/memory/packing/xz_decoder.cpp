// SPDX-License-Identifier: MIT
#include <lzma.h>

#include <algorithm>

#include "base/limits.h"
#include "memory/packing/decoder.h"

namespace heapscape::engine {

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

}  // namespace heapscape::engine
