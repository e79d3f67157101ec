// SPDX-License-Identifier: MIT
#include <elf.h>
#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <span>

#include "base/ascii.h"
#include "cli/sos/sos_command.h"
#include "cli/sos/sos_objects_walk.h"
#include "cli/sos/sos_text.h"
#include "memory/elf/elf_image.h"
#include "metadata/image/file_version.h"
#include "metadata/image/pe_image.h"
#include "metadata/image/portable_pdb.h"
#include "review/whole_file.h"
#include "runtime/types/lookup_map.h"
#include "session/snapshot/contents.h"
#include "session/types/debugger_names.h"

namespace heapscape::cli {
namespace {

using engine::Address;
using engine::ErrorCode;
using engine::Module;
using engine::Outcome;
using engine::RuntimeReaders;
using engine::Snapshot;

constexpr std::uint32_t kDefinedTypes = 0x02000000;
constexpr const char* kRule = "--------------------------------------\n";

std::string pathOrDynamic(const Module& module) {
  return module.isDynamic ? std::string("Dynamic Module") : module.path;
}

engine::PeReader readerOf(const RuntimeReaders& readers, const Module& module) {
  const engine::AddressSpace& memory = readers.runtime.memory();
  return [&memory, base = module.imageBase](std::uint64_t offset, std::span<std::byte> target) {
    return memory.tryRead(base + offset, target);
  };
}

/// Where a module's metadata lies in its image; an empty range for one made at run time, and where nothing tells it.
engine::AddressRange metadataOf(const RuntimeReaders& readers, const Module& module) {
  if (!module.imageBase) return {};
  const auto location = engine::locateMetadata(readerOf(readers, module), module.isMapped);
  if (!location) return {};
  const Address start = module.imageBase + location->offset;
  return {start, start + location->sizeBytes};
}

// ---- assemblies, clrmodules

std::string pdbText(const engine::PeReader& read, bool isMapped, bool saysPortable) {
  const auto directory = engine::readDebugDirectory(read, isMapped);
  if (!directory || !directory->pdbId) return "<none>";
  return fmt::format("{} 1 {}{}", engine::guidText(engine::Bytes(*directory->pdbId).first(16)),
                     saysPortable ? "(portable) " : "", directory->pdbPath);
}

std::string versionText(const engine::PeReader& read, bool isMapped) {
  return engine::fileVersionOf(read, isMapped).value_or("<none>");
}

void printAssembly(SosRun& run, const RuntimeReaders& readers, const Module& module) {
  const engine::AddressRange metadata = metadataOf(readers, module);
  const auto assembly = readers.runtime.pointerAt(module.address, "Module", "Assembly");
  run.print("{}\n    AssemblyName:    {}\n    ImageBase:       {}\n    Size:            {:08X}\n",
            module.isDynamic ? std::string("(Dynamic)") : module.path, module.path, upperAddress(module.imageBase),
            module.isDynamic ? 0 : module.sizeBytes);
  run.print("    ModuleAddress:   {}\n    AssemblyAddress: {}\n    IsPEFile:        {}\n    Layout:          {}\n",
            upperAddress(module.address), upperAddress(assembly.value_or(Address{})),
            module.isDynamic ? "False" : "True", module.isMapped ? "Mapped" : "Flat");
  run.print("    IsDynamic:       {}\n    MetadataAddress: {}\n    MetadataSize:    {:016X}\n",
            module.isDynamic ? "True" : "False", upperAddress(metadata.start), metadata.sizeBytes());
  run.print("    PdbInfo:         {}\n",
            module.isDynamic ? "<none>" : pdbText(readerOf(readers, module), module.isMapped, false));
  run.print("    Version:         {}\n",
            module.isDynamic ? "<none>" : versionText(readerOf(readers, module), module.isMapped));
}

Outcome<void> assemblies(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.dump());
  const RuntimeReaders& readers = *snapshot.contents().readers;
  const std::string name = run.arguments().valueOf("-n").value_or(run.arguments().valueOf("--name").value_or(""));
  for (const Module* module : readers.modules.all()) {
    if (!engine::holdsIgnoringCase(module->path, name)) continue;
    if (run.arguments().has("-v") || run.arguments().has("--verbose"))
      printAssembly(run, readers, *module);
    else
      run.print("{} {:08X} {}\n", upperAddress(module->imageBase), module->isDynamic ? 0 : module->sizeBytes,
                module->isDynamic ? std::string("(Dynamic)") : module->path);
    if (!run.goesOn()) break;
  }
  return {};
}

// ---- dumpdomain, dumpmodule, dumpassembly

void printLoaderHeaps(SosRun& run, const RuntimeReaders& readers, Address allocator) {
  constexpr std::array kHeaps{std::pair("LowFrequencyHeap", "LowFrequencyHeap:   "),
                              std::pair("HighFrequencyHeap", "HighFrequencyHeap:  "),
                              std::pair("StubHeap", "StubHeap:           ")};
  for (const auto& [member, title] : kHeaps) {
    // Null where a release has no such heap any more.
    const auto heap = readers.runtime.pointerAt(allocator, "LoaderAllocator", member);
    run.print("{}{}\n", title, upperAddress(heap.value_or(Address{})));
  }
}

/// Of the one domain that a process of .NET has.
std::string domainName(const RuntimeReaders& readers, Address domain) {
  constexpr std::size_t kLongestName = 200;
  const auto text = readers.runtime.pointerAt(domain, "AppDomain", "FriendlyName");
  if (!text || !*text) return "None";
  std::string name;
  char16_t unit = 0;
  for (Address at = *text; name.size() < kLongestName && readers.runtime.memory().tryRead(at, unit) && unit != 0;
       at += 2)
    name += unit < 0x80 ? static_cast<char>(unit) : '?';
  return name.empty() ? "None" : name;
}

Outcome<void> dumpDomain(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.dump());
  const RuntimeReaders& readers = *snapshot.contents().readers;
  const Address domain = readers.runtime.globalPointer("AppDomain").value_or(Address{});
  const Address system = readers.runtime.globalPointer("SystemDomain").value_or(Address{});
  const Module* core = readers.modules.coreLibrary();
  const Address allocator = core ? core->loaderAllocator : Address{};
  run.print("{}System Domain:      {}\n", kRule, lowerAddress(system));
  printLoaderHeaps(run, readers, allocator);
  run.print("Stage:              OPEN\nName:               None\n{}Domain 1:           {}\n", kRule,
            lowerAddress(domain));
  printLoaderHeaps(run, readers, allocator);
  run.print("Stage:              OPEN\nName:               {}\n", domainName(readers, domain));
  for (const Module* module : readers.modules.all()) {
    const auto assembly = readers.runtime.pointerAt(module->address, "Module", "Assembly");
    run.print("Assembly:           {}{} [{}]\n  Module\n  {}    {}\n\n", lowerAddress(assembly.value_or(Address{})),
              module->isDynamic ? " (Dynamic)" : "", module->isDynamic ? std::string() : module->path,
              lowerAddress(module->address), pathOrDynamic(*module));
    if (!run.goesOn()) break;
  }
  return {};
}

