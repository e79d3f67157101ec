// SPDX-License-Identifier: MIT
#include "runtime/library/runtime_library.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <functional>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "memory/elf/elf_library_file.h"
#include "memory/elf/library_map.h"
#include "memory/files/recorded_path.h"
#include "runtime/aot/aot_description.h"
#include "runtime/contract/contract_selection.h"
#include "runtime/library/global_table_shape.h"

namespace heapscape::engine {
namespace {

// Why no runtime was found in a dump: an error each, with what would help.
constexpr std::string_view kHowToDump =
    "Take one of a .NET 8 to 11 process with `createdump --withheap PID` or `dotnet-dump collect --type Heap`.";
constexpr std::string_view kHowToDumpData =
    "Take another with `createdump --withheap PID`, `dotnet-dump collect --type Heap` or gcore.";

std::string commandOf(const ElfCore& core) {
  return core.command.empty() ? std::string() : " (" + core.command + ")";
}

std::string versionOf(const RuntimeLibrary& library) {
  return library.version().empty() ? std::string() : " " + library.version();
}

std::string fileThatHelps(const RuntimeLibrary& library) {
  if (library.buildId.empty()) return std::string(kHowToDumpData);
  return fmt::format(
      "Put the {} of that process beside the dump, or name its folder with --search; its build-id is {}.",
      fileNameOf(library.path), library.buildId);
}

/// Whether the process had the other runtime of .NET.
bool isOnMono(const ElfCore& core) {
  return std::ranges::any_of(core.files,
                             [](const MappedFile& file) { return fileNameOf(file.path).starts_with("libmonosgen"); });
}

/// The process had none that is known.
Error noRuntime(const ElfCore& core) {
  if (core.files.empty()) {
    return {ErrorCode::NoRuntime,
            "This core dump does not say which files the process had mapped, so no .NET runtime can be found in it.",
            std::string(kHowToDump)};
  }
  if (isOnMono(core)) {
    return {ErrorCode::NoRuntime, "This is a core dump of a process on the Mono runtime; only CoreCLR is supported.",
            std::string(kHowToDump)};
  }
  return {
      ErrorCode::NoRuntime,
      fmt::format("This is a core dump of a process without .NET{}: it has no libcoreclr.so mapped, and neither its "
                  "program nor its libraries contain a runtime.",
                  commandOf(core)),
      std::string(kHowToDump)};
}

/// Neither the program's symbols nor its variables are there. `program`: the file that the process was started with.
Error programMissing(const ElfCore& core, const RuntimeLibrary& program) {
  return {ErrorCode::NoRuntime,
          fmt::format("No libcoreclr.so is mapped in this core dump{}, and neither the symbols nor the data of its "
                      "program are in it, so it is not known whether that contains .NET.",
                      commandOf(core)),
          fileThatHelps(program)};
}

/// The variables of the runtime are not in the dump.
Error runtimeDataMissing(const RuntimeLibrary& library) {
  return {ErrorCode::NoRuntime,
          fmt::format("The data of the .NET{} runtime is not in this core dump.", versionOf(library)),
          std::string(kHowToDumpData)};
}

/// Its symbols are not in the dump, and its table of globals was not found by its shape.
Error runtimeSymbolsMissing(const RuntimeLibrary& library) {
  return {ErrorCode::NoRuntime,
          fmt::format("The pages of the .NET{} runtime that name its data are missing in this dump, and the data was "
                      "not found by its shape.",
                      versionOf(library)),
          fileThatHelps(library)};
}

/// The file of the dump ends too early.
Error runtimeCut(const ElfCore& core, const RuntimeLibrary& library) {
  const auto missing = static_cast<double>(core.missingFileBytes);
  return {ErrorCode::Truncated,
          fmt::format(
              "This dump of a .NET{} process is cut: {:.1f}% of its bytes are missing, among them the runtime's own "
              "data, without which its heap cannot be read.",
              versionOf(library), 100.0 * missing / (static_cast<double>(core.fileBytes) + missing)),
          "Copy the file again, or take a new dump."};
}

constexpr std::string_view kVersionMark = "@(#)Version ";
constexpr std::size_t kMostVersionBytes = 64;
constexpr std::size_t kMostBuildBytes = 128;
constexpr std::uint64_t kMostVersionDataBytes = 16 << 20;  // of a runtime's library a tenth was seen
constexpr unsigned kPatchFactor = 100;  // 10.0.12 is built as 10.0.1226: the two digits are not its own
constexpr unsigned kUnversioned = 42;   // what is built without a release calls itself 42.42.42.42424

std::optional<std::string> releaseIn(std::string_view text) {
  std::array<unsigned, 3> parts{};
  const char* at = text.data();
  const char* end = text.data() + text.size();
  for (unsigned& part : parts) {
    const auto [next, error] = std::from_chars(at, end, part);
    if (error != std::errc() || next == end || *next != '.') return std::nullopt;
    at = next + 1;
  }
  if (parts[0] == kUnversioned) return std::nullopt;
  return fmt::format("{}.{}.{}", parts[0], parts[1], parts[2] / kPatchFactor);
}

/// The release that a native library of .NET says it is, "10.0.12", and its build, from the text "@(#)Version
/// 10.0.1226.42308 …" that its build puts among its variables; neither if that is not in the dump, or of a build
/// without a release. `text`: bytes of its variables.
bool readVersions(std::string_view text, RuntimeLibrary& library) {
  const std::boyer_moore_horspool_searcher mark(kVersionMark.begin(), kVersionMark.end());
  for (auto found = std::search(text.begin(), text.end(), mark); found != text.end();
       found = std::search(found + 1, text.end(), mark)) {
    const auto place = static_cast<std::size_t>(found - text.begin()) + kVersionMark.size();
    const auto release = releaseIn(text.substr(place, kMostVersionBytes));
    if (!release) continue;
    library.productVersion = *release;
    const std::string_view build = text.substr(place, kMostBuildBytes);
    library.buildVersion = build.substr(0, build.find_first_of(std::string_view("\0\n", 2)));
    return true;
  }
  return false;
}

/// What the library's variables begin with, from its file on this disk; pages that the file lacks are zero.
std::string variablesOnDisk(const RuntimeLibrary& library, AddressRange range) {
  const auto file = ElfLibraryFile::openMatching(library.path, library.buildId);
  if (!file || range.start < library.base) return {};
  std::string text(std::min(range.sizeBytes(), kMostVersionDataBytes), '\0');
  for (std::size_t at = 0; at < text.size(); at += kPageBytes) {
    const std::size_t bytes = std::min<std::size_t>(text.size() - at, kPageBytes);
    file->tryRead(range.start - library.base + at, std::as_writable_bytes(std::span(text).subspan(at, bytes)));
  }
  return text;
}

constexpr std::string_view kLibraryName = "libcoreclr.so";
constexpr std::string_view kGlobalTableSymbol = "g_dacTable";
constexpr std::string_view kDescriptorSymbol = "DotNetRuntimeContractDescriptor";
constexpr std::string_view kDebugHeaderSymbol = "DotNetRuntimeDebugHeader";  // of Native AOT until .NET 10
constexpr std::uint64_t kMaximumDescriptorBytes = 1 << 20;
constexpr std::uint32_t kMostDescriptorAddresses = 1 << 12;
constexpr std::size_t kMostCandidates = 16;
constexpr std::size_t kMostLibraries = 1024;         // a desktop program has some three hundred
constexpr double kLeastShareOfData = 0.5;            // small dumps have a few pages of it
constexpr std::size_t kMostMappings = 1000;          // of one library; a handful are usual
constexpr std::uint64_t kMostZeroedBytes = 1 << 20;  // .bss; four tenths of it were seen

// ContractDescriptor, docs/design/datacontracts/contract-descriptor.md in dotnet/runtime.
struct DescriptorHeader {
  std::uint64_t magic;
  std::uint32_t flags;
  std::uint32_t jsonBytes;
  std::uint64_t json;
  std::uint32_t addressCount;
  std::uint32_t padding;
  std::uint64_t addresses;
};

// ".../Microsoft.NETCore.App/10.0.12/libcoreclr.so" names the version in its folder.
std::string versionInPath(std::string_view path) {
  constexpr std::string_view kFramework = "/Microsoft.NETCore.App/";
  const std::size_t found = path.rfind(kFramework);
  if (found == std::string_view::npos) return {};
  const std::string_view rest = path.substr(found + kFramework.size());
  const std::string_view folder = rest.substr(0, rest.find('/'));
  const bool looksLikeVersion = folder.size() + 1 + kLibraryName.size() == rest.size() && !folder.empty() &&
                                std::isdigit(static_cast<unsigned char>(folder.front())) &&
                                std::count(folder.begin(), folder.end(), '.') >= 2;
  return looksLikeVersion ? std::string(folder) : std::string();
}

// A deleted or replaced library keeps its name with a suffix.
std::string_view withoutDeletedMark(std::string_view path) {
  constexpr std::string_view kMark = " (deleted)";
  return path.ends_with(kMark) ? path.substr(0, path.size() - kMark.size()) : path;
}

/// A file that may be the runtime, and what of it can be read.
class Candidate {
 public:
  Candidate(const AddressSpace& space, const ElfCore& core, const MappedLibrary& mapped)
      : m_space(space), m_image(ElfImage::at(space, mapped.range.start)) {
    m_library.architecture = core.architecture;
    m_library.base = mapped.range.start;
    m_library.path = withoutDeletedMark(mapped.path);
    m_library.pathVersion = versionInPath(m_library.path);
    m_range = mapped.range;
    if (m_image) {
      m_library.buildId = m_image->buildId();
      m_range = m_image->range();
      m_data = m_image->data();
    } else {
      addDataBehindCode(core);
    }
    readVersionsOf(space);
  }

