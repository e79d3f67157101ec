// SPDX-License-Identifier: MIT
#include <zlib.h>

#include <algorithm>
#include <limits>

#include "memory/packing/decoder.h"

namespace heapscape::engine {

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

}  // namespace heapscape::engine
