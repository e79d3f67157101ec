// SPDX-License-Identifier: MIT
#include <zstd.h>

#include "memory/packing/decoder.h"

namespace heapscape::engine {

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

}  // namespace heapscape::engine