  const RuntimeLibrary& library() const { return m_library; }
  const std::vector<AddressRange>& data() const { return m_data; }

  std::optional<RuntimeLibrary> bySymbol() const {
    const auto symbol = symbolOf(kGlobalTableSymbol);
    if (!symbol || !m_space.holds({symbol->address, symbol->address + symbol->sizeBytes})) return std::nullopt;
    RuntimeLibrary found = m_library;
    found.globalTable = *symbol;
    found.globals = m_space.isFromFile(symbol->entry) ? GlobalsSource::File : GlobalsSource::Dump;
    return found;
  }

  std::optional<RuntimeLibrary> byShape() const {
    const auto table = findGlobalTableByShape(m_space, m_range, m_data, m_library.architecture, m_library.version());
    if (!table) return std::nullopt;
    RuntimeLibrary found = m_library;
    found.globalTable = *table;
    found.globals = GlobalsSource::Shape;
    return found;
  }

  /// What a program compiled ahead of time exports for debuggers, unless it was told not to.
  std::optional<RuntimeLibrary> nativeAotBySymbol() const {
    for (const std::string_view name : {kDebugHeaderSymbol, kDescriptorSymbol}) {
      const auto symbol = symbolOf(name);
      if (symbol && isAotDescription(m_space, symbol->address))
        return nativeAot(symbol->address,
                         m_space.isFromFile(symbol->entry) ? GlobalsSource::File : GlobalsSource::Dump);
    }
    return std::nullopt;
  }
  std::optional<RuntimeLibrary> nativeAotByShape() const {
    const Address description = findAotDescription(m_space, m_range, m_data);
    return description ? std::optional(nativeAot(description, GlobalsSource::Shape)) : std::nullopt;
  }

