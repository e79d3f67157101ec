// SPDX-License-Identifier: MIT
#include "runtime/ready_to_run_identity.h"

#include <algorithm>

#include "metadata/ready_to_run_header.h"
#include "runtime/noted_images.h"
#include "runtime/ready_to_run_code.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kFewestCompared = 4;

/// The table of functions of a file, in the form that it has on disk.
class FunctionTable {
 public:
  FunctionTable(const Contract& contract, Bytes file) : m_contract(contract), m_file(file) {}

  /// False unless the file is an image of this size whose table has this place and length.
  bool find(const NotedImage& image, std::uint32_t rva, std::uint32_t count) {
    const PeReader read = [this](std::uint64_t offset, std::span<std::byte> target) {
      Bytes slice;
      if (!trySlice(m_file, offset, target.size(), slice)) return false;
      std::ranges::copy(slice, target.begin());
      return true;
    };
    const auto location = locateMetadata(read, false);
    if (!location || location->sizeOfImage != image.sizeBytes) return false;
    const auto section = findReadyToRunSection(
        read, *location, static_cast<std::uint32_t>(m_contract.constant("R2RSection.RuntimeFunctions")));
    const std::uint64_t entryBytes = m_contract.sizeOf("RuntimeFunction");
    if (!section || section->rva != rva || section->sizeBytes / entryBytes != count) return false;
    const auto offset = locateRva(read, false, rva);
    return offset && trySlice(m_file, *offset, count * entryBytes, m_entries);
  }

  bool hasBegin(std::uint64_t rva) const {
    const std::uint64_t entryBytes = m_contract.sizeOf("RuntimeFunction");
    const std::uint64_t place = m_contract.offset("RuntimeFunction", "BeginAddress");
    std::uint64_t first = 0;
    std::uint64_t last = m_entries.size() / entryBytes;
    while (first < last) {
      const std::uint64_t middle = first + (last - first) / 2;
      std::uint32_t begin = 0;
      if (!tryReadAt(m_entries, middle * entryBytes + place, begin)) return false;
      if (begin == rva) return true;
      (begin < rva ? first : last) = begin < rva ? middle + 1 : middle;
    }
    return false;
  }

 private:
  const Contract& m_contract;
  Bytes m_file;
  Bytes m_entries;
};

std::optional<bool> isSameImage(const ClrRuntime& runtime, Address base, Bytes file) {
  const auto image = notedImageAt(runtime, base);
  const auto info = image ? runtime.pointerAt(image->module, "Module", "ReadyToRunInfo") : Result<Address>(Address{});
  if (!info || !*info) return std::nullopt;
  const auto table = runtime.pointerAt(*info, "ReadyToRunInfo", "RuntimeFunctions");
  const auto count = runtime.valueAt<std::uint32_t>(*info, "ReadyToRunInfo", "NumRuntimeFunctions");
  // Code of an assembly may lie in a composite image, which is another file.
  if (!table || !count || *table < base || *table - base >= image->sizeBytes) return std::nullopt;
  FunctionTable functions(runtime.contract(), file);
  if (!functions.find(*image, static_cast<std::uint32_t>(*table - base), *count)) return false;
  const auto prepared = ReadyToRunCode(runtime).entriesOf(image->module);
  std::size_t entries = 0;
  for (const auto& [start, method] : *prepared) {
    if (start < base || start - base >= image->sizeBytes) continue;
    if (!functions.hasBegin(start - base)) return false;
    ++entries;
  }
  return entries >= kFewestCompared ? std::optional(true) : std::nullopt;
}

}  // namespace

FileBackedMemory::Proof readyToRunProof(RuntimeLibrary library, SelectedContract selected) {
  return [library = std::move(library), selected = std::move(selected)](const AddressSpace& dump, Address base,
                                                                        Bytes file) {
    // Files must not be read to prove a file, so the runtime is read from what the dump itself holds.
    const std::shared_ptr<const AddressSpace> borrowed(std::shared_ptr<const void>(), &dump);
    return isSameImage(ClrRuntime(borrowed, library, selected), base, file);
  };
}

}  // namespace heapscape::engine