/// The one that there is, of every object.
Outcome<void> findDomain(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.heap());
  HEAPSCAPE_TRY(const Address address, run.arguments().address(0));
  HEAPSCAPE_CHECK(sosObject(snapshot, address));
  const RuntimeReaders& readers = *snapshot.contents().readers;
  const Address domain = readers.runtime.globalPointer("AppDomain").value_or(Address{});
  run.print("AppDomain: {}\nName:      {}\nID:        1\n", lowerAddress(domain), domainName(readers, domain));
  return {};
}

/// The arrays that the runtime keeps for a module, each by the rows of a table of its metadata.
void printMaps(SosRun& run, const RuntimeReaders& readers, const Module& module) {
  constexpr std::array kMaps{std::pair("TypeDefToMethodTableMap", "TypeDefToMethodTableMap: "),
                             std::pair("TypeRefToMethodTableMap", "TypeRefToMethodTableMap: "),
                             std::pair("MethodDefToDescMap", "MethodDefToDescMap:      "),
                             std::pair("FieldDefToDescMap", "FieldDefToDescMap:       "),
                             std::pair("MemberRefToDescMap", "MemberRefToDescMap:      ")};
  const auto table = [&](const char* member) {
    const Address map = readers.runtime.member(module.address, "Module", member);
    return readers.runtime.pointerAt(map, "ModuleLookupMap", "TableData").value_or(Address{});
  };
  for (const auto& [member, title] : kMaps) run.print("{}{}\n", title, upperAddress(table(member)));
  run.print("FileReferencesMap:       0000000000000000\nAssemblyReferencesMap:   {}\n",
            upperAddress(table("ManifestModuleReferencesMap")));
}

