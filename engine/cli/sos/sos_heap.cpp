// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <map>

#include "base/ascii.h"
#include "cli/sos/sos_command.h"
#include "cli/sos/sos_objects_walk.h"
#include "cli/sos/sos_text.h"
#include "heap/object_header.h"
#include "session/details/object_details.h"
#include "session/heap/heap_check.h"
#include "session/threads/locks_query.h"
#include "session/threads/threads_query.h"

namespace heapscape::cli {
namespace {

using engine::Address;
using engine::ErrorCode;
using engine::ObjectRow;
using engine::Outcome;
using engine::Snapshot;

/// What dumpheap is asked for.
struct DumpHeapFilter {
  std::string typeText;
  std::optional<Address> methodTable;
  std::uint64_t least = 0, most = UINT64_MAX;
  std::optional<bool> isLive;

  bool fits(const Snapshot& snapshot, const ObjectRow& row) const {
    const engine::TypeRow& type = snapshot.types()[row.type.value];
    if (methodTable && type.methodTable != *methodTable) return false;
    if (row.sizeBytes < least || row.sizeBytes > most) return false;
    if (!typeText.empty() && type.name.find(typeText) == std::string::npos) return false;
    if (!isLive) return true;
    const auto retained = type.isFree ? std::nullopt : engine::retainedOf(snapshot, row.address);
    return (retained && retained->isReachable) == *isLive;
  }
};

Outcome<DumpHeapFilter> readFilter(const SosRun& run, const Snapshot& snapshot) {
  const SosArguments& arguments = run.arguments();
  DumpHeapFilter filter;
  filter.typeText = arguments.valueOf("-type").value_or("");
  HEAPSCAPE_TRY(filter.least, arguments.number("-min", 0));
  HEAPSCAPE_TRY(const std::uint64_t most, arguments.number("-max", 0));
  if (most != 0) filter.most = most;
  if (arguments.has("-live") != arguments.has("-dead")) filter.isLive = arguments.has("-live");
  if (const auto text = arguments.valueOf("-mt")) {
    Address methodTable;
    if (!engine::tryParseAddress(*text, methodTable))
      return tl::unexpected(engine::Unfinished(engine::Error{
          ErrorCode::BadQuery, fmt::format("Hexadecimal address expected for -mt option, which '{}' is not.", *text)}));
    filter.methodTable = methodTable;
  }
  if (arguments.has("-strings")) {
    const auto& types = snapshot.types();
    const auto string = std::ranges::find(types, std::string_view("System.String"), &engine::TypeRow::name);
    filter.methodTable = string == types.end() ? Address{} : string->methodTable;
  }
  return filter;
}

/// Equal strings together, as dumpheap -strings counts them.
class StringSums {
 public:
  void add(const std::string& text, std::uint64_t bytes) {
    const auto [place, isNew] = m_places.try_emplace({text, bytes}, m_sums.size());
    if (isNew) m_sums.push_back({shown(text), 0, bytes});
    ++m_sums[place->second].count;
  }
  void print(SosRun& run, bool isFirst) {
    if (m_sums.empty()) return;
    std::ranges::stable_sort(m_sums, {}, [](const Sum& sum) { return sum.count * sum.bytes; });
    run.print("{}Statistics:\n", isFirst ? "" : "\n");
    for (const Sum& sum : m_sums) {
      run.print("{:>14} {:>14} {}\n", grouped(sum.count), grouped(sum.count * sum.bytes), sum.text);
      if (!run.goesOn()) return;
    }
  }

 private:
  struct Sum {
    std::string text;
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;
  };
  static constexpr std::size_t kShown = 64;  // what fits a terminal of 80 columns beside the numbers

  static bool isLetterOrDigit(unsigned char c) { return c >= 0x80 || std::isalnum(c) != 0; }
  /// What is no letter or digit, punctuation or blank is a dot; a text of letters alone stays as it is.
  static std::string shown(const std::string& text) {
    if (std::ranges::all_of(text, [](unsigned char c) { return isLetterOrDigit(c); })) return text;
    constexpr std::string_view kPunctuation = "!\"#%&'()*,-./:;?@[\\]_{} ";
    std::string filtered;
    std::size_t characters = 0;
    for (const char c : text) {
      const bool isCharacterStart = (static_cast<unsigned char>(c) & 0xc0) != 0x80;
      if (isCharacterStart && ++characters > kShown) break;
      const bool stays =
          isLetterOrDigit(static_cast<unsigned char>(c)) || kPunctuation.find(c) != std::string_view::npos;
      filtered += stays ? c : '.';
    }
    return filtered;
  }

