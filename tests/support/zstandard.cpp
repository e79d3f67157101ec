// SPDX-License-Identifier: MIT
#include "support/zstandard.h"

#include <zstd.h>

#include <fstream>
#include <iterator>
#include <memory>
#include <span>
#include <stdexcept>

namespace heapscape::test {
namespace {

constexpr int kLargestWindow = 31;  // a patch refers to all of its base

std::string contentsOf(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("there is no " + path.string());
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string decompressedOver(engine::Bytes base, engine::Bytes frame) {
  const unsigned long long size = ZSTD_getFrameContentSize(frame.data(), frame.size());
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN) throw std::runtime_error("no sized frame");
  const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(), &ZSTD_freeDCtx);
  ZSTD_DCtx_setParameter(context.get(), ZSTD_d_windowLogMax, kLargestWindow);
  ZSTD_DCtx_refPrefix(context.get(), base.data(), base.size());
  std::string bytes(size, '\0');
  const std::size_t written =
      ZSTD_decompressDCtx(context.get(), bytes.data(), bytes.size(), frame.data(), frame.size());
  if (ZSTD_isError(written) || written != size) throw std::runtime_error("a damaged frame");
  return bytes;
}

}  // namespace

FileBytes compressed(engine::Bytes bytes, bool announceSize) {
  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(), &ZSTD_freeCCtx);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_contentSizeFlag, announceSize ? 1 : 0);
  FileBytes result(ZSTD_compressBound(bytes.size()));
  const std::size_t size = ZSTD_compress2(context.get(), result.data(), result.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(size)) throw std::runtime_error(ZSTD_getErrorName(size));
  result.resize(size);
  return result;
}

std::string decompressed(engine::Bytes frame) {
  return decompressedOver({}, frame);
}

std::string unpackedFile(const std::filesystem::path& path) {
  const std::string frame = contentsOf(path);
  return decompressed(std::as_bytes(std::span(frame)));
}

std::string unpackedPatch(const std::filesystem::path& path, engine::Bytes base) {
  const std::string frame = contentsOf(path);
  return decompressedOver(base, std::as_bytes(std::span(frame)));
}

}  // namespace heapscape::test
