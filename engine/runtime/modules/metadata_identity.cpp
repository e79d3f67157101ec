// SPDX-License-Identifier: MIT
#include "runtime/modules/metadata_identity.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "base/limits.h"
#include "memory/files/recorded_path.h"
#include "metadata/image/pe_image.h"
#include "metadata/image/ready_to_run_header.h"
#include "metadata/metadata.h"
#include "metadata/metadata_tables.h"
#include "runtime/methods/code_range.h"
#include "runtime/methods/ready_to_run_code.h"

namespace heapscape::engine {
namespace {

constexpr std::uint32_t kManifestAssemblyMvids = 118;  // READYTORUN_SECTION_MANIFEST_ASSEMBLY_MVIDS
constexpr std::size_t kGuidBytes = 16;
constexpr std::array<std::byte, kGuidBytes> kNoGuid{};

using MvidByName = std::map<std::string, std::string>;

/// Where the image begins that has the native code of a module; 0 for a module without, or with its own.
Address compositeImageOf(const ClrRuntime& runtime, const NotedImage& image) {
  const auto info = runtime.pointerAt(image.module, "Module", "ReadyToRunInfo");
  const auto table = info && *info ? runtime.pointerAt(*info, "ReadyToRunInfo", "RuntimeFunctions") : info;
  const auto code = table && *table ? findCodeRange(runtime, *table) : std::nullopt;
  return code && code->module && code->range.start != image.base ? code->range.start : Address{};
}

MvidByName readMvids(const ClrRuntime& runtime, Address composite) {
  const PeReader read = [&](std::uint64_t offset, std::span<std::byte> target) {
    return runtime.memory().tryRead(composite + offset, target);
  };
  const auto location = locateMetadata(read, true);
  const auto section =
      location ? findReadyToRunSection(read, *location, kManifestAssemblyMvids) : std::optional<ReadyToRunSection>();
  if (!section) return {};
  // One for each assembly that the manifest references, in their order.
  const std::vector<std::string> names = readReadyToRunHeader(read, true, *location).manifestAssemblies;
  MvidByName mvids;
  for (std::size_t i = 0; i < names.size() && (i + 1) * kGuidBytes <= section->sizeBytes; ++i) {
    std::array<std::byte, kGuidBytes> guid{};
    if (!read(section->rva + i * kGuidBytes, guid)) break;
    if (guid != kNoGuid) mvids.emplace(names[i], guidText(guid));
  }
  return mvids;
}

}  // namespace

std::unordered_map<Address, std::string> componentMvids(const ClrRuntime& runtime) {
  std::map<Address, MvidByName> composites;
  std::unordered_map<Address, std::string> mvids;
  for (const NotedImage& image : notedImages(runtime)) {
    const Address composite = compositeImageOf(runtime, image);
    if (!composite) continue;
    if (!composites.contains(composite)) composites.emplace(composite, readMvids(runtime, composite));
    const MvidByName& known = composites[composite];
    std::string name = fileNameOf(image.path);
    name.resize(std::min(name.size(), name.rfind('.')));
    if (const auto found = known.find(name); found != known.end()) mvids.emplace(image.base, found->second);
  }
  return mvids;
}

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

namespace {

/// Metadata as the runtime has noted it.
struct NotedMetadata {
  Address start;
  MetadataShape shape;
};

class NotedMetadataReader {
 public:
  explicit NotedMetadataReader(const ClrRuntime& runtime) : m_runtime(runtime) {}

  /// Nothing where the dump does not hold the notes, or the metadata can be written to (edit and continue).
  std::optional<NotedMetadata> read(const NotedImage& image) const {
    const auto isWritable = m_runtime.valueAt<std::uint32_t>(image.assembly, "PEAssembly", "MDImportIsRW");
    const auto import = m_runtime.pointerAt(image.assembly, "PEAssembly", "MDImport");
    if (!isWritable || *isWritable != 0 || !import || !*import) return std::nullopt;
    const auto start = m_runtime.pointerAt(*import, "MDInternalRO", "Metadata");
    const auto size = m_runtime.valueAt<std::uint32_t>(*import, "MDInternalRO", "MetadataSize");
    if (!start || !size || *start < image.fileBase || *start - image.fileBase >= image.fileBytes ||
        m_runtime.contract().constant("MDInternalRO.TableCount") != MetadataShape::kTables) {
      return std::nullopt;
    }
    NotedMetadata noted{.start = *start, .shape = {.sizeBytes = *size}};
    std::array<Address, MetadataShape::kTables> tables{};
    const AddressSpace& memory = m_runtime.memory();
    if (!memory.tryRead(m_runtime.member(*import, "MDInternalRO", "Schema"), noted.shape.header) ||
        !memory.tryRead(m_runtime.member(*import, "MDInternalRO", "RowCounts"), noted.shape.rows) ||
        !memory.tryRead(m_runtime.member(*import, "MDInternalRO", "Tables"), tables)) {
      return std::nullopt;
    }
    for (std::size_t i = 0; i < tables.size(); ++i) noted.shape.tables[i] = tables[i] - *start;
    const bool hasHeaps =
        readHeap(m_runtime.member(*import, "MDInternalRO", "StringHeap"), *start, noted.shape.strings) &&
        readHeap(m_runtime.member(*import, "MDInternalRO", "BlobHeap"), *start, noted.shape.blobs) &&
        readHeap(m_runtime.member(*import, "MDInternalRO", "UserStringHeap"), *start, noted.shape.userStrings) &&
        readHeap(m_runtime.member(*import, "MDInternalRO", "GuidHeap"), *start, noted.shape.guids);
    return hasHeaps ? std::optional(noted) : std::nullopt;
  }

