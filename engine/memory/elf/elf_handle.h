// SPDX-License-Identifier: MIT
#pragma once

#include <libelf.h>

#include <memory>

namespace heapscape::engine {

struct ElfDeleter {
  void operator()(Elf* elf) const { elf_end(elf); }
};

/// Owns libelf's view of a file.
using ElfHandle = std::unique_ptr<Elf, ElfDeleter>;

}  // namespace heapscape::engine
