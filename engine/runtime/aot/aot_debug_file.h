// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "memory/address_space.h"
#include "runtime/aot/aot_told_types.h"
#include "runtime/aot/dwarf_lines.h"

namespace heapscape::engine {

/// The file with a program's debugging information, which the linker wrote beside it ("shop.dbg"), or the program
/// itself if it was not stripped. It is taken if its build-id is the program's, and read when something first needs it.
/// Safe from any thread.
class AotDebugFile {
 public:
  struct Program {
    std::string path;     // on the machine of the dump
    std::string buildId;  // empty if not known: then no file is taken
    Address base;         // where its first byte is mapped
  };
  /// The others have to live as long as this.
  AotDebugFile(const AddressSpace& memory, Program program, const AotMethodTables& methodTables,
               const AotModules& modules, const AotTypeNames& names)
      : m_memory(memory),
        m_program(std::move(program)),
        m_methodTables(methodTables),
        m_modules(modules),
        m_names(names) {}

  /// What it tells of types; null if there is no such file, or if it is damaged.
  const AotToldTypes* types() const;
  /// The line of the source that an instruction of the process was compiled from; nullopt where nothing tells of it.
  std::optional<SourceLine> lineOf(Address instruction) const;
  /// The name that it is looked for by: as the program names it, or as the linker would.
  std::string fileName() const;
  /// Files of that name that were found, and are of another program or build.
  const std::vector<std::filesystem::path>& others() const;
  const Program& program() const { return m_program; }
  /// The file that was taken; empty if there is none.
  const std::filesystem::path& file() const;
  /// Why a file that was found is not used; empty if there is none, or if nothing hinders.
  const std::string& problem() const;

 private:
  void find() const;
  void readLines() const;

  const AddressSpace& m_memory;
  const Program m_program;
  const AotMethodTables& m_methodTables;
  const AotModules& m_modules;
  const AotTypeNames& m_names;
  mutable std::once_flag m_once;
  mutable std::unique_ptr<const AotToldTypes> m_types;
  mutable std::filesystem::path m_file;
  mutable std::string m_problem;
  mutable std::vector<std::filesystem::path> m_others;
  mutable Address m_bias;
  mutable std::once_flag m_linesOnce;
  mutable std::optional<DwarfLines> m_lines;
};

}  // namespace heapscape::engine
