// SPDX-License-Identifier: MIT
#include <algorithm>
#include <set>

#include "cli/sos/sos_command.h"
#include "cli/sos/sos_stress_log.h"
#include "cli/sos/sos_text.h"
#include "runtime/diagnostics/gc_history.h"
#include "session/snapshot/contents.h"

namespace heapscape::cli {
namespace {

using engine::Address;
using engine::GcRecord;
using engine::Outcome;
using engine::Snapshot;
using engine::StressLog;

constexpr const char* kHistoryLine = "---------------------------------------------------------\n";

/// The collections that the stress log has. SOS wants to be told to read it first; here every command does.
Outcome<std::vector<GcRecord>> readHistory(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.dump());
  const engine::ClrRuntime& runtime = snapshot.contents().readers->runtime;
  HEAPSCAPE_TRY(const Address address, engine::stressLogOf(runtime));
  HEAPSCAPE_TRY(const StressLog log, engine::readStressLog(runtime, address, run.stop()));
  return engine::gcHistoryOf(runtime, log);
}

Outcome<void> historyStart(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.dump());
  const engine::ClrRuntime& runtime = snapshot.contents().readers->runtime;
  run.print("Attempting to read Stress log\n");
  HEAPSCAPE_TRY(const Address address, engine::stressLogOf(runtime));
  HEAPSCAPE_TRY(const StressLog log, engine::readStressLog(runtime, address, run.stop()));
  run.print("{}---------------------------- {} total entries ------------------------------------\n",
            stressLogHead(log), log.messages.size());
  run.print("SUCCESS: GCHist structures initialized\n");
  return {};
}

Outcome<void> historyEnd(SosRun& run) {
  run.print("Completed successfully.\n");
  return {};
}

/// Tells roots that stand in a list more than once; false if none does.
template <class Entry>
bool printRepeated(SosRun& run, const std::vector<Entry>& entries, const char* verb, std::uint64_t collection) {
  std::set<Address> seen;
  bool isFound = false;
  for (const Entry& entry : entries) {
    if (seen.insert(entry.root).second) continue;
    run.print("Root {} {} multiple times in gc {}\n", shortAddress(entry.root), verb, collection);
    isFound = true;
  }
  return isFound;
}

Outcome<void> historySums(SosRun& run) {
  HEAPSCAPE_TRY(const auto records, readHistory(run));
  run.print("{:>8} {:>8} {:>8}\n-----------------------------------\n", "GCCount", "Promotes", "Relocs");
  for (const GcRecord& record : records)
    run.print("{:>8} {:>8} {:>8}\n", record.index, record.promotions.size(), record.relocations.size());
  bool isFound = false;
  for (const GcRecord& record : records) {
    isFound |= printRepeated(run, record.promotions, "promoted", record.index);
    isFound |= printRepeated(run, record.relocations, "relocated", record.index);
  }
  if (!isFound) run.print("No duplicate promote or relocate messages found in the log.\n");
  return {};
}

Outcome<void> historyOfRoot(SosRun& run) {
  HEAPSCAPE_TRY(const Address root, run.arguments().address(0));
  HEAPSCAPE_TRY(const auto records, readHistory(run));
  run.print("{:>8} {:>16} {:>16} {:>9} {:>20}\n{}", "GCCount", "Value", "MT", "Promoted?", "Notes", kHistoryLine);
  const auto ofRoot = [root](const auto& entry) { return entry.root == root; };
  bool isQuiet = false;
  for (const GcRecord& record : records) {
    const auto promoted = std::ranges::find_if(record.promotions, ofRoot);
    const auto moved = std::ranges::find_if(record.relocations, ofRoot);
    const bool isPromoted = promoted != record.promotions.end();
    if (moved != record.relocations.end()) {
      isQuiet = false;
      std::string notes;
      if (isPromoted && (promoted->object != moved->before || promoted->methodTable != moved->methodTable))
        notes += "promote/reloc records in error ";
      if (isPromoted && (std::ranges::count_if(record.promotions, ofRoot) > 1 ||
                         std::ranges::count_if(record.relocations, ofRoot) > 1))
        notes += "Duplicate promote/relocs";
      run.print("{:>8} {} {} {:>9} {}\n", record.index, upperAddress(moved->after), upperAddress(moved->methodTable),
                isPromoted ? "yes" : "no", notes);
    } else if (isPromoted) {
      run.print("Error: There is a promote record for root {}, but no relocation record\n", upperAddress(root));
    } else if (!isQuiet) {
      run.print("...\n");
      isQuiet = true;
    }
  }
  return {};
}

Outcome<void> historyOfObject(SosRun& run) {
  HEAPSCAPE_TRY(Address object, run.arguments().address(0));
  HEAPSCAPE_TRY(const auto records, readHistory(run));
  run.print("{:>8} {:>16} {:>40}\n{}", "GCCount", "Object", "Roots", kHistoryLine);
  for (const GcRecord& record : records) {
    if (!object) break;
    std::string roots;
    std::optional<Address> before;
    for (const GcRecord::Relocation& moved : record.relocations) {
      if (moved.after != object) continue;
      roots += upperAddress(moved.root) + ", ";
      if (before && *before != moved.before) roots += "differing reloc values for this object!";
      if (!before) before = moved.before;
    }
    run.print("{:>8} {} {}\n", record.index, upperAddress(object), roots);
    object = before.value_or(object);
  }
  return {};
}

Outcome<void> historyOfMentions(SosRun& run) {
  HEAPSCAPE_TRY(const Address object, run.arguments().address(0));
  HEAPSCAPE_TRY(const auto records, readHistory(run));
  run.print("{:>8} {:>16} {:>40}\n{}", "GCCount", "Object", "Message", kHistoryLine);
  bool isQuiet = false;
  for (const GcRecord& record : records) {
    const auto row = [&](const std::string& message) {
      isQuiet = false;
      run.print("{:>8} {} {}\n", record.index, upperAddress(object), message);
    };
    for (const GcRecord::Promotion& promoted : record.promotions) {
      if (promoted.object == object)
        row(fmt::format("Promotion for root {} (MT = {})", upperAddress(promoted.root),
                        upperAddress(promoted.methodTable)));
    }
    for (const GcRecord::Relocation& moved : record.relocations) {
      if (moved.after == object || moved.before == object)
        row(fmt::format("Relocation {} for root {}", moved.after == object ? "NEWVALUE" : "PREVVALUE",
                        upperAddress(moved.root)));
    }
    if (!isQuiet) run.print("...\n");
    isQuiet = true;
  }
  return {};
}

}  // namespace

void addSosGcHistoryCommands(std::vector<SosCommand>& commands) {
  SosCommand like{.needsMetadata = true, .more = "gc"};
  addLike(commands, like, "histinit", "", "What the stress log is, from which the hist commands read", historyStart);
  addLike(commands, like, "histstats", "", "Roots promoted and relocated by each collection in the stress log",
          historySums);
  like.more = "";
  addLike(commands, like, "histclear", "", "Accepted; nothing is kept", historyEnd);
  like.leastArguments = like.mostArguments = 1;
  like.more = "address {}";
  addLike(commands, like, "histroot", "ROOT", "What collections in the stress log did with a root", historyOfRoot);
  addLike(commands, like, "histobj", "ADDRESS", "Where an object was before collections in the stress log moved it",
          historyOfObject);
  addLike(commands, like, "histobjfind", "ADDRESS", "Messages of the stress log about an object", historyOfMentions);
}

}  // namespace heapscape::cli