  std::vector<Sum> m_sums;
  std::map<std::pair<std::string, std::uint64_t>, std::size_t> m_places;
};

constexpr std::size_t kStringUnits = 1024;  // that strings are told apart by

std::string stringAt(const Snapshot& snapshot, Address address) {
  const auto details = engine::objectDetails(snapshot, address, {.elements = 0, .stringUnits = kStringUnits});
  return details && details->string ? details->string->text : std::string();
}

Outcome<void> listThinLocks(SosRun& run, const Snapshot& snapshot, const SosScope& scope,
                            const DumpHeapFilter& filter) {
  HEAPSCAPE_TRY(const engine::LockList locks, engine::listLocks(snapshot, run.stop()));
  HEAPSCAPE_TRY(const engine::ThreadList threads, engine::listThreads(snapshot, run.stop()));
  const std::vector<engine::SegmentId> segments = segmentsInSosOrder(snapshot, scope);
  bool isFirst = true;
  for (const engine::SegmentId id : segments) {
    for (const engine::LockRow& lock : locks.locks) {
      const auto row = engine::objectAt(snapshot, lock.object);
      if (lock.kind != engine::LockKind::Thin || !row || row->segment != id || !filter.fits(snapshot, *row)) continue;
      if (scope.addresses && !scope.addresses->contains(row->address)) continue;
      if (scope.generation && row->generation != *scope.generation) continue;
      const auto owner = std::ranges::find(threads.threads, lock.ownerManagedId, &engine::ThreadRow::managedId);
      if (isFirst) run.print("{:>16} {:>16} {:>16} {:>14}\n", "Object", "Thread", "OSId", "Recursion");
      isFirst = false;
      run.print("{:>16} {:>16} {:>16} {:>14}\n", shortAddress(row->address),
                shortAddress(owner == threads.threads.end() ? Address{} : owner->address),
                fmt::format("{:#x}", lock.ownerOsId), lock.recursion);
    }
  }
  return {};
}

Outcome<void> dumpHeap(SosRun& run) {
  const SosArguments& arguments = run.arguments();
  const bool needsRoots = arguments.has("-live") != arguments.has("-dead");
  HEAPSCAPE_TRY(const Snapshot snapshot, needsRoots ? run.retained() : run.heap());
  HEAPSCAPE_TRY(const SosScope scope, readScope(run, snapshot, 0));
  HEAPSCAPE_TRY(const DumpHeapFilter filter, readFilter(run, snapshot));
  if (arguments.has("-thinlock")) return listThinLocks(run, snapshot, scope, filter);
  const bool isShort = arguments.has("-short") && !arguments.has("-strings");
  const bool isStat = arguments.has("-stat");
  SosObjectLines lines(run, snapshot);
  SosStatistics statistics(snapshot);
  StringSums strings;
  forEachInSosOrder(snapshot, scope, run.stop(), [&](const ObjectRow& row) {
    if (!filter.fits(snapshot, row)) return true;
    if (isShort) {
      run.print("{}\n", shortAddress(row.address));
    } else {
      if (!isStat) lines.add(row);
      if (arguments.has("-strings"))
        strings.add(stringAt(snapshot, row.address), row.sizeBytes);
      else
        statistics.add(row);
    }
    return run.goesOn();
  });
  if (isShort || !run.goesOn()) return {};
  strings.print(run, !lines.hasAny());
  statistics.print(run, !lines.hasAny(),
                   arguments.has("-bycount") ? SosStatistics::Order::ByCount : SosStatistics::Order::BySize);
  return {};
}

Outcome<void> dumpGeneration(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.heap());
  const std::string& name = run.arguments().words().front();
  const auto generation = sosGeneration(name);
  if (!generation || name.starts_with("l") != (name == "loh"))
    return tl::unexpected(engine::Unfinished(engine::Error{
        ErrorCode::BadQuery, fmt::format("{} is not a supported generation (gen0, gen1, gen2, loh, poh, foh)", name)}));
  HEAPSCAPE_TRY(const DumpHeapFilter filter, readFilter(run, snapshot));
  const std::string wanted = filter.typeText;
  const auto isWanted = [&](const std::string& type) { return engine::holdsIgnoringCase(type, wanted); };
  struct Sum {
    engine::TypeId type;
    std::uint64_t count = 0, bytes = 0;
  };
  std::vector<Sum> sums;
  std::unordered_map<std::uint32_t, std::size_t> places;
  std::uint64_t objects = 0;
  if (filter.methodTable) run.print("         Address               MT     Size\n");
  forEachInSosOrder(snapshot, {.generation = generation}, run.stop(), [&](const ObjectRow& row) {
    const engine::TypeRow& type = snapshot.types()[row.type.value];
    if (filter.methodTable) {
      if (type.methodTable != *filter.methodTable) return true;
      run.print("{} {} {:>8}\n", lowerAddress(row.address), lowerAddress(type.methodTable), row.sizeBytes);
    } else {
      if (!isWanted(type.name)) return true;
      const auto [place, isNew] = places.try_emplace(row.type.value, sums.size());
      if (isNew) sums.push_back({row.type});
      ++sums[place->second].count;
      sums[place->second].bytes += row.sizeBytes;
    }
    ++objects;
    return run.goesOn();
  });
  if (!filter.methodTable) {
    std::ranges::stable_sort(sums, {}, &Sum::bytes);
    run.print("Statistics:\n              MT    Count    TotalSize Class Name\n");
    for (const Sum& sum : sums) {
      const engine::TypeRow& type = snapshot.types()[sum.type.value];
      run.print("{} {:>8} {:>12} {}\n", lowerAddress(type.methodTable), sum.count, sum.bytes, type.name);
    }
  }
  run.print("Total {} objects\n\n", objects);
  return {};
}

constexpr std::array<const char*, engine::kGenerationCount> kSizeStatWords{"generation0", "generation1", "generation2",
                                                                           "large",       "pinned",      "frozen"};

void printSizes(SosRun& run, const char* generation, const std::map<std::uint64_t, std::uint64_t>& counts,
                bool isFree) {
  run.print("Size Statistics for {} {}objects\n\n", generation, isFree ? "free " : "");
  if (counts.empty())
    run.print("(none)\n");
  else
    run.print("{:>14} {:>14} {:>15} {:>16}\n", "Size", "Count", "Cumulative Size", "Cumulative Count");
  std::uint64_t bytes = 0;
  std::uint64_t objects = 0;
  for (const auto& [size, count] : counts) {
    run.print("{:>14} {:>14} {:>15} {:>16}\n", grouped(size), grouped(count), grouped(bytes), grouped(objects));
    bytes += size * count;
    objects += count;
  }
  run.print("\n");
}

Outcome<void> sizeStatistics(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.heap());
  std::array<std::array<std::map<std::uint64_t, std::uint64_t>, engine::kGenerationCount>, 2> counts;
  forEachInSosOrder(snapshot, {}, run.stop(), [&](const ObjectRow& row) {
    const bool isFree = snapshot.types()[row.type.value].isFree;
    ++counts[isFree][static_cast<std::size_t>(*row.generation)][row.alignedBytes];
    return true;
  });
  for (const bool isFree : {false, true}) {
    for (std::size_t i = 0; i < engine::kGenerationCount; ++i) {
      const auto kind = static_cast<engine::SegmentKind>(i <= 2 ? i : i + 1);
      const bool hasSegment = std::ranges::any_of(snapshot.segments(),
                                                  [&](const engine::Segment& segment) { return segment.kind == kind; });
      if (i > 3 && (!hasSegment || (isFree && i == 5))) continue;
      printSizes(run, kSizeStatWords[i], counts[isFree][i], isFree);
    }
  }
  return {};
}

