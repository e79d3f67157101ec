// SPDX-License-Identifier: MIT
#include "redact/image_parts.h"

#include <elf.h>
#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "memory/elf/elf_image.h"
#include "memory/elf/image_extents.h"
#include "memory/files/recorded_path.h"
#include "metadata/metadata_tables.h"
#include "redact/renamed_metadata.h"
#include "runtime/methods/code_range.h"
#include "runtime/modules/noted_images.h"
#include "runtime/runtime_readers.h"
#include "session/snapshot/contents.h"
#include "stacks/ready_to_run_sections.h"

namespace heapscape::engine {
namespace {

// Kinds of sections of a managed native header (ReadyToRunSectionType, src/coreclr/inc/readytorun.h).
constexpr std::uint32_t kManifestMetadata = 112;
constexpr std::uint64_t kNativeHeaderBytes = 16 + 32 * 12;  // with the sections that there are kinds of
constexpr std::uint64_t kMostUnwindBytes = 16 << 10;        // of one function, with the GC info behind it
constexpr std::uint64_t kMostHeaderBytes = 4096;

/// What the program wrote into metadata for others to read rather than to name something.
bool isKeptAttribute(std::string_view nameSpace, std::string_view name) {
  return nameSpace.starts_with("System.Runtime.") || name == "AssemblyInformationalVersionAttribute" ||
         name == "AssemblyFileVersionAttribute" || name == "AssemblyCompanyAttribute";
}

/// Blanks what metadata holds but names and signatures.
class MetadataBlanks {
 public:
  MetadataBlanks(Bytes bytes, Address start, const RedactOptions& options, RenamedNames& names, MemoryPlan& plan)
      : m_bytes(bytes), m_start(start), m_options(options), m_names(names), m_plan(plan) {
    auto tables = MetadataTables::parse(bytes);
    if (!tables) return;
    m_tables.emplace(std::move(*tables));
    m_methods.emplace(*m_tables, TableId::TypeDef, columns::typeDef::MethodList);
    m_fields.emplace(*m_tables, TableId::TypeDef, columns::typeDef::FieldList);
  }

  /// Whether there is any metadata.
  Result<bool> enter() {
    if (!m_tables) return false;
    const MetadataShape shape = m_tables->shape();
    if (shape.userStrings.sizeBytes)
      m_plan.blank(
          {m_start + shape.userStrings.offset, m_start + shape.userStrings.offset + shape.userStrings.sizeBytes});
    collectSignatures();
    for (std::uint32_t row = 1; row <= m_tables->rowCount(TableId::Constant); ++row)
      if (const auto constant = m_tables->row(TableId::Constant, row)) {
        const Bytes value = constant->blob(columns::constant::Value);
        if (m_options.keepsEnums && isOfEnum(constant->token(columns::constant::Parent)))
          m_signatures.insert(value.data());
        else
          m_literals.push_back(value);
      }
    std::vector<Bytes> values;
    for (std::uint32_t row = 1; row <= m_tables->rowCount(TableId::CustomAttribute); ++row) {
      const auto attribute = m_tables->row(TableId::CustomAttribute, row);
      if (!attribute) continue;
      const Bytes value = attribute->blob(columns::customAttribute::Value);
      if (isKept(attribute->token(columns::customAttribute::Constructor)) &&
          !isHidden(attribute->token(columns::customAttribute::Parent), value))
        m_signatures.insert(value.data());
      else
        values.push_back(value);
    }
    for (const Bytes value : values) blankBlob(value);
    for (const Bytes literal : m_literals) blankBlob(literal);
    if (!m_names.areNone()) HEAPSCAPE_CHECK(renameMetadata(*m_tables, m_bytes, m_start, m_names, m_plan));
    return true;
  }

 private:
  /// A heap of blobs has equal ones once: a signature may have the bytes of a value.
  void collectSignatures() {
    for (std::size_t table = 0; table < kTableCount; ++table) {
      const auto id = static_cast<TableId>(table);
      const auto& described = columnsOf(id);
      for (std::uint8_t column = 0; column < kMaxColumns; ++column) {
        if (described[column].type != ColumnType::Blob) continue;
        if (id == TableId::Constant || id == TableId::CustomAttribute || id == TableId::DeclSecurity) continue;
        for (std::uint32_t row = 1; row <= m_tables->rowCount(id); ++row)
          if (const auto one = m_tables->row(id, row))
            if (const Bytes blob = one->blob(column); !blob.empty()) m_signatures.insert(blob.data());
      }
    }
  }