  bool exports(std::string_view name) const { return symbolOf(name).has_value(); }
  /// Whether its symbols, in the dump or in a file, tell if it exports a name.
  bool canTell(std::string_view name) const {
    const auto symbol = symbolOf(name);
    return symbol || symbol.error().code == ErrorCode::NotFound;
  }
  /// Which share of its variables the dump holds.
  double shareOfData() const {
    std::uint64_t held = 0;
    std::uint64_t whole = 0;
    for (const AddressRange& range : m_data) {
      whole += range.sizeBytes();
      for (const AddressRange& part : m_space.present(range)) held += part.sizeBytes();
    }
    return whole == 0 ? 0 : static_cast<double>(held) / static_cast<double>(whole);
  }

 private:
  RuntimeLibrary nativeAot(Address description, GlobalsSource source) const {
    RuntimeLibrary found = m_library;
    found.flavor = RuntimeFlavor::NativeAot;
    found.description = description;
    found.globals = source;
    found.range = m_range;
    found.data = m_data;
    return found;
  }

  void readVersionsOf(const AddressSpace& space) {
    for (const AddressRange& range : m_data) {
      for (const AddressRange& part :
           space.present({range.start, std::min(range.end, range.start + kMostVersionDataBytes)})) {
        const auto view = space.view(part);
        if (view && readVersions({reinterpret_cast<const char*>(view->bytes.data()), view->bytes.size()}, m_library))
          return;
      }
    }
    // Pages that nothing has written to are not in every dump.
    if (m_library.buildId.empty()) return;
    for (const AddressRange& range : m_data) {
      if (readVersions(variablesOnDisk(m_library, range), m_library)) return;
    }
  }

  Result<DynamicSymbol> symbolOf(std::string_view name) const {
    if (!m_image) return tl::unexpected<Error>(m_image.error());
    return m_image->findSymbol(name);
  }