/// Each finding as SOS tells a corruption: the segment, the object, what it is, and a sentence, which is ours.
Outcome<void> verifyHeap(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.heap());
  HEAPSCAPE_TRY(const SosScope scope, readScope(run, snapshot, 0));
  HEAPSCAPE_TRY(const engine::HeapCheck check, engine::checkHeap(snapshot, nullptr, run.stop()));
  std::uint64_t objects = 0;
  forEachInSosOrder(snapshot, scope, run.stop(), [&](const ObjectRow&) { return ++objects, true; });
  std::uint64_t errors = 0;
  const auto isAsked = [&](Address address) {
    if (scope.isWhole()) return true;
    const auto segments = segmentsInSosOrder(snapshot, scope);
    return std::ranges::any_of(segments, [&](engine::SegmentId id) {
      return snapshot.segments()[id.value].objects.contains(address) &&
             (!scope.addresses || scope.addresses->contains(address));
    });
  };
  for (const engine::Finding& finding : check.findings.items()) {
    if (!isAsked(finding.address)) continue;
    if (errors++ == 0) run.print("{:<16} {:<16} {:<24} {}\n", "Segment", "Object", "Failure", "Reason");
    const auto segment = std::ranges::find_if(
        snapshot.segments(), [&](const engine::Segment& each) { return each.objects.contains(finding.address); });
    run.print("{:<16} {:<16} {:<24} {}\n",
              segment == snapshot.segments().end() ? std::string("???") : shortAddress(segment->address),
              shortAddress(finding.address), toString(finding.kind), finding.message);
    if (!run.goesOn()) return {};
  }
  if (errors > 0) run.print("\n");
  run.print("{} objects verified, {} error{}.\n", grouped(objects), grouped(errors), errors == 1 ? "" : "s");
  if (errors == 0) run.print("No heap corruption detected.\n");
  return {};
}