/// A list of types that a module knows, by row of a table of its metadata.
struct TypeListWords {
  const char* verb;
  const char* table;
  std::uint32_t tokens;
};

void printTypes(SosRun& run, const RuntimeReaders& readers, const TypeListWords& words,
                const std::vector<Address>& types) {
  engine::DebuggerNames names(readers);
  run.print("\nTypes {} in this module\n\n{:>16} {:>16} Name\n{}\n", words.verb, "MT", words.table,
            "------------------------------------------------------------------------------");
  for (std::size_t row = 1; row < types.size() && run.goesOn(); ++row) {
    if (!types[row]) continue;
    const std::string name = names.ofType(types[row]);
    // Definitions of generic types go without their parameters.
    run.print("{} 0x{:08x} {}\n", lowerAddress(types[row]), words.tokens | row, name.substr(0, name.find("[[")));
  }
}

Outcome<void> dumpModule(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.dump());
  HEAPSCAPE_TRY(const Address address, run.arguments().address(0));
  const RuntimeReaders& readers = *snapshot.contents().readers;
  const auto& all = readers.modules.all();
  const auto found = std::ranges::find(all, address, &Module::address);
  if (found == all.end())
    return tl::unexpected(engine::Unfinished(
        engine::Error{ErrorCode::NotFound, fmt::format("{} is not a Module", lowerAddress(address))}));
  const Module& module = **found;
  std::string attributes = module.isDynamic ? "Reflection " : "PEFile ";
  if (module.isCollectible) attributes += "Collectible ";
  if (!module.isDynamic && !module.isMapped) attributes += "IsFileLayout ";
  const auto assembly = readers.runtime.pointerAt(module.address, "Module", "Assembly");
  run.print("Name: {}\nAttributes:              {}\n", pathOrDynamic(module), attributes);
  run.print("Assembly:                {}\nBaseAddress:             {}\n", lowerAddress(assembly.value_or(Address{})),
            upperAddress(module.imageBase));
  run.print("LoaderHeap:              {}\n", upperAddress(module.loaderAllocator));
  printMaps(run, readers, module);
  const engine::AddressRange metadata = metadataOf(readers, module);
  if (metadata.start)
    run.print("MetaData start address:  {} ({} bytes)\n", upperAddress(metadata.start), metadata.sizeBytes());
  if (!run.arguments().has("-mt") || !module.metadata) return {};
  constexpr std::uint32_t kReferredTypes = 0x01000000;
  const engine::ClrRuntime& runtime = readers.runtime;
  printTypes(run, readers, {"defined", "TypeDef", kDefinedTypes},
             engine::readLookupMap(runtime, runtime.member(module.address, "Module", "TypeDefToMethodTableMap")));
  if (runtime.contract().has("Module", "TypeRefToMethodTableMap"))
    printTypes(run, readers, {"referenced", "TypeRef", kReferredTypes},
               engine::readLookupMap(runtime, runtime.member(module.address, "Module", "TypeRefToMethodTableMap")));
  return {};
}

