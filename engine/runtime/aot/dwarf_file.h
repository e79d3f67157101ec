// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

struct Dwarf;

namespace heapscape::engine {

/// What the linker set aside of a program for debuggers: a file with its symbols and its DWARF, or the program itself
/// where it kept them. Read by libdw, as data; never executed. Not safe from several threads.
class DwarfFile {
 public:
  /// Returns nullopt unless `path` is a regular ELF file of the build-id given that has DWARF.
  static std::optional<DwarfFile> openMatching(const std::filesystem::path& path, const std::string& buildId);

  /// The file that an ELF file names as the one with its debugging information (.gnu_debuglink), "shop.dbg"; empty if
  /// it names none, or is no ELF file.
  static std::string linkOf(const std::filesystem::path& path);

  /// Opened when first asked for, which unpacks what is compressed. Fails with Damaged.
  Result<Dwarf*> dwarf();
  /// Calls `visit` with the name and the value of each symbol that lies in the program; the names live as long as this.
  void forEachSymbol(const std::function<void(std::string_view name, std::uint64_t address)>& visit);

 private:
  struct Impl;
  explicit DwarfFile(std::shared_ptr<Impl> impl) : m_impl(std::move(impl)) {}
  std::shared_ptr<Impl> m_impl;
};

}  // namespace heapscape::engine
