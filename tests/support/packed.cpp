// SPDX-License-Identifier: MIT
#include "support/packed.h"

#include <archive.h>
#include <archive_entry.h>
#include <lz4frame.h>
#include <lzma.h>
#include <zlib.h>

#include <algorithm>
#include <memory>
#include <stdexcept>

namespace heapscape::test {

namespace {

void require(bool isDone, const char* what) {
  if (!isDone) throw std::runtime_error(what);
}

constexpr std::size_t kPageBytes = 4096;

/// Tells which pages of a file have something in them.
void addExtents(archive_entry* entry, engine::Bytes bytes) {
  for (std::size_t at = 0; at < bytes.size(); at += kPageBytes) {
    const engine::Bytes page = bytes.subspan(at, std::min(kPageBytes, bytes.size() - at));
    const bool isHole = std::ranges::all_of(page, [](std::byte value) { return value == std::byte{0}; });
    if (!isHole)
      archive_entry_sparse_add_entry(entry, static_cast<la_int64_t>(at), static_cast<la_int64_t>(page.size()));
  }
}

}  // namespace

FileBytes gzipped(engine::Bytes bytes) {
  constexpr int kGzip = 16 + 15;
  z_stream stream{};
  require(deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY) == Z_OK, "no gzip");
  FileBytes result(deflateBound(&stream, bytes.size()));
  stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  require(deflate(&stream, Z_FINISH) == Z_STREAM_END, "gzip did not end");
  result.resize(stream.total_out);
  deflateEnd(&stream);
  return result;
}

FileBytes xzCompressed(engine::Bytes bytes) {
  FileBytes result(lzma_stream_buffer_bound(bytes.size()));
  std::size_t written = 0;
  require(lzma_easy_buffer_encode(0, LZMA_CHECK_CRC64, nullptr, reinterpret_cast<const std::uint8_t*>(bytes.data()),
                                  bytes.size(), reinterpret_cast<std::uint8_t*>(result.data()), &written,
                                  result.size()) == LZMA_OK,
          "xz failed");
  result.resize(written);
  return result;
}

FileBytes lz4Compressed(engine::Bytes bytes) {
  LZ4F_preferences_t preferences{};
  preferences.frameInfo.contentChecksumFlag = LZ4F_contentChecksumEnabled;
  FileBytes result(LZ4F_compressFrameBound(bytes.size(), &preferences));
  const std::size_t written =
      LZ4F_compressFrame(result.data(), result.size(), bytes.data(), bytes.size(), &preferences);
  require(!LZ4F_isError(written), "LZ4 failed");
  result.resize(written);
  return result;
}

FileBytes tarred(const std::vector<PackedFile>& files) {
  FileBytes result;
  const std::unique_ptr<archive, decltype(&archive_write_free)> writer(archive_write_new(), &archive_write_free);
  archive_write_set_format_pax_restricted(writer.get());
  archive_write_set_bytes_in_last_block(writer.get(), 1);
  const auto write = [](archive*, void* target, const void* bytes, std::size_t size) {
    const auto* start = static_cast<const std::byte*>(bytes);
    auto& file = *static_cast<FileBytes*>(target);
    file.insert(file.end(), start, start + size);
    return static_cast<la_ssize_t>(size);
  };
  require(archive_write_open(writer.get(), &result, nullptr, write, nullptr) == ARCHIVE_OK, "no tar");
  for (const PackedFile& file : files) {
    const std::unique_ptr<archive_entry, decltype(&archive_entry_free)> entry(archive_entry_new(), &archive_entry_free);
    archive_entry_set_pathname(entry.get(), file.name.c_str());
    archive_entry_set_filetype(entry.get(), AE_IFREG);
    archive_entry_set_perm(entry.get(), 0600);
    archive_entry_set_size(entry.get(), static_cast<la_int64_t>(file.bytes.size()));
    if (file.isSparse) addExtents(entry.get(), file.bytes);
    require(archive_write_header(writer.get(), entry.get()) == ARCHIVE_OK, "no entry");
    archive_write_data(writer.get(), file.bytes.data(), file.bytes.size());
  }
  require(archive_write_close(writer.get()) == ARCHIVE_OK, "the tar did not end");
  return result;
}

}  // namespace heapscape::test
