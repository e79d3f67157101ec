// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/bounded_reader.h"

namespace heapscape::engine {

/// A function that a library's symbols name.
struct NamedFunction {
  std::uint64_t address = 0;
  std::uint64_t sizeBytes = 0;
  std::string name;  // as the linker knows it
};

/// A shared library on disk, read as data and never loaded. Addresses are the file's own, before it is placed anywhere.
class ElfLibraryFile {
 public:
  /// Returns nullopt unless `path` is a regular ELF file of 64-bit x86 or arm64 whose build-id is the one given.
  static std::optional<ElfLibraryFile> openMatching(const std::filesystem::path& path, const std::string& buildId);

  std::optional<std::uint64_t> findSymbol(std::string_view name) const;
  /// Functions of all its symbols, in no order; of the exported ones alone if it was stripped of the others.
  std::vector<NamedFunction> functions() const;
  bool isStripped() const;
  /// Initialised bytes at an address; false if they do not lie wholly in the file.
  bool tryRead(std::uint64_t address, std::span<std::byte> target) const;
  /// The pointer that ld.so would put at an address of a library placed at 0: a relative relocation's, or the file's
  /// own.
  std::optional<std::uint64_t> relocatedPointer(std::uint64_t address) const;

 private:
  struct Impl;
  explicit ElfLibraryFile(std::shared_ptr<const Impl> impl) : m_impl(std::move(impl)) {}
  std::shared_ptr<const Impl> m_impl;
};

}  // namespace heapscape::engine
