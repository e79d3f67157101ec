// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "memory/elf/elf_core.h"
#include "support/temporary_folder.h"

namespace heapscape::test {

/// A core file of our own, decompressed from a dump of tests/data, whose bytes can be changed and put back, or cut.
class PatchedCore {
 public:
  explicit PatchedCore(const std::string& dump);
  ~PatchedCore();
  PatchedCore(const PatchedCore&) = delete;
  PatchedCore& operator=(const PatchedCore&) = delete;

  const std::filesystem::path& path() const { return m_path; }
  /// As the file was at first.
  const engine::ElfCore& core() const { return m_core; }
  std::uint64_t sizeBytes() const { return m_core.fileBytes; }

  /// Where a byte of memory is in the file; throws if it is not.
  std::uint64_t fileOffset(engine::Address address) const;

  std::vector<std::byte> readAt(std::uint64_t fileOffset, std::size_t size) const;
  void writeAt(std::uint64_t fileOffset, std::span<const std::byte> bytes);

  template <class T>
  T read(engine::Address address) const {
    T value{};
    const auto bytes = readAt(fileOffset(address), sizeof(T));
    std::memcpy(&value, bytes.data(), sizeof(T));
    return value;
  }
  template <class T>
  void write(engine::Address address, const T& value) {
    writeAt(fileOffset(address), std::as_bytes(std::span(&value, 1)));
  }

  /// Takes bytes out of memory: the program header of the part before is shortened, and that of createdump's own page
  /// is used for what lies behind.
  void makeHole(engine::AddressRange range);
  /// The file ends here; can only be made shorter.
  void cut(std::uint64_t sizeBytes);
  /// Puts back what was changed or cut.
  void restore();

 private:
  struct Change {
    std::uint64_t fileOffset = 0;
    std::vector<std::byte> before;
  };

  TemporaryFolder m_folder;
  std::filesystem::path m_path;
  int m_descriptor = -1;
  engine::ElfCore m_core;
  std::vector<Change> m_changes;
};

}  // namespace heapscape::test
