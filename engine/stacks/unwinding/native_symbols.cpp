// SPDX-License-Identifier: MIT
#include "stacks/unwinding/native_symbols.h"

#include <mutex>
#include <optional>

#include "memory/elf/library_map.h"
#include "stacks/unwinding/native_symbol_table.h"

namespace heapscape::engine {

struct NativeSymbols::Parts {
  struct Lazy {
    std::once_flag once;
    std::optional<NativeSymbolTable> table;
  };

  const AddressSpace& memory;
  LibraryMap map;
  std::unique_ptr<Lazy[]> lazy;

  Parts(const AddressSpace& space, const ElfCore& core)
      : memory(space), map(core), lazy(std::make_unique<Lazy[]>(map.all().size())) {}

  const NativeSymbolTable* tableOf(std::size_t index) const {
    Lazy& library = lazy[index];
    std::call_once(library.once, [&] {
      if (const auto image = ElfImage::at(memory, map.all()[index].range.start)) library.table.emplace(memory, *image);
    });
    return library.table ? &*library.table : nullptr;
  }
};

NativeSymbols::NativeSymbols(const AddressSpace& memory, const ElfCore& core)
    : m_parts(std::make_unique<Parts>(memory, core)) {}
NativeSymbols::~NativeSymbols() = default;

NativeName NativeSymbols::nameOf(Address address) const {
  const auto index = m_parts->map.indexAt(address);
  if (!index) return {};
  const MappedLibrary& library = m_parts->map.all()[*index];
  NativeName name;
  name.module = library.path.substr(library.path.rfind('/') + 1);
  name.offset = address - library.range.start;
  const NativeSymbolTable* table = m_parts->tableOf(*index);
  if (!table) return name;
  name.isExportedOnly = table->isExportedOnly();
  if (auto found = table->find(address)) {
    name.symbol = std::move(found->name);
    name.offset = found->offset;
  }
  return name;
}

}  // namespace heapscape::engine
