// SPDX-License-Identifier: MIT
#include <lz4frame.h>

#include "memory/packing/decoder.h"

namespace heapscape::engine {

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
