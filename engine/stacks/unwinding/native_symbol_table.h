// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "memory/address_space.h"
#include "memory/elf/elf_image.h"

namespace heapscape::engine {

/// The functions of one mapped library by address.
class NativeSymbolTable {
 public:
  NativeSymbolTable(const AddressSpace& memory, const ElfImage& image);

  struct Found {
    std::string name;  // demangled
    std::uint64_t offset = 0;
  };
  /// The function whose code holds an address; one without a size ends where the next begins.
  std::optional<Found> find(Address address) const;
  bool isExportedOnly() const { return m_isExportedOnly; }

 private:
  struct Function {
    AddressRange code;
    std::uint32_t name = 0;  // number in m_names, else offset among the library's names
  };
  void addFromFile(const AddressSpace& memory);
  void addExported();
  void arrange();
  std::string linkerName(const Function& function) const;

  ElfImage m_image;
  std::vector<Function> m_functions;  // sorted by start
  std::vector<std::string> m_names;   // empty unless they come from a file
  bool m_isExportedOnly = true;
};

/// What a compiler of C++ was given for a name of the linker; the name itself if it is of another language.
std::string demangled(const std::string& linkerName);

}  // namespace heapscape::engine
