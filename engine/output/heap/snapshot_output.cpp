// SPDX-License-Identifier: MIT
#include "output/heap/snapshot_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>

#include "output/text.h"
#include "output/threads/crash_output.h"
#include "session/heap/gc_settings.h"
#include "session/open/missing_files.h"
#include "session/open/summarise.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {
namespace {

void writeTotals(JsonWriter& json, const ObjectTotals& totals) {
  json.member("objects", totals.objects);
  json.member("bytes", totals.bytes);
  json.member("freeObjects", totals.freeObjects);
  json.member("freeBytes", totals.freeBytes);
}

void writeRuntime(JsonWriter& json, const RuntimeSummary& runtime, const GcHeaps& heaps) {
  json.key("runtime");
  json.beginObject();
  json.member("version", runtime.version);
  json.member("architecture", runtime.architecture);
  if (runtime.flavor != RuntimeFlavor::CoreClr) json.member("flavor", toString(runtime.flavor));
  json.key("libc");
  runtime.cLibrary ? json.value(toString(*runtime.cLibrary)) : json.null();
  json.member("buildId", runtime.buildId);
  json.member("library", runtime.libraryPath);
  json.member("gc", runtime.isServerGc ? "server" : "workstation");
  json.member("heaps", runtime.heaps);
  json.member("heapsCreated", heaps.created);
  json.member("dynamicAdaptation", toString(heaps.adaptation));
  json.member("regions", runtime.hasRegions);
  json.member("gcInProgress", runtime.gcInProgress);
  json.member("contract", toString(runtime.contract));
  json.member("contractVerified", runtime.contractVerified);
  json.member("contractVersion", runtime.contractVersion);
  json.key("contractVerifiedOn");
  json.beginArray();
  for (const std::string& release : runtime.contractVerifiedOn) json.value(release);
  json.endArray();
  json.member("globals", toString(runtime.globals));
  json.endObject();
}

void writeDump(JsonWriter& json, const Snapshot& snapshot) {
  const DumpSummary& dump = snapshot.summary().dump;
  json.key("dump");
  json.beginObject();
  json.member("kind", toString(dump.kind));
  json.member("pid", dump.pid);
  json.member("command", dump.command);
  json.member("bytes", dump.fileBytes);
  json.member("compressed", dump.isCompressed);
  if (!snapshot.nameInArchive().empty()) {
    json.member("nameInArchive", snapshot.nameInArchive());
    json.member("coresInArchive", snapshot.coresInArchive());
  }
  json.member("threads", dump.threads);
  if (hasIdsOfOtherNamespace(snapshot)) json.member("idsOfOtherNamespace", true);
  json.endObject();
}

// Numbers have six decimals; what is not whole must not look so.
void writeCoverage(JsonWriter& json, double share) {
  json.member("coverage", std::floor(share * 1e6) / 1e6);
}

/// What a .gcdump file tells of itself and of its heap.
void writeRecorded(JsonWriter& json, const Snapshot& snapshot) {
  const DumpSummary& dump = snapshot.summary().dump;
  const GcDumpFacts& facts = snapshot.contents().recorded->facts;
  json.key("dump");
  json.beginObject();
  json.member("kind", toString(dump.kind));
  json.key("pid");
  facts.pid ? json.value(facts.pid) : json.null();
  json.key("command");
  facts.process.empty() ? json.null() : json.value(facts.process);
  json.key("tool");
  facts.tool.empty() ? json.null() : json.value(facts.tool);
  json.member("bytes", dump.fileBytes);
  json.member("compressed", dump.isCompressed);
  json.endObject();
  if (!snapshot.has(Stage::Objects)) return;
  json.member("objects", snapshot.totals().objects);
  json.member("bytes", snapshot.totals().bytes);
}

constexpr std::size_t kShownFindings = 10;
constexpr std::size_t kMostModulesWithoutNames = 5;

void writeFact(Output& output, std::string_view name, const std::string& text) {
  output.write(fmt::format("{:<11}{}\n", name, printable(text)));
}

std::string kindName(DumpKind kind) {
  switch (kind) {
    case DumpKind::Heap:
      return "heap dump";
    case DumpKind::Full:
      return "full dump";
    case DumpKind::Mini:
      return "mini dump";
    case DumpKind::Triage:
      return "triage dump";
    case DumpKind::Gcore:
      return "core file of gcore";
    case DumpKind::Kernel:
      return "core file of the kernel";
    case DumpKind::GcDump:
      return "graph of the heap (.gcdump)";
    case DumpKind::Unknown:
      return "dump, not known by which program";
  }
  return "dump";
}

std::string contractText(const RuntimeSummary& runtime) {
  std::string text;
  switch (runtime.contract) {
    case ContractSource::Dump:
      text = "described by the dump itself";
      break;
    case ContractSource::File:
      text = "described by its libcoreclr.so on this disk";
      break;
    case ContractSource::Shipped:
      text = "described by a file that comes with Heapscape";
      break;
  }
  return text;
}

std::string verificationText(const RuntimeSummary& runtime) {
  if (runtime.contractVerified)
    return fmt::format("offsets of .NET {}, verified on this build", runtime.contractVersion);
  return fmt::format("offsets of .NET {}, verified on {}, not verified on this build", runtime.contractVersion,
                     fmt::join(runtime.contractVerifiedOn, ", "));
}

/// Empty where the dump itself has the symbol, as most do.
std::string globalsText(const RuntimeSummary& runtime) {
  switch (runtime.globals) {
    case GlobalsSource::Dump:
      break;
    case GlobalsSource::File:
      return "its table of globals found by the symbols of its file on this disk";
    case GlobalsSource::Shape:
      return "its table of globals read from its structure, no symbols";
  }
  return {};
}

void writeRuntimeText(Output& output, const RuntimeSummary& runtime, const GcHeaps& heaps) {
  writeFact(output, "Runtime", fmt::format(".NET {}, {}", runtime.version, platformText(runtime)));
  writeFact(output, "", contractText(runtime));
  writeFact(output, "", verificationText(runtime));
  if (const std::string globals = globalsText(runtime); !globals.empty()) writeFact(output, "", globals);
  if (!runtime.buildId.empty()) writeFact(output, "Build id", runtime.buildId);
  writeFact(output, "GC",
            fmt::format("{}, {}, {}{}", runtime.isServerGc ? "server" : "workstation",
                        runtime.hasRegions ? "regions" : "segments", describe(heaps),
                        runtime.gcInProgress ? "; the dump was taken in the middle of a collection" : ""));
}

void writeFindingsText(Output& output, const Snapshot& snapshot) {
  const std::size_t shown = std::min(kShownFindings, snapshot.findings().size());
  for (const Finding& finding : std::span(snapshot.findings()).first(shown)) {
    const std::string place = finding.address ? " at " + toString(finding.address) : "";
    writeFact(output, "Finding", fmt::format("{}{}: {}", toString(finding.kind), place, finding.message));
  }
  const std::size_t more = snapshot.findings().size() - shown + snapshot.findingsLeftOut();
  if (more) writeFact(output, "", countOf(more, "more finding") + ", see --json");
}

std::string countAndBytes(std::uint64_t count, std::uint64_t bytes) {
  return fmt::format("{}, {} ({} bytes)", readableCount(count), readableBytes(bytes), readableCount(bytes));
}

}  // namespace