  void blankBlob(Bytes blob) {
    if (blob.empty() || m_signatures.contains(blob.data())) return;
    const Address start = m_start + static_cast<std::uint64_t>(blob.data() - m_bytes.data());
    m_plan.blank({start, start + blob.size()});
  }

  bool isKept(Token constructor) const {
    if (constructor.table == TableId::MethodDef) {
      const auto type = m_tables->row(TableId::TypeDef, m_methods->rowStartingAtOrBefore(constructor));
      return type && isKeptAttribute(type->text(columns::typeDef::NameSpace), type->text(columns::typeDef::Name));
    }
    if (constructor.table != TableId::MemberRef) return false;
    const auto member = m_tables->row(TableId::MemberRef, constructor.row);
    if (!member) return false;
    const Token parent = member->token(columns::memberRef::Parent);
    if (parent.table != TableId::TypeRef) return false;
    const auto type = m_tables->row(TableId::TypeRef, parent.row);
    return type && isKeptAttribute(type->text(columns::typeRef::NameSpace), type->text(columns::typeRef::Name));
  }

  /// Whether what an attribute says would tell of a namespace that is renamed: type names, and who made an assembly.
  bool isHidden(Token parent, Bytes value) const {
    if (m_names.areNone()) return false;
    if (m_names.areMentionedIn({reinterpret_cast<const char*>(value.data()), value.size()})) return true;
    const auto assembly = parent.table == TableId::Assembly ? m_tables->row(TableId::Assembly, 1) : std::nullopt;
    return assembly && m_names.covers(assembly->text(columns::assembly::Name));
  }

  /// Whether a literal is the value of a member of an enum, which names its values.
  bool isOfEnum(Token parent) const {
    if (parent.table != TableId::Field) return false;
    const auto type = m_tables->row(TableId::TypeDef, m_fields->rowStartingAtOrBefore(parent));
    if (!type) return false;
    const Token base = type->token(columns::typeDef::Extends);
    const auto named = m_tables->row(base.table, base.row);
    if (!named) return false;
    if (base.table == TableId::TypeRef)
      return named->text(columns::typeRef::Name) == "Enum" && named->text(columns::typeRef::NameSpace) == "System";
    return base.table == TableId::TypeDef && named->text(columns::typeDef::Name) == "Enum" &&
           named->text(columns::typeDef::NameSpace) == "System";
  }