  // Without the headers of the library: mappings that were written to or lie behind its code, where what only
  // relocation writes to is read-only by now, and the zeroed memory right behind them. createdump writes but some pages
  // of each.
  void addDataBehindCode(const ElfCore& core) {
    Address limit = m_range.end + kMostZeroedBytes;
    for (const MappedFile& file : core.files) {
      if (file.range.start >= m_range.end) limit = std::min(limit, file.range.start);
    }
    Address lastWritten = m_range.end;
    for (const LoadSegment& load : core.loads) {
      const bool isWritten = (load.flags & PF_W) != 0 && load.range.start >= m_range.start && load.range.start < limit;
      if (isWritten) lastWritten = std::max(lastWritten, std::min(load.range.end, limit));
    }
    bool isBehindCode = false;
    std::size_t mappings = 0;
    for (const MappedFile& file : core.files) {
      if (file.range.start < m_range.start || file.range.start >= m_range.end) continue;
      if (++mappings > kMostMappings) break;
      const bool isCode = hasLoad(core, file.range, PF_X);
      if ((isBehindCode && !isCode) || hasLoad(core, file.range, PF_W)) m_data.push_back(file.range);
      isBehindCode |= isCode;
    }
    if (lastWritten > m_range.end) m_data.push_back({m_range.end, lastWritten});
    m_range.end = lastWritten;
  }

  static bool hasLoad(const ElfCore& core, AddressRange range, std::uint32_t flag) {
    return std::ranges::any_of(core.loads, [&](const LoadSegment& load) {
      return (load.flags & flag) != 0 && load.range.start < range.end && range.start < load.range.end;
    });
  }