void writeInfo(JsonWriter& json, const Snapshot& snapshot, const Crash& crash, bool isRedacted) {
  const Summary& summary = snapshot.summary();
  json.key("info");
  json.beginObject();
  if (snapshot.isRecorded()) {
    writeRecorded(json, snapshot);
  } else {
    json.key("crash");
    json.beginObject();
    writeCrashCause(json, crash, isRedacted);
    json.endObject();
    writeRuntime(json, summary.runtime, gcHeaps(snapshot));
    writeDump(json, snapshot);
    if (snapshot.has(Stage::Objects)) {
      writeTotals(json, snapshot.totals());
      writeCoverage(json, snapshot.coverage());
    }
  }
  json.key("missing");
  json.beginArray();
  for (const Missing& missing : summary.missing) {
    json.beginObject();
    json.member("what", missing.what);
    json.member("help", missing.help);
    json.endObject();
  }
  json.endArray();
  json.endObject();
}

void writeInfoText(Output& output, const Snapshot& snapshot, const Crash& crash, bool isRedacted) {
  const Summary& summary = snapshot.summary();
  const DumpSummary& dump = summary.dump;
  if (crash.cause.state == ProcessState::Died) writeFact(output, "Crash", crashParagraph(crash, isRedacted));
  if (!snapshot.isRecorded()) writeRuntimeText(output, summary.runtime, gcHeaps(snapshot));
  writeFact(output, "Dump",
            fmt::format("{}, {}{}", kindName(dump.kind), readableBytes(dump.fileBytes),
                        dump.isCompressed ? " decompressed" : ""));
  if (!snapshot.nameInArchive().empty()) {
    writeFact(output, "Archive",
              snapshot.coresInArchive() > 1 ? fmt::format("{}, the largest of {} core dumps in it",
                                                          snapshot.nameInArchive(), snapshot.coresInArchive())
                                            : snapshot.nameInArchive());
  }
  if (snapshot.isRecorded()) {
    const GcDumpFacts& facts = snapshot.contents().recorded->facts;
    if (facts.pid) writeFact(output, "Process", fmt::format("{}, {}", facts.pid, facts.process));
    if (!facts.tool.empty()) writeFact(output, "Made by", facts.tool);
  } else {
    writeFact(output, "Process", fmt::format("{}, {}, {}", dump.pid, countOf(dump.threads, "thread"), dump.command));
  }
  if (hasIdsOfOtherNamespace(snapshot)) {
    writeFact(output, "Threads",
              "found by their stacks: the dump has other ids of them than the process itself, as when a container is "
              "dumped from its host");
  }
  if (snapshot.has(Stage::Objects)) {
    const ObjectTotals totals = snapshot.totals();
    writeFact(output, "Objects", countAndBytes(totals.objects - totals.freeObjects, totals.bytes - totals.freeBytes));
    if (!snapshot.isRecorded()) writeFact(output, "Free", countAndBytes(totals.freeObjects, totals.freeBytes));
    if (snapshot.coverage() < 1) writeFact(output, "Coverage", coverageText(snapshot) + " of the heap's object bytes");
  }
  std::size_t modules = 0;
  for (const Missing& missing : summary.missing) {
    if (isMissingMetadata(missing) && ++modules > kMostModulesWithoutNames) continue;
    writeFact(output, "Missing", missing.what + " " + missing.help);
  }
  if (modules > kMostModulesWithoutNames) {
    writeFact(output, "Missing",
              fmt::format("Names of {}, see --json.", countOf(modules - kMostModulesWithoutNames, "more module")));
  }
  writeFindingsText(output, snapshot);
}