  Bytes m_bytes;
  Address m_start;
  const RedactOptions& m_options;
  RenamedNames& m_names;
  MemoryPlan& m_plan;
  std::optional<MetadataTables> m_tables;
  std::optional<RowIndex> m_methods, m_fields;  // of types by the first that they have; with m_tables
  std::set<const std::byte*> m_signatures;      // and values that stay
  std::vector<Bytes> m_literals;
};

Result<void> keepMetadata(const AddressSpace& memory, AddressRange range, const RedactOptions& options,
                          RenamedNames& names, MemoryPlan& plan) {
  const auto view = memory.view(range);
  if (!view || memory.isFromFile(range.start)) return {};
  // In front of what is no whole number of words stands its length.
  const AddressRange aligned{{range.start.value / kPointerBytes * kPointerBytes}, range.end};
  HEAPSCAPE_TRY(const bool isThere, MetadataBlanks(view->bytes, range.start, options, names, plan).enter());
  if (isThere) plan.keep(aligned, KeepRule::Bytes, KeptKind::Metadata);
  return {};
}

/// The CodeView record tells which PDB belongs to the image: its GUID stays, and the PDB's own name.
void keepDebugDirectory(const AddressSpace& memory, Address base, const PeReader& read, bool isMapped,
                        RenamedNames& names, MemoryPlan& plan) {
  constexpr std::uint32_t kEntryBytes = 28;
  constexpr std::uint32_t kCodeView = 2;
  constexpr std::uint64_t kGuidBytes = 24;  // "RSDS", GUID, age
  constexpr std::uint32_t kMostPath = 4096;
  const auto directory = locateDebugDirectory(read, isMapped);
  if (!directory) return;
  plan.keep({base + directory->offset, base + directory->offset + directory->sizeBytes}, KeepRule::Bytes,
            KeptKind::Metadata);
  for (std::uint64_t at = 0; at + kEntryBytes <= directory->sizeBytes; at += kEntryBytes) {
    std::uint32_t type = 0, size = 0, rva = 0, pointer = 0;
    const Address entry = base + directory->offset + at;
    if (!memory.tryRead(entry + 12, type) || !memory.tryRead(entry + 16, size) || !memory.tryRead(entry + 20, rva) ||
        !memory.tryRead(entry + 24, pointer) || type != kCodeView || size < kGuidBytes || size > kMostPath)
      continue;
    const Address record = base + (isMapped ? rva : pointer);
    plan.keep({record, record + size}, KeepRule::Bytes, KeptKind::Metadata);
    const auto path = memory.readText(record + kGuidBytes, size - kGuidBytes);
    if (!path) continue;
    const std::string masked = names.path(withoutHome(*path));
    const Bytes bytes = std::as_bytes(std::span(masked));
    plan.replace(record + kGuidBytes, {bytes.begin(), bytes.end()});
  }
}

/// Tables of images with ReadyToRun code, as far as the dump has them: where each function unwinds, and the GC info
/// behind that.
void keepReadyToRun(const Contents& contents, const std::vector<CodeRange>& ranges, const Module& module,
                    MemoryPlan& plan) {
  const ClrRuntime& runtime = contents.readers->runtime;
  const auto keep = [&](AddressRange range) { plan.keep(range, KeepRule::Bytes, KeptKind::CodeMaps); };
  const auto info = runtime.pointerAt(module.address, "Module", "ReadyToRunInfo");
  if (!info || !*info) return;
  if (const auto header = runtime.pointerAt(*info, "ReadyToRunInfo", "ReadyToRunHeader"))
    keep({*header, *header + kNativeHeaderBytes});
  if (const auto sections = readReadyToRunSections(runtime, module.address))
    for (const ReadyToRunSections::Section& section : sections->sections)
      if (section.type != kManifestMetadata) keep(section.range);
  const auto table = runtime.pointerAt(*info, "ReadyToRunInfo", "RuntimeFunctions");
  const auto count = runtime.valueAt<std::uint32_t>(*info, "ReadyToRunInfo", "NumRuntimeFunctions");
  const std::uint64_t entryBytes = runtime.contract().sizeOf("RuntimeFunction");
  if (!table || !count || entryBytes < sizeof(std::uint32_t)) return;
  const AddressRange whole{*table, *table + *count * entryBytes};
  keep(whole);
  // Code of images that were compiled together belongs to one of their modules.
  const auto image = std::ranges::find_if(ranges, [&](const CodeRange& range) {
    return range.module == module.address || (range.module && range.range.contains(*table));
  });
  if (image == ranges.end()) return;
  // They lie one behind the other; of a table that is there in part some are not named.
  AddressRange unwinding;
  for (const AddressRange& part : contents.memory->present(whole)) {
    const std::uint64_t first = (part.start - *table + entryBytes - 1) / entryBytes;
    for (std::uint64_t entry = first; *table + (entry + 1) * entryBytes <= part.end; ++entry) {
      std::uint32_t unwind = 0;
      if (!contents.memory->tryRead(*table + (entry + 1) * entryBytes - sizeof unwind, unwind) || !unwind) continue;
      const Address place = image->range.start + (unwind & ~std::uint32_t{3});
      if (unwinding.isEmpty()) unwinding = {place, place + 1};
      unwinding = {std::min(unwinding.start, place), std::max(unwinding.end, place + kMostUnwindBytes)};
    }
  }
  keep(unwinding);
}

/// Program headers of a library whose first byte lies at `base`; empty where the dump does not hold them.
std::vector<Elf64_Phdr> programHeadersAt(const AddressSpace& memory, Address base) {
  Elf64_Ehdr header{};
  if (!memory.tryRead(base, header) ||
      std::string_view(reinterpret_cast<const char*>(header.e_ident), SELFMAG) != std::string_view(ELFMAG, SELFMAG))
    return {};
  constexpr std::size_t kMostHeaders = 256;
  std::vector<Elf64_Phdr> headers(std::min<std::size_t>(header.e_phnum, kMostHeaders));
  for (std::size_t i = 0; i < headers.size(); ++i)
    if (!memory.tryRead(base + header.e_phoff + i * sizeof(Elf64_Phdr), headers[i])) return {};
  return headers;
}

/// What the runtime and its GC say of their own structures (ContractDescriptor, src/coreclr/debug/datadescriptor): a
/// head that begins with eight characters, the text that it leads to, and addresses.
void keepDescriptors(const AddressSpace& memory, AddressRange variables, MemoryPlan& plan) {
  constexpr std::uint64_t kMagic = 0x0043414443434e44;  // "DNCCDAC"
  constexpr std::uint64_t kHeadBytes = 40;
  constexpr std::uint64_t kMostText = 1 << 20;
  const auto keep = [&](Address start, std::uint64_t bytes) {
    plan.keep({start, start + bytes}, KeepRule::Bytes, KeptKind::RuntimeData);
  };
  for (const AddressRange& part : memory.present(variables)) {
    for (Address at{alignUp(part.start.value, kPointerBytes)}; at + kHeadBytes <= part.end; at += kPointerBytes) {
      std::uint64_t magic = 0;
      std::uint32_t textBytes = 0, addresses = 0;
      Address text, pointers;
      if (!memory.tryRead(at, magic) || magic != kMagic || !memory.tryRead(at + 12, textBytes) ||
          !memory.tryRead(at + 16, text) || !memory.tryRead(at + 24, addresses) || !memory.tryRead(at + 32, pointers))
        continue;
      keep(at, kHeadBytes);
      if (textBytes <= kMostText) keep(text, textBytes);
      if (addresses <= kMostText) keep(pointers, addresses * kPointerBytes);
    }
  }
}

/// From a library's table of names' hashes to the end of the names, as its dynamic section tells: symbols lie between.
AddressRange symbolsOf(const AddressSpace& memory, AddressRange section, Address bias) {
  constexpr std::uint64_t kMostBytes = 64 << 20;
  Address first, names;
  std::uint64_t nameBytes = 0;
  for (Address at = section.start; at + sizeof(Elf64_Dyn) <= section.end; at += sizeof(Elf64_Dyn)) {
    Elf64_Dyn entry{};
    if (!memory.tryRead(at, entry) || entry.d_tag == DT_NULL) break;
    // glibc's loader writes addresses where the file has offsets.
    const Address place = entry.d_un.d_ptr >= bias.value ? Address{entry.d_un.d_ptr} : bias + entry.d_un.d_ptr;
    if (entry.d_tag == DT_STRTAB) names = place;
    if (entry.d_tag == DT_STRSZ) nameBytes = entry.d_un.d_val;
    if (entry.d_tag == DT_GNU_HASH || entry.d_tag == DT_SYMTAB) first = first ? std::min(first, place) : place;
  }
  if (!first || names < first || nameBytes > kMostBytes || names - first > kMostBytes) return {};
  return {first, names + nameBytes};
}

bool isOfRuntime(const Contents& contents, const std::string& path) {
  return path == contents.summary.runtime.libraryPath || fileNameOf(path).starts_with("libclrgc");
}

}  // namespace

Result<void> keepImages(const Snapshot& snapshot, const RedactOptions& options, RenamedNames& names, MemoryPlan& plan) {
  const Contents& contents = snapshot.contents();
  const AddressSpace& memory = *contents.memory;
  const std::vector<CodeRange> ranges = allCodeRanges(contents.readers->runtime);
  for (const Module* module : contents.readers->modules.all()) {
    if (module->isDynamic) {
      if (const auto range = dynamicMetadataOf(contents.readers->runtime, module->address))
        HEAPSCAPE_CHECK(keepMetadata(memory, *range, options, names, plan));
      continue;
    }
    if (!module->imageBase) continue;
    keepReadyToRun(contents, ranges, *module, plan);
    const Address base = module->imageBase;
    // The headers on the way to the metadata, and to what else is looked for, stay.
    const PeReader read = [&](std::uint64_t offset, std::span<std::byte> target) {
      plan.keep({base + offset, base + offset + target.size()}, KeepRule::Bytes, KeptKind::Metadata);
      return memory.tryRead(base + offset, target);
    };
    const auto location = locateMetadata(read, module->isMapped);
    if (!location) continue;
    HEAPSCAPE_CHECK(keepMetadata(memory, {base + location->offset, base + location->offset + location->sizeBytes},
                                 options, names, plan));
    keepDebugDirectory(memory, base, read, module->isMapped, names, plan);
    const Bytes head = memory.prefix(base, kMostHeaderBytes);
    plan.keep({base, base + std::min<std::uint64_t>(kMostHeaderBytes, peHeaderBytes(head))}, KeepRule::Bytes,
              KeptKind::Metadata);
    // Cells that code calls through.
    for (const LoadSegment& load : contents.core->loads) {
      const AddressRange part{std::max(load.range.start, base), std::min(load.range.end, base + module->sizeBytes)};
      if (!part.isEmpty() && (load.flags & PF_W)) plan.keep(part, KeepRule::Addresses, KeptKind::CodeMaps);
    }
  }
  // The runtime maps an image with ReadyToRun code as a file as well, and its readers look at the headers there.
  for (const MappedFile& file : contents.core->files) {
    const Bytes head = file.fileOffset == 0 ? memory.prefix(file.range.start, kMostHeaderBytes) : Bytes();
    const Address start = file.range.start;
    plan.keep({start, start + std::min<std::uint64_t>(kMostHeaderBytes, peHeaderBytes(head))}, KeepRule::Bytes,
              KeptKind::Metadata);
  }
  return {};
}

void keepLibraries(const Snapshot& snapshot, MemoryPlan& plan) {
  const Contents& contents = snapshot.contents();
  const AddressSpace& memory = *contents.memory;
  for (const MappedFile& file : contents.core->files) {
    if (file.fileOffset != 0) continue;
    const Address base = file.range.start;
    const std::vector<Elf64_Phdr> headers = programHeadersAt(memory, base);
    const auto image = ElfImage::at(memory, base);
    if (headers.empty() || !image) continue;
    const bool isRuntime = isOfRuntime(contents, file.path);
    if (isRuntime)
      for (const AddressRange& variables : image->data()) keepDescriptors(memory, variables, plan);
    bool isFirst = true;
    // What only the loader writes is constant, as what the runtime says of its own structures.
    for (const Elf64_Phdr& header : headers) {
      const Address start = image->bias() + header.p_vaddr;
      if (isRuntime && header.p_type == PT_GNU_RELRO)
        plan.keep({start, start + header.p_memsz}, KeepRule::Bytes, KeptKind::RuntimeData);
    }
    for (const Elf64_Phdr& header : headers) {
      const Address start = image->bias() + header.p_vaddr;
      const AddressRange range{start, start + header.p_memsz};
      if (header.p_type == PT_DYNAMIC) {
        plan.keep(range, KeepRule::Structure, KeptKind::Libraries);
        plan.keep(symbolsOf(memory, range, image->bias()), KeepRule::Bytes, KeptKind::Libraries);
      }
      if (header.p_type == PT_NOTE) plan.keep(range, KeepRule::Bytes, KeptKind::Libraries);
      if (header.p_type != PT_LOAD) continue;
      const bool isCode = header.p_flags & PF_X;
      const bool isData = header.p_flags & PF_W;
      // Headers and symbols lie in a segment of their own, in front of the code.
      const AddressRange head{range.start, std::min(range.end, range.start + kMostHeaderBytes)};
      if (isFirst) plan.keep(isCode || isData ? head : range, KeepRule::Bytes, KeptKind::Libraries);
      isFirst = false;
      if (isRuntime && !isCode) plan.keep(range, isData ? KeepRule::Variables : KeepRule::Bytes, KeptKind::RuntimeData);
      // .eh_frame stands behind the table that searches it; libraries of arm64 have one segment for code and constants.
      if (!isData && range.contains(image->unwindTable().start))
        plan.keep({image->unwindTable().start, range.end}, KeepRule::Bytes, KeptKind::Libraries);
    }
  }
}

std::vector<AddressRange> runtimeVariables(const Snapshot& snapshot) {
  const Contents& contents = snapshot.contents();
  std::vector<AddressRange> variables;
  for (const MappedFile& file : contents.core->files) {
    if (file.fileOffset != 0 || !isOfRuntime(contents, file.path)) continue;
    if (const auto image = ElfImage::at(*contents.memory, file.range.start))
      variables.insert(variables.end(), image->data().begin(), image->data().end());
  }
  return variables;
}

std::vector<AddressRange> libraryVariables(const Snapshot& snapshot) {
  const Contents& contents = snapshot.contents();
  std::vector<AddressRange> variables;
  for (const LoadSegment& load : contents.core->loads) {
    const MappedFile* file = contents.readers->modules.mappedFileAt(load.range.start);
    if (file && (load.flags & PF_W) && fileNameOf(file->path).find(".so") != std::string::npos)
      variables.push_back(load.range);
  }
  return variables;
}

std::string withoutHome(const std::string& path) {
  // On Linux and macOS, and of a build machine's: C:\Users\somebody\…
  constexpr std::array<std::string_view, 4> kHomes{"/home/", "/root/", "/Users/", ":\\Users\\"};
  std::string masked = path;
  for (const std::string_view home : kHomes) {
    const bool hasDrive = home.starts_with(':');
    if (path.find(home) != (hasDrive ? 1 : 0)) continue;
    const char separator = home.back();
    const std::size_t name = path.rfind(separator);
    for (std::size_t i = home.size() + (hasDrive ? 1 : 0); i < name; ++i)
      if (masked[i] != separator) masked[i] = '_';
  }
  return masked;
}

}  // namespace heapscape::engine