Outcome<void> dumpAssembly(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.dump());
  HEAPSCAPE_TRY(const Address address, run.arguments().address(0));
  const RuntimeReaders& readers = *snapshot.contents().readers;
  bool isFound = false;
  for (const Module* module : readers.modules.all()) {
    if (readers.runtime.pointerAt(module->address, "Module", "Assembly").value_or(Address{}) != address) continue;
    if (!isFound)
      run.print("Parent Domain:      {}\nName:               {}\n",
                lowerAddress(readers.runtime.globalPointer("AppDomain").value_or(Address{})), pathOrDynamic(*module));
    isFound = true;
    run.print("  Module\n  {}    {}\n", lowerAddress(module->address), pathOrDynamic(*module));
  }
  if (!isFound)
    return tl::unexpected(engine::Unfinished(
        engine::Error{ErrorCode::NotFound, fmt::format("{} is not an Assembly", lowerAddress(address))}));
  return {};
}

// ---- modules

/// A file of the process, at the place where it is mapped first.
struct NativeModule {
  std::string path;
  engine::AddressRange range;
  bool isPe = false;
  std::uint32_t timeStamp = 0;   // of a PE image
  std::uint32_t imageBytes = 0;  // that it takes up once it is loaded
};

/// Whether a library, a program or an assembly begins there, and what its head says of it.
bool readImageHead(const engine::AddressSpace& memory, NativeModule& module) {
  constexpr std::uint64_t kHeaderAt = 0x3c;
  constexpr std::uint64_t kTimeStamp = 8;
  constexpr std::uint64_t kSizeOfImage = 24 + 56;
  const Address start = module.range.start;
  std::array<char, 4> magic{};
  if (!memory.tryRead(start, std::as_writable_bytes(std::span(magic)))) return false;
  if (std::string_view(magic.data(), magic.size()) ==
      "\x7f"
      "ELF")
    return true;
  if (!std::string_view(magic.data(), magic.size()).starts_with("MZ")) return false;
  module.isPe = true;
  std::uint32_t header = 0;
  if (!memory.tryRead(start + kHeaderAt, header)) return true;
  memory.tryRead(start + header + kTimeStamp, module.timeStamp);
  memory.tryRead(start + header + kSizeOfImage, module.imageBytes);
  return true;
}

/// Files by address, each once, as SOS has them: without what loads programs, and devices. A PE image is as large as it
/// says, up to the next file.
std::vector<NativeModule> nativeModules(const Snapshot& snapshot) {
  std::vector<NativeModule> all;
  const engine::ElfCore& core = *snapshot.contents().core;
  const auto loader = std::ranges::find(core.auxiliaryVector, std::uint64_t{AT_BASE}, &engine::AuxiliaryEntry::type);
  for (const engine::MappedFile& file : core.files) {
    if (!all.empty() && all.back().path == file.path && file.fileOffset != 0) {
      all.back().range.end = file.range.end;
    } else if (std::ranges::find(all, file.path, &NativeModule::path) == all.end()) {
      all.push_back({file.path, file.range});
    }
  }
  std::erase_if(all, [&](NativeModule& module) {
    const bool isLoader = loader != core.auxiliaryVector.end() && module.range.start.value == loader->value;
    return isLoader || module.path.starts_with("/dev/") || !readImageHead(*snapshot.contents().memory, module);
  });
  std::ranges::sort(all, {}, [](const NativeModule& module) { return module.range.start; });
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!all[i].isPe || all[i].imageBytes == 0) continue;
    Address end = all[i].range.start + all[i].imageBytes;
    if (i + 1 < all.size()) end = std::min(end, all[i + 1].range.start);
    all[i].range.end = end;
  }
  return all;
}