namespace {

constexpr std::size_t kWordsInLine = 4;

std::string lengthText(const BadObject::Neighbour& before) {
  return before.length ? fmt::format(" of length {}", *before.length) : std::string();
}

void writeWords(Output& output, const BadObject& bad) {
  for (std::size_t i = 0; i < bad.words.size(); i += kWordsInLine) {
    std::string line = fmt::format("    {}:", toString(bad.wordsFrom + i * kPointerBytes));
    for (std::size_t j = i; j < std::min(i + kWordsInLine, bad.words.size()); ++j)
      line += fmt::format(" {:016x}", bad.words[j]);
    output.write(line + '\n');
  }
}

}  // namespace

void writeBadObjects(JsonWriter& json, const std::vector<BadObject>& objects, bool redact) {
  json.key("badObjects");
  json.beginArray();
  for (const BadObject& bad : objects) {
    json.beginObject();
    json.member("address", bad.address);
    json.member("cause", toString(bad.cause));
    json.member("what", bad.what);
    json.member("advice", bad.advice);
    if (bad.next) json.member("next", bad.next);
    if (bad.before) {
      json.key("before");
      json.beginObject();
      json.member("address", bad.before->address);
      json.member("type", bad.before->type);
      json.member("size", bad.before->sizeBytes);
      if (bad.before->length) json.member("length", *bad.before->length);
      json.member("gap", bad.before->gapBytes);
      json.endObject();
    }
    if (!redact) {
      json.member("wordsFrom", bad.wordsFrom);
      json.key("words");
      json.beginArray();
      for (const std::uint64_t word : bad.words) json.value(fmt::format("{:#x}", word));
      json.endArray();
      if (!bad.text.empty()) json.member("text", bad.text);
    }
    json.endObject();
  }
  json.endArray();
}

void writeBadObjectsText(Output& output, const std::vector<BadObject>& objects, bool redact) {
  for (const BadObject& bad : objects) {
    output.write(fmt::format("\nAround {}: {} {}\n", toString(bad.address), bad.what, bad.advice));
    if (bad.before) {
      output.write(fmt::format("  in front of it: {}{} at {}, {} bytes\n", printable(bad.before->type),
                               lengthText(*bad.before), toString(bad.before->address), bad.before->sizeBytes));
    }
    if (!redact) {
      writeWords(output, bad);
      if (!bad.text.empty()) output.write(fmt::format("  as text: {}\n", printable(bad.text)));
    }
    if (bad.next) output.write(fmt::format("  objects go on at {}\n", toString(bad.next)));
  }
}

}  // namespace heapscape::engine
