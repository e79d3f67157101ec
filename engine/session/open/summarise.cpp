// SPDX-License-Identifier: MIT
#include "session/open/summarise.h"

#include <elf.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "layout/framework_assembly.h"
#include "memory/address_space.h"
#include "runtime/threads/thread_registers.h"
#include "runtime/threads/threads.h"
#include "session/open/missing_files.h"
#include "session/process/process_mappings.h"
#include "session/snapshot/contents.h"
#include "session/snapshot/heap_presence.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

std::string coverageText(const Snapshot& snapshot) {
  return coverageText(snapshot.coverage());
}

std::string coverageText(double share) {
  return fmt::format("{:.2f}%", std::floor(share * 10'000) / 100);
}

namespace {

constexpr std::string_view kDiagnosticSignature = "DIAGINFOHEADER";
constexpr double kFullShare = 0.9;

bool isFromCreatedump(const AddressSpace& memory) {
  std::array<char, kDiagnosticSignature.size()> signature{};
  return memory.tryRead(kCreatedumpPage, std::as_writable_bytes(std::span(signature))) &&
         std::string_view(signature.data(), signature.size()) == kDiagnosticSignature;
}

constexpr std::uint64_t kMostHeadersRead = 64;  // the notes come first

/// Type of the file's first note; 0 if there is none.
std::uint32_t firstNote(Bytes file, const Elf64_Ehdr& header) {
  const std::uint64_t count = std::min<std::uint64_t>(header.e_phnum, kMostHeadersRead);
  for (std::uint64_t i = 0; i < count; ++i) {
    Elf64_Phdr part{};
    Elf64_Nhdr note{};
    if (!tryReadAt(file, header.e_phoff + i * sizeof part, part)) return 0;
    if (part.p_type == PT_NOTE) return tryReadAt(file, part.p_offset, note) ? note.n_type : 0;
  }
  return 0;
}

// A heap dump leaves out what can be read from the library's file.
bool holdsLibrary(const AddressSpace& memory, const ElfCore& core, const RuntimeLibrary& library) {
  std::uint64_t mapped = 0;
  std::uint64_t present = 0;
  for (const MappedFile& file : core.files) {
    if (file.path != library.path) continue;
    mapped += file.range.sizeBytes();
    for (const AddressRange& part : memory.present(file.range)) present += part.sizeBytes();
  }
  return mapped && static_cast<double>(present) >= kFullShare * static_cast<double>(mapped);
}

}  // namespace

std::string platformText(const RuntimeSummary& runtime) {
  std::string text = runtime.architecture;
  if (runtime.cLibrary) text += fmt::format(", {}", toString(*runtime.cLibrary));
  if (runtime.flavor == RuntimeFlavor::NativeAot) text += ", Native AOT";
  return text;
}

DumpKind smallDumpKindOf(const std::vector<Segment>& segments) {
  return listHeap(segments) ? DumpKind::Mini : DumpKind::Triage;
}

DumpKind dumpKindOf(Bytes file, const AddressSpace& memory, const ElfCore& core, const RuntimeLibrary& library) {
  if (core.redaction) return enumNamed<DumpKind>(core.redaction->dumpKind).value_or(DumpKind::Unknown);
  Elf64_Ehdr header{};
  if (!tryReadAt(file, 0, header)) return DumpKind::Unknown;
  // createdump names Linux in the header and begins with the process; the kernel names nothing and begins with the
  // thread that died (createdump of .NET 8 to 10).
  const std::uint32_t note = firstNote(file, header);
  const bool looksLikeCreatedump = header.e_ident[EI_OSABI] == ELFOSABI_LINUX && note == NT_PRPSINFO;
  if (isFromCreatedump(memory) || looksLikeCreatedump)
    return holdsLibrary(memory, core, library) ? DumpKind::Full : DumpKind::Heap;
  // gdb's writer makes a section header for every segment; the kernel and createdump write none.
  if (header.e_shnum > 1) return DumpKind::Gcore;
  return header.e_ident[EI_OSABI] == ELFOSABI_NONE && note == NT_PRSTATUS ? DumpKind::Kernel : DumpKind::Unknown;
}

namespace {

void noteLostStacks(const AddressSpace& memory, const ElfCore& core, FindingList& findings) {
  const auto lost = std::ranges::count_if(core.threads, [&](const CoreThread& thread) {
    std::uint64_t top = 0;
    return !memory.tryRead(thread.stackPointer(), top);
  });
  if (lost == 0) return;
  findings.add(FindingKind::MemoryMissing, {},
               fmt::format("The dump has no stack of {} of the {} threads, so what they hold is not known.", lost,
                           core.threads.size()));
}

}  // namespace

void noteLostThreads(const RuntimeReaders& readers, const ElfCore& core, FindingList& findings) {
  noteLostStacks(readers.runtime.memory(), core, findings);
  FindingList known;  // the list of threads tells of its own damage where it is asked for
  const std::vector<RuntimeThread> threads = readThreads(readers.runtime, known);
  const ThreadRegisters registers(readers.runtime, core, threads);
  std::size_t alive = 0;
  std::size_t lost = 0;
  for (const RuntimeThread& thread : threads) {
    if (!isAlive(thread)) continue;
    ++alive;
    lost += registers.of(thread.address) ? 0 : 1;
  }
  if (lost == 0) return;
  findings.add(FindingKind::MemoryMissing, {},
               fmt::format("The dump has no registers of {} of the {} threads that were running, so what their stacks "
                           "hold is not known.",
                           lost, alive));
}

bool hasIdsOfOtherNamespace(const Snapshot& snapshot) {
  const Contents& contents = snapshot.contents();
  return contents.readers && ThreadRegisters(contents.readers->runtime, *contents.core).isByStacks();
}

namespace {

constexpr std::string_view kCompanyAttribute = "System.Reflection.AssemblyCompanyAttribute";
constexpr std::string_view kVersionAttribute = "System.Reflection.AssemblyInformationalVersionAttribute";

// "10.0.12-servicing.25513.102+hash" is the release 10.0.12, "11.0.0-rtm.26529.118+hash" 11.0.0. What else may stand
// there, "-preview.5", is none.
std::string releaseOf(const std::string& informationalVersion) {
  const std::string version = informationalVersion.substr(0, informationalVersion.find('+'));
  return version.substr(0, std::min(version.find("-servicing"), version.find("-rtm")));
}

class Summariser {
 public:
  Summariser(Contents& contents, const std::filesystem::path& path) : m_contents(contents), m_path(path) {}

  void run() {
    const ClrRuntime& clr = m_contents.readers->runtime;
    RuntimeSummary& runtime = m_contents.summary.runtime;
    runtime.flavor = clr.library().flavor;
    runtime.version = runtimeVersion();
    runtime.architecture = toString(m_contents.core->architecture);
    runtime.cLibrary = cLibraryOf(*m_contents.core);
    runtime.buildId = clr.library().buildId;
    runtime.libraryPath = clr.library().path;
    runtime.isServerGc = m_contents.gc->isServer;
    runtime.heaps = static_cast<std::uint32_t>(m_contents.gc->heaps.size());
    runtime.hasRegions = m_contents.gc->hasRegions;
    runtime.gcInProgress = m_contents.gc->structuresInvalid;
    runtime.contract = clr.contractSource();
    runtime.contractVersion = clr.contract().runtimeVersion();
    runtime.contractVerifiedOn = clr.contract().verifiedOn();
    runtime.contractVerified =
        clr.isContractVerified() && clr.contract().isVerifiedOn(runtime.version) && clr.agreement().differing == 0;
    runtime.globals = clr.library().globals;

    DumpSummary& dump = m_contents.summary.dump;
    dump.path = m_path.string();
    dump.kind = dumpKindOf(m_contents.file->bytes(), *m_contents.memory, *m_contents.core, clr.library());
    dump.pid = m_contents.core->pid;
    dump.command = m_contents.core->command;
    dump.fileBytes = m_contents.core->fileBytes;
    dump.isCompressed = m_contents.file->isCompressed();
    dump.threads = static_cast<std::uint32_t>(m_contents.core->threads.size());
    noteDoubts();
    listModules();
    tellOwners();
  }

 private:
  std::string runtimeVersion() const {
    const Module* coreLibrary = m_contents.readers->modules.coreLibrary();
    const auto version = coreLibrary && coreLibrary->metadata
                             ? coreLibrary->metadata->assemblyAttributeText(kVersionAttribute)
                             : std::nullopt;
    if (version) return releaseOf(*version);
    const std::string& told = m_contents.readers->runtime.version();
    if (!told.empty()) return told;
    return m_contents.readers->runtime.contract().runtimeVersion();
  }

  std::string verifiedText() const {
    const RuntimeSummary& runtime = m_contents.summary.runtime;
    if (runtime.contractVerifiedOn.empty()) return "which no dump of " + runtime.architecture + " has verified";
    return fmt::format("verified on {}", fmt::join(runtime.contractVerifiedOn, ", "));
  }

  // A release that is known may still have been built with another table of globals.
  std::string buildText() const {
    const RuntimeSummary& runtime = m_contents.summary.runtime;
    if (runtime.version == runtime.contractVersion) return "it, whose release is not known";
    const bool isKnown = m_contents.readers->runtime.contract().isVerifiedOn(runtime.version);
    return isKnown ? "this build of " + runtime.version : runtime.version;
  }

  /// Text on what a build has moved, and says so itself.
  std::string correctionText() const {
    const std::size_t moved = m_contents.readers->runtime.agreement().differing;
    return moved ? fmt::format(", {} of them as the build itself has them", moved) : std::string();
  }

  void noteDoubts() {
    const RuntimeSummary& runtime = m_contents.summary.runtime;
    if (runtime.gcInProgress) {
      m_contents.findings.add(
          FindingKind::GcInProgress, {},
          "The dump was taken in the middle of a garbage collection: objects were being moved, and parts of "
          "the heap may not be readable.");
    }
    if (!runtime.contractVerified) {
      m_contents.findings.add(
          FindingKind::ContractNotVerified, {},
          fmt::format(
              "This build is read with the offsets of .NET {}, {}{}; they fit every check, but are not verified "
              "on {}.",
              runtime.contractVersion, verifiedText(), correctionText(), buildText()));
    }
    noteLostThreads(*m_contents.readers, *m_contents.core, m_contents.findings);
  }

  void tellOwners() {
    std::vector<AssemblyOrigin> assemblies;
    for (const Module* module : m_contents.readers->modules.all()) {
      AssemblyOrigin& assembly = assemblies.emplace_back(AssemblyOrigin{.name = module->name, .company = {}});
      // Where no company is asked for, its attributes need not be read.
      if (!module->metadata || isFrameworkAssembly(module->name)) continue;
      assembly.company = module->metadata->assemblyAttributeText(kCompanyAttribute).value_or(std::string());
    }
    m_contents.owners = std::make_shared<const CodeOwners>(assemblies, namedCode());
  }

  void listModules() {
    auto rows = std::make_shared<std::vector<ModuleRow>>();
    for (const Module* module : m_contents.readers->modules.all()) {
      ModuleRow& row = rows->emplace_back();
      row.address = module->address;
      row.name = module->name;
      row.path = module->path;
      row.mvid = module->mvid;
      row.imageBase = module->imageBase;
      row.sizeBytes = module->sizeBytes;
      row.metadata = module->metadataSource;
      row.isReadyToRun = module->isReadyToRun;
      row.isDynamic = module->isDynamic;
      row.isCollectible = module->isCollectible;
      row.loadContext = m_contents.readers->loadContexts.nameOf(*module);
    }
    m_contents.modules = std::move(rows);
    for (const MissingMetadata& missing : missingMetadata(Snapshot(std::make_shared<const Contents>(m_contents)))) {
      m_contents.summary.missing.push_back(describe(missing));
    }
    if (const auto missing = missingDebugFile(Snapshot(std::make_shared<const Contents>(m_contents))))
      m_contents.summary.missing.push_back(describe(*missing));
    if (const auto& redaction = m_contents.core->redaction; redaction && !redaction->hasContents) {
      m_contents.summary.missing.push_back(
          {fmt::format(
               "Contents: this is a copy that was redacted{}. Texts of strings (their characters are *), values "
               "of fields, variables and native memory are not in it, nor what is found by them.",
               redaction->date.empty() ? std::string() : " on " + redaction->date),
           "Ask whoever has the dump itself."});
    }
    if (m_contents.core->missingFileBytes > 0) {
      m_contents.summary.missing.push_back(
          {fmt::format("The last {} bytes of the core file.", m_contents.core->missingFileBytes),
           "Copy the file again, or take a new dump."});
    }
  }

  Contents& m_contents;
  const std::filesystem::path& m_path;
};

}  // namespace

void summarise(Contents& contents, const std::filesystem::path& path) {
  Summariser(contents, path).run();
}

}  // namespace heapscape::engine