// ---- objects beside an address, one object

void printNeighbour(SosRun& run, const Snapshot& snapshot, const char* which, const ObjectRow& row) {
  run.print("{:<10} {:>16} {:<32} {}\n", which, shortAddress(row.address),
            fmt::format("{} ({:#x})", grouped(row.sizeBytes), row.sizeBytes), snapshot.typeName(row.type));
}

/// The first object of a segment from an address on.
std::optional<ObjectRow> firstFrom(const Snapshot& snapshot, engine::AddressRange range) {
  std::optional<ObjectRow> first;
  engine::ObjectFilter filter;
  filter.addresses = range;
  engine::forEachObject(snapshot, filter, [&](const ObjectRow& row) {
    first = row;
    return false;
  });
  return first;
}

/// The last object of a segment in front of an address.
std::optional<ObjectRow> lastBefore(const Snapshot& snapshot, Address start, Address address) {
  // What stands right in front holds the byte before; behind a gap it is found by going on from further away.
  for (std::uint64_t step = 1; address - start >= step || step == 1; step *= 2) {
    const Address from = address - start > step ? address - step : start;
    std::optional<ObjectRow> last;
    engine::ObjectFilter filter;
    filter.addresses = {from, address};
    engine::forEachObject(snapshot, filter, [&](const ObjectRow& row) {
      last = row;
      return true;
    });
    if (last || from == start) return last;
  }
  return std::nullopt;
}

Outcome<void> listNearObjects(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.heap());
  HEAPSCAPE_TRY(const Address address, run.arguments().address(0));
  const auto& segments = snapshot.segments();
  const auto segment =
      std::ranges::find_if(segments, [&](const engine::Segment& each) { return each.objects.contains(address); });
  if (segment == segments.end())
    return tl::unexpected(engine::Unfinished(engine::Error{
        ErrorCode::NotFound,
        fmt::format("Failed to find the segment of the managed heap where the object {:x} resides", address.value)}));
  const auto before = lastBefore(snapshot, segment->objects.start, address);
  const auto current = engine::objectAt(snapshot, address);
  const bool isStart = current && current->address == address;
  const auto next = firstFrom(snapshot, {address + engine::kPointerBytes, segment->objects.end});
  if (before) printNeighbour(run, snapshot, "Before:", *before);
  if (isStart) printNeighbour(run, snapshot, "Current:", *current);
  if (next)
    printNeighbour(run, snapshot, "Next:", *next);
  else
    run.print("{:x} is the last object on the segment\n", (isStart  ? address
                                                           : before ? before->address
                                                                    : address)
                                                              .value);
  const bool touches = isStart && (!before || before->address + before->alignedBytes == address) &&
                       (!next || address + current->alignedBytes == next->address);
  if (touches)
    run.print("Heap local consistency confirmed.\n");
  else if (!isStart)
    run.print("Heap local consistency not confirmed.\n");
  else
    run.print("Between these objects lies memory that no object takes, as where a thread allocates.\n");
  return {};
}