void printNativeModule(SosRun& run, const Snapshot& snapshot, std::size_t number, const NativeModule& module) {
  const engine::AddressSpace& memory = *snapshot.contents().memory;
  const engine::PeReader read = [&](std::uint64_t offset, std::span<std::byte> target) {
    return memory.tryRead(module.range.start + offset, target);
  };
  const bool isManaged = module.isPe && engine::locateMetadata(read, false).has_value();
  run.print(
      "{} {}\n    Address:         {}\n    ImageSize:       {:08X}\n    IsPEImage:       {}\n    IsManaged:       {}\n",
      number, module.path, upperAddress(module.range.start), module.range.sizeBytes(), module.isPe ? "True" : "False",
      isManaged ? "True" : "False");
  if (!module.isPe) {
    const auto image = engine::ElfImage::at(memory, module.range.start);
    const std::string id = image ? image->buildId() : std::string();
    const engine::RuntimeLibrary& library = snapshot.contents().readers->runtime.library();
    const std::string version = module.path == library.path ? library.buildVersion : std::string();
    run.print(
        "    IsFileLayout:    <unknown>\n    IndexFileSize:   <none>\n    IndexTimeStamp:  <none>\n"
        "    Version:         {}\n    BuildId:         {}\n",
        version.empty() ? "<none>" : version.substr(0, version.find(' ')), id.empty() ? "<none>" : id);
    return;
  }
  run.print("    IsFileLayout:    True\n    IndexFileSize:   {:08X}\n    IndexTimeStamp:  {:08X}\n", module.imageBytes,
            module.timeStamp);
  // Images that the runtime has laid out itself begin with a mapping of the file, too.
  const std::string version = versionText(read, false);
  run.print("    Version:         {}\n", version == "<none>" ? versionText(read, true) : version);
  const std::string pdb = pdbText(read, false, true);
  if (pdb != "<none>") run.print("    PdbInfo:         {}\n", pdb);
  run.print("    BuildId:         <none>\n");
}

Outcome<void> modules(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.dump());
  const SosArguments& arguments = run.arguments();
  const auto valueOf = [&](const char* brief, const char* full) {
    const auto value = arguments.valueOf(brief);
    return value ? value : arguments.valueOf(full);
  };
  const RE2 pattern(valueOf("-n", "--name").value_or(""), RE2::Quiet);
  if (!pattern.ok())
    return tl::unexpected(engine::Unfinished(engine::Error{ErrorCode::BadQuery, "That is no regular expression."}));
  std::optional<Address> address;
  if (const auto text = valueOf("-a", "--address")) {
    address.emplace();
    if (!engine::tryParseAddress(*text, *address))
      return tl::unexpected(
          engine::Unfinished(engine::Error{ErrorCode::BadQuery, fmt::format("'{}' is no address.", *text)}));
  }
  const bool isVerbose = arguments.has("-v") || arguments.has("--verbose");
  std::uint64_t total = 0;
  std::size_t number = 0;
  for (const NativeModule& module : nativeModules(snapshot)) {
    total += module.range.sizeBytes();
    const std::size_t own = number++;
    if (address && !module.range.contains(*address)) continue;
    if (!RE2::PartialMatch(module.path.substr(module.path.rfind('/') + 1), pattern)) continue;
    if (isVerbose)
      printNativeModule(run, snapshot, own, module);
    else
      run.print("{} {:08X} {}\n", upperAddress(module.range.start), module.range.sizeBytes(), module.path);
    if (!run.goesOn()) break;
  }
  if (!address) run.print("Total image size: {}\n", total);
  return {};
}

// ---- savemodule, saveallmodules

constexpr std::uint64_t kLargestImage = 1ull << 30;

/// An image as its file had it, so far as the dump holds it: what it lacks is zero, and counted.
struct SavedImage {
  std::string bytes = {};
  std::uint64_t missing = 0;

  void add(const engine::AddressSpace& memory, Address from, std::uint64_t offset, std::uint64_t size) {
    const std::uint64_t claimed = size;
    size = std::min(size, kLargestImage - std::min(offset, kLargestImage));
    missing += claimed - size;
    if (size == 0) return;
    if (bytes.size() < offset + size) bytes.resize(offset + size);
    std::uint64_t present = 0;
    for (const engine::AddressRange& part : memory.present({from, from + size})) {
      const auto target =
          std::as_writable_bytes(std::span(bytes)).subspan(offset + (part.start - from), part.sizeBytes());
      if (memory.tryRead(part.start, target)) present += part.sizeBytes();
    }
    missing += size - present;
  }
};

