// SPDX-License-Identifier: MIT
#include "stacks/unwinding/native_symbol_table.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "memory/elf/elf_library_file.h"
#include "memory/file_backed_memory.h"

namespace heapscape::engine {
namespace {

// Of several names for one function the plain one: read rather than __read.
bool isPlainer(const std::string& left, const std::string& right) {
  const auto underscores = [](const std::string& name) { return std::min(name.find_first_not_of('_'), name.size()); };
  if (underscores(left) != underscores(right)) return underscores(left) < underscores(right);
  return left < right;
}

}  // namespace

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

}  // namespace heapscape::engine
