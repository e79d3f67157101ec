// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "metadata/image/portable_pdb.h"
#include "runtime/aot/dwarf_file.h"

namespace heapscape::engine {

/// Which line of the source an instruction of managed code was compiled from, as a program's debugging information has
/// it. The file is no longer needed once they are read. Safe from any thread.
class DwarfLines {
 public:
  /// Fails with Damaged, or NotFound if no unit of the file is of managed code.
  static Result<DwarfLines> read(DwarfFile& file);

  /// nullopt where nothing tells of the instruction. `address`: the file's own.
  std::optional<SourceLine> find(std::uint64_t address) const;

 private:
  /// From this address up to the next.
  struct Line {
    std::uint64_t address = 0;
    std::uint32_t file = 0;
    std::uint32_t line = 0;  // 0: no line
  };

  std::vector<std::string> m_files;
  std::vector<Line> m_lines;  // by address
};

}  // namespace heapscape::engine
