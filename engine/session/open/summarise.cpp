// SPDX-License-Identifier: MIT
#include "session/open/summarise.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "session/open/dump_kind.h"
#include "session/open/lost_threads.h"
#include "session/open/missing_metadata.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {
namespace {

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
    runtime.version = runtimeVersion();
    runtime.architecture = "x64";
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
  }

 private:
  std::string runtimeVersion() const {
    const Module* coreLibrary = m_contents.readers->modules.coreLibrary();
    const auto version = coreLibrary && coreLibrary->metadata
                             ? coreLibrary->metadata->assemblyAttributeText(kVersionAttribute)
                             : std::nullopt;
    if (version) return releaseOf(*version);
    const RuntimeLibrary& library = m_contents.readers->runtime.library();
    if (!library.version().empty()) return library.version();
    return m_contents.readers->runtime.contract().runtimeVersion();
  }

  // A release that is known may still have been built with another table of globals.
  std::string buildText() const {
    const RuntimeSummary& runtime = m_contents.summary.runtime;
    if (runtime.version == runtime.contractVersion) return "it, whose release the dump does not tell";
    const bool isKnown = m_contents.readers->runtime.contract().isVerifiedOn(runtime.version);
    return isKnown ? "this build of " + runtime.version : runtime.version;
  }

  /// What a build has moved, and says so itself.
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
          fmt::format("This build is read with the offsets of .NET {}, verified on {}{}; they fit every check, but are "
                      "not verified on {}.",
                      runtime.contractVersion, fmt::join(runtime.contractVerifiedOn, ", "), correctionText(),
                      buildText()));
    }
    noteLostThreads(*m_contents.readers, *m_contents.core, m_contents.findings);
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