 private:
  bool readHeap(Address heap, Address metadata, MetadataShape::Part& part) const {
    const auto data = m_runtime.pointerAt(heap, "StgPool", "Data");
    const auto size = m_runtime.valueAt<std::uint32_t>(heap, "StgPool", "Size");
    if (!data || !size) return false;
    part = {*data - metadata, *size};
    return true;
  }

  const ClrRuntime& m_runtime;
};

/// Hashes of the names of all types and forwarded types (EEClassHashTable, src/coreclr/vm/classhash.cpp), sorted.
/// Nothing if the module has no such table, or it cannot be read.
std::optional<std::vector<std::uint32_t>> notedNameHashes(const ClrRuntime& runtime, Address module) {
  const AddressSpace& memory = runtime.memory();
  const auto table = runtime.pointerAt(module, "Module", "AvailableClasses");
  // On .NET 8 something else lies there for modules without one.
  if (!table || !*table || memory.readPointer(*table).value_or(Address{}) != module) return std::nullopt;
  const auto buckets = runtime.pointerAt(*table, "EETypeHashTable", "Buckets");
  const auto count = runtime.valueAt<std::uint32_t>(*table, "EETypeHashTable", "Count");
  std::uint64_t length = 0;
  if (!buckets || !count || !memory.tryRead(*buckets, length) || length > kLimits.typesPerModule ||
      *count > kLimits.typesPerModule) {
    return std::nullopt;
  }
  std::vector<std::uint32_t> hashes;
  const Address first = *buckets + 8 * runtime.contract().constant("EETypeHashTable.FirstBucketSlot");
  for (std::uint64_t bucket = 0; bucket < length && hashes.size() < *count; ++bucket) {
    Address entry;
    if (!memory.tryRead(first + 8 * bucket, entry)) return std::nullopt;
    while (entry && (entry.value & 1) == 0 && hashes.size() < *count) {
      const auto hash = runtime.valueAt<std::uint32_t>(entry, "EEClassHashEntry", "Hash");
      const auto next = runtime.pointerAt(entry, "EEClassHashEntry", "Next");
      if (!hash || !next) return std::nullopt;
      hashes.push_back(*hash);
      entry = *next;
    }
  }
  if (hashes.size() != *count) return std::nullopt;
  std::ranges::sort(hashes);
  return hashes;
}

/// Hashes of the names of a file.
class NameHashes {
 public:
  NameHashes(const Metadata& metadata, bool hashesEncloser) : m_metadata(metadata), m_hashesEncloser(hashesEncloser) {}

  std::vector<std::uint32_t> all() const {
    std::vector<std::uint32_t> hashes;
    // The first type stands for the module itself and has no entry.
    for (std::uint32_t row = 2; row <= m_metadata.rowCount(TableId::TypeDef); ++row)
      hashes.push_back(ofTypeDef(row, 0));
    for (std::uint32_t row = 1; row <= m_metadata.rowCount(TableId::ExportedType); ++row) {
      hashes.push_back(ofExportedType(row, 0));
    }
    std::ranges::sort(hashes);
    return hashes;
  }

 private:
  std::uint32_t ofTypeDef(std::uint32_t row, std::size_t depth) const {
    const auto type = m_metadata.typeDef(row);
    if (!type || depth > kLimits.nestingDepth) return 0;
    const std::uint32_t encloser = m_hashesEncloser ? m_metadata.enclosingTypeDef(row) : 0;
    return combined(hashOf(type->nameSpace, type->name), encloser ? ofTypeDef(encloser, depth + 1) : 0);
  }

  std::uint32_t ofExportedType(std::uint32_t row, std::size_t depth) const {
    const auto type = m_metadata.exportedType(row);
    if (!type || depth > kLimits.nestingDepth) return 0;
    const Token encloser = type->implementation;
    const bool isNested = m_hashesEncloser && encloser.table == TableId::ExportedType && !encloser.isNil();
    return combined(hashOf(type->nameSpace, type->name), isNested ? ofExportedType(encloser.row, depth + 1) : 0);
  }

