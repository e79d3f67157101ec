// SPDX-License-Identifier: MIT
#include "support/dump_path.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <span>
#include <stdexcept>
#include <string_view>

#include "support/zstandard.h"

namespace heapscape::test {
namespace {

constexpr std::size_t kHoleBytes = 4096;

/// Blocks of zeros become holes, as most of a dump is.
void writeWithHoles(const std::string& bytes, const std::filesystem::path& path) {
  std::ofstream file(path, std::ios::binary);
  for (std::size_t at = 0; at < bytes.size(); at += kHoleBytes) {
    const std::string_view block = std::string_view(bytes).substr(at, kHoleBytes);
    if (std::ranges::all_of(block, [](char byte) { return byte == 0; })) continue;
    file.seekp(static_cast<std::streamoff>(at)).write(block.data(), static_cast<std::streamsize>(block.size()));
  }
  file.close();
  if (!file) throw std::runtime_error("cannot write " + path.string());
  std::filesystem::resize_file(path, bytes.size());
}

/// Those of the program, which are looked for beside its dump.
void copyFilesBeside(const std::filesystem::path& packed, const std::filesystem::path& unpacked) {
  for (const auto& entry : std::filesystem::directory_iterator(packed.parent_path())) {
    if (entry.path().extension() != ".pdb" && entry.path().extension() != ".dll") continue;
    std::filesystem::copy_file(entry.path(), unpacked.parent_path() / entry.path().filename(),
                               std::filesystem::copy_options::overwrite_existing);
  }
}

/// The dump that this one lies there as a patch over; empty for one that is whole.
std::string baseOf(const std::string& dump) {
  std::ifstream table(std::filesystem::path(HEAPSCAPE_TEST_DATA) / "patches.txt");
  std::string patched;
  std::string base;
  while (table >> patched >> base) {
    if (patched == dump) return base;
  }
  return {};
}

std::filesystem::path packedPathOf(const std::string& dump, const std::string& base) {
  return std::filesystem::path(HEAPSCAPE_TEST_DATA) / (dump + (base.empty() ? ".core.zst" : ".core.patch"));
}

std::string unpackedDump(const std::string& dump) {
  const std::string base = baseOf(dump);
  if (base.empty()) return unpackedFile(packedDumpPath(dump));
  const std::string bytes = unpackedDump(base);
  return unpackedPatch(packedPathOf(dump, base), std::as_bytes(std::span(bytes)));
}

}  // namespace

std::filesystem::path packedDumpPath(const std::string& dump) {
  return std::filesystem::path(HEAPSCAPE_TEST_DATA) / (dump + ".core.zst");
}

std::filesystem::path dumpPath(const std::string& dump) {
  const std::filesystem::path packed = packedPathOf(dump, baseOf(dump));
  const std::filesystem::path unpacked = std::filesystem::path(HEAPSCAPE_UNPACKED_DUMPS) / (dump + ".core");
  const auto time = std::filesystem::last_write_time(packed);
  std::error_code isMissing;
  if (std::filesystem::last_write_time(unpacked, isMissing) == time) return unpacked;
  std::filesystem::create_directories(unpacked.parent_path());
  copyFilesBeside(packed, unpacked);
  // Programs that do this at once each put a whole file in the place of the other's.
  const std::filesystem::path part = unpacked.string() + "." + std::to_string(::getpid());
  writeWithHoles(unpackedDump(dump), part);
  std::filesystem::last_write_time(part, time);
  std::filesystem::rename(part, unpacked);
  return unpacked;
}

}  // namespace heapscape::test