engine::Result<SavedImage> imageOf(const RuntimeReaders& readers, const Module& module) {
  if (module.isDynamic || !module.imageBase)
    return engine::failure(ErrorCode::NotFound, "A module that was made at run time has no image.");
  const engine::AddressSpace& memory = readers.runtime.memory();
  SavedImage image;
  if (!module.isMapped) {
    image.add(memory, module.imageBase, 0, module.sizeBytes);
    return image;
  }
  HEAPSCAPE_TRY(const auto stretches, engine::stretchesOfFile(readerOf(readers, module)));
  for (const engine::PeStretch& each : stretches)
    image.add(memory, module.imageBase + each.memoryOffset, each.fileOffset, each.sizeBytes);
  return image;
}

Outcome<void> saveImage(SosRun& run, const RuntimeReaders& readers, const Module& module, const std::string& path) {
  HEAPSCAPE_TRY(const SavedImage image, imageOf(readers, module));
  HEAPSCAPE_CHECK(engine::writeWholeFile(path, image.bytes));
  run.print("{}: {} bytes", path, grouped(image.bytes.size()));
  if (image.missing) run.print(", of which {} are not in the dump and zero", grouped(image.missing));
  run.print("\n");
  return {};
}

Outcome<void> saveModule(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.dump());
  HEAPSCAPE_TRY(const Address address, run.arguments().address(0));
  const RuntimeReaders& readers = *snapshot.contents().readers;
  for (const Module* module : readers.modules.all())
    if (module->address == address || (module->imageBase && module->imageBase == address))
      return saveImage(run, readers, *module, run.arguments().words()[1]);
  return tl::unexpected(engine::Unfinished(engine::Error{
      ErrorCode::NotFound, fmt::format("No module, and no image of one, begins at {}.", toString(address)),
      "clrmodules lists images."}));
}

/// Files have the names of the images, with a number where several have one.
Outcome<void> saveAllModules(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.dump());
  const RuntimeReaders& readers = *snapshot.contents().readers;
  const std::filesystem::path folder = run.arguments().words()[0];
  std::map<std::string, int> names;
  for (const Module* module : readers.modules.all()) {
    if (module->isDynamic || !module->imageBase) continue;
    // A name of the dump chooses no folder.
    std::string name = module->path.substr(module->path.rfind('/') + 1);
    name = name.substr(name.rfind('\\') + 1);
    if (name.empty() || name == "." || name == "..") name = "module";
    if (const int earlier = names[name]++) name += fmt::format(".{}", earlier + 1);
    HEAPSCAPE_CHECK(saveImage(run, readers, *module, (folder / name).string()));
    if (!run.goesOn()) break;
  }
  return {};
}

}  // namespace

void addSosModuleCommands(std::vector<SosCommand>& commands) {
  SosCommand like{.flags = "-v --verbose", .values = "-n --name", .needsMetadata = true, .more = "modules"};
  addLike(commands, like, "assemblies clrmodules", "[-v] [-n NAME]", "Managed assemblies", assemblies);
  like.values = "-n --name -a --address";
  like.more = "memory";
  addLike(commands, like, "modules lm", "[-v] [-n REGEX] [-a ADDRESS]", "Files that the process had mapped", modules);
  like = {.flags = "/d", .mostArguments = 1, .needsMetadata = true, .more = "modules"};
  addLike(commands, like, "dumpdomain", "", "The application domain and its assemblies", dumpDomain);
  like.leastArguments = 1;
  addLike(commands, like, "dumpassembly", "ASSEMBLY", "Modules of an assembly", dumpAssembly);
  like.flags = "-mt /d";
  addLike(commands, like, "dumpmodule", "[-mt] MODULE", "A module, and the types that it defines", dumpModule);
  like.flags = "";
  addLike(commands, like, "findappdomain", "ADDRESS", "The application domain of an object", findDomain);
  addLike(commands, like, "saveallmodules", "FOLDER", "Writes the images of all modules to files", saveAllModules);
  like.leastArguments = like.mostArguments = 2;
  addLike(commands, like, "savemodule", "ADDRESS FILE",
          "Writes a module's image to a file, so far as the dump holds it", saveModule);
}

}  // namespace heapscape::cli