  const AddressSpace& m_space;
  Result<ElfImage> m_image;
  RuntimeLibrary m_library;
  AddressRange m_range;
  std::vector<AddressRange> m_data;
};

std::vector<Candidate> librariesNamed(const AddressSpace& space, const ElfCore& core, const LibraryMap& map) {
  std::vector<Candidate> candidates;
  for (const MappedLibrary& mapped : map.all()) {
    if (candidates.size() < kMostCandidates && fileNameOf(withoutDeletedMark(mapped.path)) == kLibraryName)
      candidates.emplace_back(space, core, mapped);
  }
  return candidates;
}

bool isElf(const AddressSpace& space, Address start) {
  std::array<unsigned char, SELFMAG> magic{};
  return space.tryRead(start, magic) && std::memcmp(magic.data(), ELFMAG, SELFMAG) == 0;
}

/// Programs, the one that the process was started with first.
std::vector<Candidate> programs(const AddressSpace& space, const ElfCore& core, const LibraryMap& map) {
  std::vector<const MappedLibrary*> mapped;
  for (const MappedLibrary& file : map.all()) {
    if (!fileNameOf(file.path).starts_with("lib")) mapped.push_back(&file);
  }
  const auto entry = std::ranges::find(core.auxiliaryVector, std::uint64_t{AT_ENTRY}, &AuxiliaryEntry::type);
  if (entry != core.auxiliaryVector.end()) {
    std::ranges::stable_partition(mapped,
                                  [&](const MappedLibrary* file) { return file->range.contains({entry->value}); });
  }
  std::vector<Candidate> candidates;
  for (const MappedLibrary* file : mapped) {
    if (candidates.size() >= kMostCandidates) break;
    if (isElf(space, file->range.start) || file == mapped.front()) candidates.emplace_back(space, core, *file);
  }
  return candidates;
}

/// A library that was compiled ahead of time, which programs in other languages load. It may have any name.
std::optional<RuntimeLibrary> findNativeAotLibrary(const AddressSpace& space, const ElfCore& core,
                                                   const LibraryMap& map) {
  std::vector<Candidate> candidates;
  for (const MappedLibrary& file : map.all()) {
    if (candidates.size() >= kMostLibraries) break;
    if (!isElf(space, file.range.start)) continue;
    candidates.emplace_back(space, core, file);
    if (auto found = candidates.back().nativeAotBySymbol()) return found;
  }
  for (const Candidate& candidate : candidates) {
    if (auto found = candidate.nativeAotByShape()) return found;
  }
  return std::nullopt;
}

std::optional<RuntimeLibrary> findAmong(const std::vector<Candidate>& candidates) {
  for (const Candidate& candidate : candidates) {
    if (auto found = candidate.bySymbol()) return found;
    if (auto found = candidate.nativeAotBySymbol()) return found;
  }
  for (const Candidate& candidate : candidates) {
    if (auto found = candidate.nativeAotByShape()) return found;
  }
  for (const Candidate& candidate : candidates) {
    if (auto found = candidate.byShape()) return found;
  }
  return std::nullopt;
}

/// Why a library that is called as the runtime is cannot be read.
Error explainLibrary(const ElfCore& core, const Candidate& candidate) {
  const RuntimeLibrary& library = candidate.library();
  if (core.missingFileBytes > 0) return runtimeCut(core, library);
  if (candidate.shareOfData() < kLeastShareOfData || candidate.exports(kGlobalTableSymbol))
    return runtimeDataMissing(library);
  if (!candidate.canTell(kGlobalTableSymbol)) return runtimeSymbolsMissing(library);
  return unsupportedRuntime(library.version());
}

}  // namespace

Result<RuntimeLibrary> findRuntimeLibrary(const AddressSpace& space, const ElfCore& core) {
  const LibraryMap map(core);
  const std::vector<Candidate> libraries = librariesNamed(space, core, map);
  if (auto found = findAmong(libraries)) return *found;
  if (!libraries.empty()) return tl::unexpected<Error>(explainLibrary(core, libraries.front()));
  // A single-file program contains the runtime and exports its table itself.
  const std::vector<Candidate> files = programs(space, core, map);
  if (auto found = findAmong(files)) return *found;
  for (const Candidate& file : files) {
    if (file.exports(kGlobalTableSymbol)) return tl::unexpected<Error>(explainLibrary(core, file));
    if (file.exports(kDescriptorSymbol)) return tl::unexpected<Error>(unsupportedRuntime(file.library().version()));
  }
  if (auto found = findNativeAotLibrary(space, core, map)) return *found;
  if (!files.empty() && !isOnMono(core)) {
    const Candidate& program = files.front();
    const bool isCertain =
        program.shareOfData() == 1 || (program.canTell(kGlobalTableSymbol) && program.canTell(kDebugHeaderSymbol));
    if (!isCertain && core.missingFileBytes > 0) return tl::unexpected<Error>(runtimeCut(core, program.library()));
    if (!isCertain) return tl::unexpected<Error>(programMissing(core, program.library()));
  }
  return tl::unexpected<Error>(noRuntime(core));
}

std::optional<RuntimeDescriptor> descriptorInDump(const AddressSpace& space, const RuntimeLibrary& library) {
  const auto image = ElfImage::at(space, library.base);
  const auto symbol = image ? image->findSymbol(kDescriptorSymbol) : tl::unexpected<Error>(image.error());
  return symbol ? descriptorAt(space, symbol->address) : std::nullopt;
}

std::optional<RuntimeDescriptor> descriptorAt(const AddressSpace& space, Address address, ConstantsFrom constants) {
  DescriptorHeader header{};
  if (!space.tryRead(address, header)) return std::nullopt;
  if (header.magic != kDescriptorMagic || header.jsonBytes > kMaximumDescriptorBytes) return std::nullopt;
  // What is read from the file is not the dump's: descriptorOnDisk gives it.
  if (constants == ConstantsFrom::Dump && space.isFromFile({header.json})) return std::nullopt;
  RuntimeDescriptor descriptor;
  descriptor.json.resize(header.jsonBytes);
  if (!space.tryRead({header.json}, std::as_writable_bytes(std::span(descriptor.json)))) return std::nullopt;
  descriptor.addresses.resize(std::min(header.addressCount, kMostDescriptorAddresses));
  for (std::size_t i = 0; i < descriptor.addresses.size(); ++i)
    space.tryRead(Address{header.addresses} + sizeof(Address) * i, descriptor.addresses[i]);
  return descriptor;
}

std::optional<RuntimeDescriptor> descriptorOnDisk(const RuntimeLibrary& library,
                                                  std::span<const std::filesystem::path> folders) {
  if (library.buildId.empty()) return std::nullopt;
  std::vector<std::filesystem::path> places{library.path};
  for (const auto& folder : folders) places.push_back(folder / fileNameOf(library.path));
  for (const auto& place : places) {
    const auto file = ElfLibraryFile::openMatching(place, library.buildId);
    const auto symbol = file ? file->findSymbol(kDescriptorSymbol) : std::nullopt;
    DescriptorHeader header{};
    if (!symbol || !file->tryRead(*symbol, std::as_writable_bytes(std::span(&header, 1)))) continue;
    const auto json = file->relocatedPointer(*symbol + offsetof(DescriptorHeader, json));
    if (header.magic != kDescriptorMagic || header.jsonBytes > kMaximumDescriptorBytes || !json) continue;
    RuntimeDescriptor descriptor;
    descriptor.json.resize(header.jsonBytes);
    if (file->tryRead(*json, std::as_writable_bytes(std::span(descriptor.json)))) return descriptor;
  }
  return std::nullopt;
}

}  // namespace heapscape::engine
