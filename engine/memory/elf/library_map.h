// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/address.h"
#include "memory/elf/elf_core.h"

namespace heapscape::engine {

/// A file that is mapped from its first byte on, most often a library.
struct MappedLibrary {
  AddressRange range;  // from its first byte to the end of its last mapping
  std::string path;    // on the machine of the dump; "[vdso]" for the library that the kernel gives every process
};

/// Which library holds an address of the process.
class LibraryMap {
 public:
  explicit LibraryMap(const ElfCore& core);

  /// Number of the library in all(); nullopt if none holds the address.
  std::optional<std::size_t> indexAt(Address address) const;
  /// In the order of their addresses.
  const std::vector<MappedLibrary>& all() const { return m_libraries; }

 private:
  std::vector<MappedLibrary> m_libraries;
};

}  // namespace heapscape::engine