Outcome<void> verifyObject(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.heap());
  HEAPSCAPE_TRY(const Address address, run.arguments().address(0));
  const auto row = engine::objectAt(snapshot, address);
  std::vector<engine::Finding> findings;
  if (!row || row->address != address) {
    findings.push_back(
        {engine::FindingKind::HeapDamaged, address,
         fmt::format("No object begins at {:x}: {}.", address.value, engine::whatIsAt(snapshot, address))});
  } else {
    HEAPSCAPE_TRY(const engine::ObjectDetails details, engine::objectDetails(snapshot, address, kNoElements));
    findings = details.findings;
    HEAPSCAPE_TRY(const engine::HeapCheck check, engine::checkHeap(snapshot, nullptr, run.stop()));
    for (const engine::Finding& finding : check.findings.items()) {
      const bool isOfIt = finding.address >= address && finding.address < address + row->alignedBytes;
      if (isOfIt) findings.push_back(finding);
    }
  }
  if (findings.empty()) {
    run.print("object 0x{:x} is a valid object\n", address.value);
    return {};
  }
  run.print("{:<8} {:<20} Description\n", "Offset", "Issue");
  for (const engine::Finding& finding : findings) {
    run.print("{:<8} {:<20} {}\n", fmt::format("{:#x}", finding.address >= address ? finding.address - address : 0),
              toString(finding.kind), finding.message);
  }
  run.print("\n{} error{}  detected.\n", findings.size(), findings.size() == 1 ? "" : "s");
  return {};
}

}  // namespace

void addSosHeapCommands(std::vector<SosCommand>& commands) {
  commands.push_back({.names = "dumpheap",
                      .arguments = "[-stat] [-strings] [-short] [-bycount] [-min N] [-max N] [-live|-dead] [-thinlock] "
                                   "[-mt MT] [-type TEXT] [-heap N] [-segment ADDRESS] [-gen G] [START [END]]",
                      .summary = "All objects, or their counts by type",
                      .flags = "-stat -strings -short -bycount -live -dead -thinlock -ignoreGCState -noprogress",
                      .values = "-mt -type -min -max -heap -segment -gen",
                      .mostArguments = 2,
                      .run = dumpHeap,
                      .more = "types --retained"});
  commands.push_back({.names = "dumpgen dg",
                      .arguments = "GENERATION [-type TEXT] [-mt MT]",
                      .summary = "Counts by type of one generation, or its objects of a type",
                      .values = "-type -mt",
                      .leastArguments = 1,
                      .mostArguments = 1,
                      .lacking = "Generation argument is missing",
                      .run = dumpGeneration,
                      .more = "objects --generation {}"});
  commands.push_back({.names = "sizestats",
                      .arguments = "",
                      .summary = "Objects by size, of each generation",
                      .run = sizeStatistics,
                      .more = "gc"});
  commands.push_back({.names = "verifyheap",
                      .arguments = "[-heap N] [-segment ADDRESS] [START [END]]",
                      .summary = "Damage of the heap",
                      .flags = "-ignoreGCState -noprogress",
                      .values = "-heap -segment",
                      .mostArguments = 2,
                      .run = verifyHeap,
                      .more = "verify"});
  commands.push_back({.names = "verifyobj",
                      .arguments = "ADDRESS",
                      .summary = "Damage of one object",
                      .leastArguments = 1,
                      .mostArguments = 1,
                      .run = verifyObject,
                      .more = "object {}"});
  commands.push_back({.names = "listnearobj lno",
                      .arguments = "ADDRESS",
                      .summary = "Objects in front of an address and behind it",
                      .leastArguments = 1,
                      .mostArguments = 1,
                      .run = listNearObjects,
                      .more = "object {}"});
}

}  // namespace heapscape::cli