  // The runtime takes each byte as a signed char, also on arm64, where compilers would not (-fsigned-char).
  static std::uint32_t hashOf(std::string_view nameSpace, std::string_view name) {
    std::uint32_t hash = 5381;
    for (const std::string_view text : {nameSpace, name}) {
      for (const char c : text)
        hash = ((hash << 5) + hash) ^ static_cast<std::uint32_t>(std::int32_t{static_cast<signed char>(c)});
    }
    return hash;
  }

  static std::uint32_t combined(std::uint32_t hash, std::uint32_t encloser) {
    return encloser ? ((hash << 5) + hash) ^ encloser : hash;
  }

  const Metadata& m_metadata;
  bool m_hashesEncloser;
};

using Version = std::array<std::uint32_t, 4>;

/// As the binder noted it.
std::optional<Version> versionOf(const ClrRuntime& runtime, const NotedImage& image) {
  const auto bound = runtime.pointerAt(image.assembly, "PEAssembly", "HostAssembly");
  const auto name = bound && *bound ? runtime.pointerAt(*bound, "BinderAssembly", "Name") : Result<Address>(Address{});
  Version version{};
  if (!name || !*name ||
      !runtime.memory().tryRead(runtime.member(*name, "BinderAssemblyName", "Version"),
                                std::as_writable_bytes(std::span(version)))) {
    return std::nullopt;
  }
  return version;
}

/// The metadata of a file, if it lies where the runtime has found it.
Bytes metadataInFile(const NotedImage& image, const NotedMetadata& noted, Bytes file) {
  const PeReader read = [file](std::uint64_t offset, std::span<std::byte> target) {
    Bytes slice;
    if (!trySlice(file, offset, target.size(), slice)) return false;
    std::ranges::copy(slice, target.begin());
    return true;
  };
  const auto location = locateMetadata(read, false);
  if (!location || location->sizeBytes != noted.shape.sizeBytes) return {};
  if (file.size() != image.fileBytes || location->offset != noted.start - image.fileBase) return {};
  if (image.isMapped && location->sizeOfImage != image.sizeBytes) return {};
  Bytes metadata;
  return trySlice(file, location->offset, location->sizeBytes, metadata) ? metadata : Bytes{};
}

/// `mvid`: what it must be; empty if that is not known.
std::optional<bool> hasSameMetadata(const ClrRuntime& runtime, Address base, Bytes file, const std::string& mvid) {
  const auto image = notedImageAt(runtime, base);
  const auto noted = image ? NotedMetadataReader(runtime).read(*image) : std::nullopt;
  if (!noted) return std::nullopt;
  const Bytes bytes = metadataInFile(*image, *noted, file);
  const auto tables = MetadataTables::parse(bytes);
  if (!tables || tables->shape() != noted->shape) return false;
  const auto metadata = Metadata::parse(bytes);
  if (!metadata || (!mvid.empty() && (*metadata)->mvid() != mvid)) return false;
  const auto version = versionOf(runtime, *image);
  const auto identity = (*metadata)->assembly();
  if (version && identity && !std::ranges::equal(*version, identity->version)) return false;
  const auto names = notedNameHashes(runtime, image->module);
  const bool hashesEncloser = runtime.contract().constant("EEClassHashTable.HashesEncloser") != 0;
  return !names || *names == NameHashes(**metadata, hashesEncloser).all();
}

/// Files must not be read to prove a file, so the runtime is read from what the dump itself holds.
ClrRuntime runtimeIn(const AddressSpace& dump, const RuntimeLibrary& library, const SelectedContract& selected) {
  return {std::shared_ptr<const AddressSpace>(std::shared_ptr<const void>(), &dump), library, selected};
}

}  // namespace

bool hasNotedMetadata(const ClrRuntime& runtime, const NotedImage& image) {
  return NotedMetadataReader(runtime).read(image).has_value();
}

std::string notedVersion(const ClrRuntime& runtime, const NotedImage& image) {
  const auto version = versionOf(runtime, image);
  return version ? fmt::format("{}", fmt::join(*version, ".")) : std::string();
}

FileBackedMemory::Proof metadataShapeProof(RuntimeLibrary library, SelectedContract selected) {
  return [library = std::move(library), selected = std::move(selected)](const AddressSpace& dump, Address base,
                                                                        Bytes file) {
    return hasSameMetadata(runtimeIn(dump, library, selected), base, file, {});
  };
}

FileBackedMemory::Proof componentMvidProof(RuntimeLibrary library, SelectedContract selected,
                                           std::unordered_map<Address, std::string> mvids) {
  return [library = std::move(library), selected = std::move(selected), mvids = std::move(mvids)](
             const AddressSpace& dump, Address base, Bytes file) -> std::optional<bool> {
    const auto mvid = mvids.find(base);
    if (mvid == mvids.end()) return std::nullopt;
    return hasSameMetadata(runtimeIn(dump, library, selected), base, file, mvid->second);
  };
}

}  // namespace heapscape::engine
