// SPDX-License-Identifier: MIT
#include <algorithm>

#include "cli/sos/sos_command.h"
#include "cli/sos/sos_text.h"
#include "session/snapshot/contents.h"

namespace heapscape::cli {
namespace {

using engine::Outcome;
using engine::Snapshot;

Outcome<void> version(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.dump());
  const engine::RuntimeSummary& runtime = snapshot.summary().runtime;
  const std::string& build = snapshot.contents().readers->runtime.library().buildVersion;
  const std::string number = build.substr(0, build.find(' '));
  run.print("{}\n", number.empty() ? runtime.version : number);
  if (!build.empty()) run.print("{}\n", build);
  run.print("{} mode{}\nheapscape-cli {}\n", runtime.isServerGc ? "Server" : "Workstation",
            runtime.isServerGc ? fmt::format(" with {} gc heaps", runtime.heaps) : std::string(), HEAPSCAPE_VERSION);
  return {};
}

Outcome<void> runtimes(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.dump());
  const engine::RuntimeSummary& runtime = snapshot.summary().runtime;
  const auto& files = snapshot.contents().core->files;
  const auto first = std::ranges::find(files, runtime.libraryPath, &engine::MappedFile::path);
  engine::AddressRange range;
  for (auto file = first; file != files.end(); ++file) {
    if (file->path != runtime.libraryPath) continue;
    if (range.isEmpty()) range.start = file->range.start;
    range.end = file->range.end;
  }
  run.print("#0 .NET Core runtime {} at {} size {:08X} index {}\n    Runtime module path: {}\n", runtime.version,
            upperAddress(range.start), range.sizeBytes(), runtime.buildId, runtime.libraryPath);
  return {};
}

/// What debuggers need to be told, and this program does not.
Outcome<void> notNeeded(SosRun& run) {
  run.print("Nothing is needed: the dump is read without the runtime's debugging libraries, and without symbols.\n");
  return {};
}

Outcome<void> status(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.dump());
  run.print("Target OS: Linux Architecture: {} ProcessId: {}\nDump path: {}\n", snapshot.summary().runtime.architecture,
            snapshot.summary().dump.pid, snapshot.summary().dump.path);
  return runtimes(run);
}

}  // namespace

void addSosDebuggerCommands(std::vector<SosCommand>& commands) {
  commands.push_back(
      {.names = "eeversion", .arguments = "", .summary = "Version of the runtime", .run = version, .more = "info"});
  commands.push_back(
      {.names = "runtimes setruntime",
       .arguments = "",
       .summary = "The runtime in the dump",
       .flags = "-netfx -netcore -a --all --DacSignatureVerification:false --DacSignatureVerification:true",
       .mostArguments = 1,
       .run = runtimes,
       .more = "info"});
  commands.push_back({.names = "sosstatus", .arguments = "", .summary = "What is open", .run = status});
  for (const char* name : {"setclrpath", "setsymbolserver", "loadsymbols", "sethostruntime", "sosflush", "logging",
                           "logopen", "logclose", "dbgout", "enummem", "minidumpmode"}) {
    commands.push_back({.names = name,
                        .arguments = "…",
                        .summary = "Accepted; nothing is needed",
                        .flags = "-ms -disable --disable -off -cache -directory -clear -pat -timeout -loadsymbols",
                        .mostArguments = 8,
                        .run = notNeeded});
  }
  // What there is nothing of yet, or nothing in a dump of Linux.
  const auto without = [&commands](const char* names, const char* instead) {
    commands.push_back({.names = names, .arguments = "", .summary = "Not available", .more = instead});
  };
  without("dumpgclog dumpgcconfiglog", "gc tells mechanisms, reasons and settings.");
  without("threadpoolstate comstate dumprcw dumpccw rcwcleanuplist", "There is no COM on Linux.");
  without("bpmd stoponexception findroots soshandleclrn watch", "It is for living processes.");
  without("dumppermissionset procinfo vmmap vmstat watsonbuckets verifystacktrace verifygmt gchandleleaks",
          "It is not part of dotnet-dump on Linux, or says nothing of a dump there.");
}

}  // namespace heapscape::cli
