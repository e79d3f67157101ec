// SPDX-License-Identifier: MIT
#include "runtime/modules/ready_to_run_identity.h"

#include <algorithm>

#include "metadata/image/ready_to_run_header.h"
#include "runtime/methods/code_range.h"
#include "runtime/methods/ready_to_run_code.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kFewestCompared = 4;
constexpr const char* kConstantSections[] = {"R2RSection.RuntimeFunctions", "R2RSection.DebugInfo",
                                             "R2RSection.ExceptionInfo"};

/// A file that may be an image with ReadyToRun code, in the form that it has on disk.
class ImageFile {
 public:
  ImageFile(const Contract& contract, Bytes file) : m_contract(contract), m_file(file) {
    if (const auto location = locateMetadata(reader(), false)) m_location = *location;
  }

  /// False unless the file is an image of this size whose table of functions has this place and length.
  bool findFunctions(std::uint64_t imageBytes, std::uint32_t rva, std::uint32_t count) {
    if (m_location.sizeOfImage != imageBytes) return false;
    const auto section = sectionOf("R2RSection.RuntimeFunctions");
    const std::uint64_t entryBytes = m_contract.sizeOf("RuntimeFunction");
    if (!section || section->rva != rva || section->sizeBytes / entryBytes != count) return false;
    m_functions = bytesOf({rva, static_cast<std::uint32_t>(count * entryBytes)});
    return m_functions.size() == count * entryBytes;
  }

  bool hasFunctionAt(std::uint64_t rva) const {
    const std::uint64_t entryBytes = m_contract.sizeOf("RuntimeFunction");
    const std::uint64_t place = m_contract.offset("RuntimeFunction", "BeginAddress");
    std::uint64_t first = 0;
    std::uint64_t last = m_functions.size() / entryBytes;
    while (first < last) {
      const std::uint64_t middle = first + (last - first) / 2;
      std::uint32_t begin = 0;
      if (!tryReadAt(m_functions, middle * entryBytes + place, begin)) return false;
      if (begin == rva) return true;
      (begin < rva ? first : last) = begin < rva ? middle + 1 : middle;
    }
    return false;
  }

  /// Whether the dump holds other bytes of what no process changes.
  bool isContradicted(const AddressSpace& dump, Address base) const {
    return std::ranges::any_of(constants(),
                               [&](const ReadyToRunSection& section) { return isContradicted(dump, base, section); });
  }

  /// Empty for a file of another kind.
  std::vector<ReadyToRunSection> constants() const {
    std::vector<ReadyToRunSection> constants;
    for (const char* name : kConstantSections) {
      if (const auto section = sectionOf(name)) constants.push_back(*section);
    }
    return constants;
  }

 private:
  PeReader reader() const {
    return [this](std::uint64_t offset, std::span<std::byte> target) {
      Bytes slice;
      if (!trySlice(m_file, offset, target.size(), slice)) return false;
      std::ranges::copy(slice, target.begin());
      return true;
    };
  }

  std::optional<ReadyToRunSection> sectionOf(const char* name) const {
    return findReadyToRunSection(reader(), m_location, static_cast<std::uint32_t>(m_contract.constant(name)));
  }

  bool isContradicted(const AddressSpace& dump, Address base, const ReadyToRunSection& section) const {
    const Bytes own = bytesOf(section);
    const Address start = base + section.rva;
    return std::ranges::any_of(dump.present({start, start + own.size()}), [&](const AddressRange& part) {
      const auto held = dump.view(part);
      return held && !std::ranges::equal(held->bytes, own.subspan(part.start - start, part.sizeBytes()));
    });
  }

  Bytes bytesOf(const ReadyToRunSection& section) const {
    const auto offset = locateRva(reader(), false, section.rva);
    Bytes bytes;
    return offset && trySlice(m_file, *offset, section.sizeBytes, bytes) ? bytes : Bytes{};
  }

  const Contract& m_contract;
  Bytes m_file;
  PeMetadataLocation m_location;
  Bytes m_functions;
};

std::optional<bool> isSameImage(const ClrRuntime& runtime, Address base, Bytes file) {
  // The whole image is one range of code, whether it has an assembly of its own or the code of many.
  const auto image = findCodeRange(runtime, base);
  if (!image || !image->module || image->range.start != base) return std::nullopt;
  const auto info = runtime.pointerAt(image->module, "Module", "ReadyToRunInfo");
  if (!info || !*info) return std::nullopt;
  const auto table = runtime.pointerAt(*info, "ReadyToRunInfo", "RuntimeFunctions");
  const auto count = runtime.valueAt<std::uint32_t>(*info, "ReadyToRunInfo", "NumRuntimeFunctions");
  if (!table || !count || !image->range.contains(*table)) return std::nullopt;
  ImageFile functions(runtime.contract(), file);
  if (!functions.findFunctions(image->range.sizeBytes(), static_cast<std::uint32_t>(*table - base), *count) ||
      functions.isContradicted(runtime.memory(), base)) {
    return false;
  }
  const auto prepared = ReadyToRunCode(runtime).entriesOf(image->module);
  std::size_t entries = 0;
  for (const auto& [start, method] : *prepared) {
    if (!image->range.contains(start)) continue;
    if (!functions.hasFunctionAt(start - base)) return false;
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

FileBackedMemory::ConstantParts readyToRunConstants(SelectedContract selected) {
  return [selected = std::move(selected)](Bytes file) {
    std::vector<ImagePart> parts;
    for (const ReadyToRunSection& section : ImageFile(selected.contract, file).constants())
      parts.push_back({section.rva, section.sizeBytes});
    return parts;
  };
}

}  // namespace heapscape::engine
