// SPDX-License-Identifier: MIT
#include "stacks/unwinding/native_symbols.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <vector>

#include "memory/elf/elf_image.h"
#include "memory/elf/elf_library_file.h"
#include "memory/elf/library_map.h"
#include "memory/file_backed_memory.h"

namespace heapscape::engine {
namespace {

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

// Of several names for one function the plain one: read rather than __read.
bool isPlainer(const std::string& left, const std::string& right) {
  const auto underscores = [](const std::string& name) { return std::min(name.find_first_not_of('_'), name.size()); };
  if (underscores(left) != underscores(right)) return underscores(left) < underscores(right);
  return left < right;
}

/// What a compiler of C++ was given for a name of the linker; the name itself if it is of another language.
std::string demangled(const std::string& linkerName) {
  if (!linkerName.starts_with("_Z")) return linkerName;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(linkerName.c_str(), nullptr, nullptr, &status), &std::free);
  return text && status == 0 ? text.get() : linkerName;
}

NativeSymbolTable::NativeSymbolTable(const AddressSpace& memory, const ElfImage& image) : m_image(image) {
  addFromFile(memory);
  if (m_functions.empty()) addExported();
  arrange();
}

void NativeSymbolTable::addFromFile(const AddressSpace& memory) {
  const auto path = memory.files() ? memory.files()->fileAt(m_image.base()) : std::nullopt;
  const auto file = path ? ElfLibraryFile::openMatching(*path, m_image.buildId()) : std::nullopt;
  if (!file) return;
  m_isExportedOnly = file->isStripped();
  for (NamedFunction& function : file->functions()) {
    const Address start = m_image.bias() + function.address;
    m_functions.push_back({{start, start + function.sizeBytes}, static_cast<std::uint32_t>(m_names.size())});
    m_names.push_back(std::move(function.name));
  }
}

void NativeSymbolTable::addExported() {
  const auto functions = m_image.exportedFunctions();
  if (!functions) return;
  for (const ExportedFunction& function : *functions) {
    m_functions.push_back({{function.address, function.address + function.sizeBytes}, function.nameOffset});
  }
}

void NativeSymbolTable::arrange() {
  const auto size = [](const Function& function) { return function.code.sizeBytes(); };
  std::ranges::sort(m_functions, [&](const Function& left, const Function& right) {
    if (left.code.start != right.code.start) return left.code.start < right.code.start;
    return size(left) > size(right);
  });
  for (std::size_t i = 0; i < m_functions.size(); ++i) {
    AddressRange& code = m_functions[i].code;
    if (!code.isEmpty()) continue;
    code.end = i + 1 < m_functions.size() ? m_functions[i + 1].code.start : Address{code.start.value + 1};
  }
}

std::string NativeSymbolTable::linkerName(const Function& function) const {
  if (!m_names.empty()) return m_names[function.name];
  return m_image.nameAt(function.name).value_or(std::string());
}

std::optional<NativeSymbolTable::Found> NativeSymbolTable::find(Address address) const {
  auto next = std::ranges::upper_bound(m_functions, address, {}, [](const Function& f) { return f.code.start; });
  if (next == m_functions.begin()) return std::nullopt;
  const Address start = (next - 1)->code.start;
  std::string best;
  for (; next != m_functions.begin() && (next - 1)->code.start == start; --next) {
    const Function& function = *(next - 1);
    if (!function.code.contains(address)) continue;
    std::string name = linkerName(function);
    if (!name.empty() && (best.empty() || isPlainer(name, best))) best = std::move(name);
  }
  if (best.empty()) return std::nullopt;
  return Found{demangled(best), address - start};
}

}  // namespace

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
