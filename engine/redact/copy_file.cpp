// SPDX-License-Identifier: MIT
#include "redact/copy_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <zstd.h>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <thread>
#include <utility>

namespace heapscape::engine {

void CopyFile::FreeContext::operator()(ZSTD_CCtx_s* context) const {
  ZSTD_freeCCtx(context);
}

Result<CopyFile> CopyFile::create(const std::filesystem::path& path, mode_t mode) {
  CopyFile file;
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    return failure(ErrorCode::FileUnreadable,
                   fmt::format("{} is no file that a copy can take the place of.", path.string()), "Name a file.");
  }
  file.m_target = std::filesystem::exists(status) ? std::filesystem::canonical(path, ignored) : path;
  if (file.m_target.empty()) file.m_target = path;
  file.m_fresh = file.m_target;
  file.m_fresh += fmt::format(".{}.new", ::getpid());
  file.m_file =
      FileDescriptor(::open(file.m_fresh.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
  if (!file.m_file.isOpen()) {
    const Error error = file.notWritten(errno);
    file.m_fresh.clear();
    return tl::unexpected<Error>(error);
  }
  if (path.extension() == ".zst") {
    file.m_packer.reset(ZSTD_createCCtx());
    constexpr int kLevel = 3;
    constexpr unsigned kMostWorkers = 8;
    ZSTD_CCtx_setParameter(file.m_packer.get(), ZSTD_c_compressionLevel, kLevel);
    ZSTD_CCtx_setParameter(file.m_packer.get(), ZSTD_c_checksumFlag, 1);
    // The bytes are the same for any number of workers but none.
    ZSTD_CCtx_setParameter(file.m_packer.get(), ZSTD_c_nbWorkers,
                           static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1u, kMostWorkers)));
    file.m_packed.resize(ZSTD_CStreamOutSize());
  }
  return file;
}

CopyFile::CopyFile(CopyFile&& other) noexcept
    : m_target(std::move(other.m_target)),
      m_fresh(std::exchange(other.m_fresh, {})),
      m_file(std::move(other.m_file)),
      m_packer(std::move(other.m_packer)),
      m_packed(std::move(other.m_packed)),
      m_fileBytes(other.m_fileBytes) {}

CopyFile::~CopyFile() {
  if (!m_fresh.empty()) ::unlink(m_fresh.c_str());
}

Error CopyFile::notWritten(int error) const {
  return {
      ErrorCode::FileUnreadable, fmt::format("{} cannot be written: {}.", m_target.string(), systemMessage(error)),
      error == ENOSPC ? "Make room on the disk, or choose another folder." : "Choose a folder that can be written to."};
}

void CopyFile::expect(std::uint64_t bytes) {
  if (m_packer) ZSTD_CCtx_setPledgedSrcSize(m_packer.get(), bytes);
}

Result<void> CopyFile::append(Bytes bytes) {
  return m_packer ? pack(bytes, false) : write(bytes);
}

Result<void> CopyFile::pack(Bytes bytes, bool isLast) {
  ZSTD_inBuffer input{bytes.data(), bytes.size(), 0};
  for (;;) {
    ZSTD_outBuffer output{m_packed.data(), m_packed.size(), 0};
    const std::size_t left =
        ZSTD_compressStream2(m_packer.get(), &output, &input, isLast ? ZSTD_e_end : ZSTD_e_continue);
    if (ZSTD_isError(left)) {
      return failure(ErrorCode::FileUnreadable,
                     fmt::format("{} cannot be packed: {}.", m_target.string(), ZSTD_getErrorName(left)));
    }
    HEAPSCAPE_CHECK(write(std::span(m_packed).first(output.pos)));
    if (isLast ? left == 0 : input.pos == input.size) return {};
  }
}

Result<void> CopyFile::write(Bytes bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(m_file.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return tl::unexpected<Error>(notWritten(errno));
    m_fileBytes += static_cast<std::uint64_t>(written);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return {};
}

Result<void> CopyFile::finish() {
  if (m_packer) HEAPSCAPE_CHECK(pack({}, true));
  if (::fdatasync(m_file.get()) != 0 || ::rename(m_fresh.c_str(), m_target.c_str()) != 0)
    return tl::unexpected<Error>(notWritten(errno));
  m_fresh.clear();
  return {};
}

}  // namespace heapscape::engine
