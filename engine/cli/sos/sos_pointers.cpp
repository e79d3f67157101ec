// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "base/enum_names.h"
#include "cli/sos/sos_command.h"
#include "cli/sos/sos_objects_walk.h"
#include "cli/sos/sos_text.h"
#include "cli/sos/sos_thread_numbers.h"
#include "query/objects/object_search.h"
#include "query/query.h"
#include "runtime/threads/threads.h"
#include "session/details/address_query.h"
#include "session/process/process_memory.h"
#include "session/snapshot/contents.h"

namespace heapscape::cli {
namespace {

using engine::Address;
using engine::AddressRange;
using engine::MemoryOwner;
using engine::ObjectRow;
using engine::Outcome;
using engine::OwnedRange;
using engine::Snapshot;

// ---- gctonative, findpointersin

/// Memory of the owners that a command was asked about, ascending.
struct AskedMemory {
  std::vector<MemoryOwner> owners = {};
  std::vector<OwnedRange> ranges = {};

  std::optional<MemoryOwner> ownerOf(Address address) const {
    auto behind =
        std::ranges::upper_bound(ranges, address, {}, [](const OwnedRange& each) { return each.range.start; });
    if (behind == ranges.begin() || !(--behind)->range.contains(address)) return std::nullopt;
    return behind->owner;
  }
};

bool isOfObjects(MemoryOwner owner) {
  return owner == MemoryOwner::GcUsed || owner == MemoryOwner::GcFree || owner == MemoryOwner::GcCommittedUnused;
}

bool isSameWord(std::string_view left, std::string_view right) {
  return std::ranges::equal(left, right, [](char a, char b) { return std::tolower(a) == std::tolower(b); });
}

engine::Result<MemoryOwner> ownerNamed(const std::string& word) {
  std::string names;
  for (const MemoryOwner owner : engine::membersOf<MemoryOwner>()) {
    if (isOfObjects(owner)) continue;
    if (isSameWord(toString(owner), word)) return owner;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", toString(owner));
  }
  return engine::failure(engine::ErrorCode::BadQuery, fmt::format("“{}” is no kind of memory.", word),
                         fmt::format("There are {}.", names));
}

Outcome<AskedMemory> readAskedMemory(const SosRun& run, const Snapshot& snapshot) {
  AskedMemory asked;
  for (const std::string& word : run.arguments().words()) {
    auto owner = ownerNamed(word);
    if (!owner) return tl::unexpected(engine::Unfinished(std::move(owner.error())));
    asked.owners.push_back(*owner);
  }
  HEAPSCAPE_TRY(asked.ranges, engine::ownedRangesOf(snapshot, run.stop()));
  std::erase_if(asked.ranges, [&](const OwnedRange& range) {
    return std::ranges::find(asked.owners, range.owner) == asked.owners.end();
  });
  return asked;
}

/// Pointers that are told together, under one name.
struct PointerSum {
  std::uint64_t count = 0;
  std::set<std::uint64_t> different = {};

  void add(Address pointer) {
    ++count;
    different.insert(pointer.value);
  }
};

/// The most frequent first.
void printSums(SosRun& run, const char* title, const std::map<std::string, PointerSum>& sums) {
  std::vector<const std::pair<const std::string, PointerSum>*> rows;
  for (const auto& sum : sums) rows.push_back(&sum);
  std::ranges::stable_sort(rows, std::greater<>(), [](const auto* row) { return row->second.count; });
  run.print("{:>12} {:>12} {:>16} {}\n", "Unique", "Count", "RndPtr", title);
  std::uint64_t count = 0, different = 0;
  for (const auto* row : rows) {
    const PointerSum& sum = row->second;
    run.print("{:>12} {:>12} {:>16} {}\n", grouped(sum.different.size()), grouped(sum.count),
              shortAddress(Address{*sum.different.begin()}), row->first);
    count += sum.count;
    different += sum.different.size();
    if (!run.goesOn()) return;
  }
  run.print("{:>12} {:>12} {:>16} [TOTAL]\n\n", grouped(different), grouped(count), "");
}

/// Words of objects that lead to memory of these owners, whatever they are meant to be.
Outcome<void> gcToNative(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.heap());
  HEAPSCAPE_TRY(const AskedMemory asked, readAskedMemory(run, snapshot));
  const bool showsAll = run.arguments().has("-all") || run.arguments().has("-a") || run.arguments().has("--all");
  run.print("Walking GC heap to find pointers...\n");
  if (showsAll) run.print("{:>16} {:>16} {:>16} Type\n", "Pointer", "Memory", "Object");
  std::map<MemoryOwner, std::map<std::string, PointerSum>> sums;
  const engine::AddressSpace& memory = *snapshot.contents().memory;
  std::vector<std::uint64_t> words;
  forEachInSosOrder(snapshot, {}, run.stop(), [&](const ObjectRow& row) {
    const engine::TypeRow& type = snapshot.types()[row.type.value];
    if (type.isFree || row.sizeBytes < 3 * engine::kPointerBytes) return run.goesOn();
    // Behind the method table; the header of the next object counts as no word of this one.
    words.resize(row.sizeBytes / engine::kPointerBytes - 2);
    const Address first = row.address + engine::kPointerBytes;
    if (!memory.tryRead(first, std::as_writable_bytes(std::span(words)))) return run.goesOn();
    for (const std::uint64_t word : words) {
      const auto owner = asked.ownerOf({word});
      if (!owner) continue;
      sums[*owner][type.name].add({word});
      if (showsAll)
        run.print("{:>16} {:>16} {:>16} {}\n", shortAddress({word}), toString(*owner), shortAddress(row.address),
                  type.name);
    }
    return run.goesOn();
  });
  for (const MemoryOwner owner : asked.owners) {
    run.print("\n{} regions\n", toString(owner));
    if (sums[owner].empty())
      run.print("No GC heap pointers to '{}' regions.\n", toString(owner));
    else
      printSums(run, "Type", sums[owner]);
  }
  return {};
}

/// ObjectIds of what does not move, ascending.
Outcome<std::vector<std::uint32_t>> pinnedObjects(const Snapshot& snapshot, const std::stop_token& stop) {
  auto query = engine::makeQuery("pinned = true or gen = pinned or gen = frozen", engine::objectSchema());
  if (!query) return tl::unexpected(engine::Unfinished(engine::toError(query.error())));
  HEAPSCAPE_TRY(engine::FoundObjects found,
                engine::findObjects(snapshot, {.query = std::move(*query), .limit = 0}, nullptr, stop));
  return std::move(found.ids);
}

/// Words of memory of these owners that lead to objects. Without -all only those to pinned objects are named: others
/// are mostly left over.
Outcome<void> findPointersIn(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.retained());
  HEAPSCAPE_TRY(const AskedMemory asked, readAskedMemory(run, snapshot));
  const bool showsAll = run.arguments().has("-all") || run.arguments().has("-a") || run.arguments().has("--all");
  std::vector<std::uint32_t> pinned;
  if (!showsAll) {
    run.print("Scanning for pinned objects...\n");
    HEAPSCAPE_TRY(pinned, pinnedObjects(snapshot, run.stop()));
  }
  std::map<MemoryOwner, std::map<std::string, PointerSum>> sums;
  const engine::AddressSpace& memory = *snapshot.contents().memory;
  for (const OwnedRange& range : asked.ranges) {
    Address at{engine::alignUp(range.range.start.value, engine::kPointerBytes)};
    for (; at < range.range.end && run.goesOn(); at += engine::kPointerBytes) {
      Address word;
      if (!memory.tryRead(at, word)) {
        at = Address{at.value | 0xff8};  // a page has all of its bytes or none
        continue;
      }
      const auto object = engine::objectAt(snapshot, word);
      if (!object || snapshot.types()[object->type.value].isFree) continue;
      const auto id = engine::idOfObject(snapshot, object->address);
      const bool isNamed = showsAll || (id && std::ranges::binary_search(pinned, *id));
      sums[range.owner][isNamed ? snapshot.types()[object->type.value].name : "[Pointers to non-pinned objects]"].add(
          word);
    }
  }
  for (const MemoryOwner owner : asked.owners) {
    run.print("\nType:  {}\n\nPointers to GC heap:\n", toString(owner));
    if (sums[owner].empty())
      run.print("None.\n");
    else
      printSums(run, "Type", sums[owner]);
  }
  return {};
}

// ---- dumpstack, eestack

/// Prints words of stacks that may be return addresses: calls return there, or once did.
class StackWordPrinter {
 public:
  static Outcome<StackWordPrinter> make(SosRun& run, const Snapshot& snapshot) {
    HEAPSCAPE_TRY(engine::AddressMeanings meanings, engine::AddressMeanings::make(snapshot, run.stop()));
    HEAPSCAPE_TRY(std::vector<OwnedRange> ranges, engine::ownedRangesOf(snapshot, run.stop()));
    std::erase_if(ranges, [](const OwnedRange& each) { return each.owner != MemoryOwner::ThreadStack; });
    return StackWordPrinter(run, snapshot, std::move(meanings), std::move(ranges));
  }

  void print(const engine::CoreThread& thread) {
    const auto number = numberOfThread(m_snapshot, thread.osId);
    const std::string current = siteOf(thread.instructionPointer());
    m_run.print("OS Thread Id: 0x{:x} ({})\nCurrent frame: {}\n{:<16} {:<16} Caller\n", thread.osId, number.value_or(0),
                current.empty() ? "in other code" : current, "Child-SP", "RetAddr");
    const Address top = thread.stackPointer();
    const auto stack =
        std::ranges::find_if(m_stacks, [top](const OwnedRange& each) { return each.range.contains(top); });
    const Address end = stack == m_stacks.end() ? top + kMostBytes : stack->range.end;
    const engine::AddressSpace& memory = *m_snapshot.contents().memory;
    Address word;
    for (Address at{top.value & ~7ull}; at < end && m_run.goesOn() && memory.tryRead(at, word);
         at += engine::kPointerBytes)
      if (const std::string site = siteOf(word); !site.empty())
        m_run.print("{} {} {}\n", upperAddress(at), upperAddress(word), site);
  }

 private:
  static constexpr std::uint64_t kMostBytes = 8 << 20;

  StackWordPrinter(SosRun& run, const Snapshot& snapshot, engine::AddressMeanings meanings,
                   std::vector<OwnedRange> stacks)
      : m_run(run),
        m_snapshot(snapshot),
        m_meanings(std::move(meanings)),
        m_stacks(std::move(stacks)),
        m_isOnlyManaged(run.arguments().has("-EE")) {
    constexpr std::uint32_t kExecutes = 1;
    for (const engine::LoadSegment& load : snapshot.contents().core->loads)
      if (load.flags & kExecutes) m_code.push_back(load.range);
    std::ranges::sort(m_code, {}, &AddressRange::start);
  }

  // The code that an address lies in; empty where it lies in none.
  std::string siteOf(Address address) const {
    const auto behind = std::ranges::upper_bound(m_code, address, {}, &AddressRange::start);
    if (behind == m_code.begin() || !std::prev(behind)->contains(address)) return {};
    for (const engine::AddressMeaning& meaning : m_meanings.of(address)) {
      if (meaning.kind == engine::AddressKind::MethodCode) return meaning.text;
      if (!m_isOnlyManaged && meaning.kind == engine::AddressKind::MappedFile) return meaning.text;
    }
    return {};
  }

  SosRun& m_run;
  const Snapshot& m_snapshot;
  const engine::AddressMeanings m_meanings;
  const std::vector<OwnedRange> m_stacks;
  const bool m_isOnlyManaged;
  std::vector<AddressRange> m_code;  // by where they begin
};

Outcome<void> dumpStack(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.dump());
  HEAPSCAPE_TRY(const engine::CoreThread thread, currentThread(run, snapshot));
  HEAPSCAPE_TRY(StackWordPrinter printer, StackWordPrinter::make(run, snapshot));
  printer.print(thread);
  return {};
}

Outcome<void> dumpAllStacks(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.dump());
  HEAPSCAPE_TRY(StackWordPrinter printer, StackWordPrinter::make(run, snapshot));
  for (const engine::CoreThread& thread : snapshot.contents().core->threads) {
    run.print("---------------------------------------------\n");
    printer.print(thread);
    if (!run.goesOn()) break;
  }
  return {};
}

}  // namespace

void addSosPointerCommands(std::vector<SosCommand>& commands) {
  constexpr const char* kKinds = "[-all] native | stack | mappedFile | loaderHeap | jitCode | gcBookkeeping | other…";
  const SosCommand like{.flags = "-all -a --all", .leastArguments = 1, .mostArguments = 10, .more = "memory"};
  addLike(commands, like, "gctonative", kKinds, "Objects whose words lead to memory of these kinds", gcToNative);
  addLike(commands, like, "findpointersin", kKinds, "Words of memory of these kinds that lead to objects",
          findPointersIn);
  commands.push_back({.names = "dumpstack",
                      .arguments = "[-EE]",
                      .summary = "Words of the current stack that may be return addresses; -EE: to managed code alone",
                      .flags = "-EE -n",
                      .run = dumpStack,
                      .more = "stacks --native"});
  commands.push_back({.names = "eestack",
                      .arguments = "[-EE]",
                      .summary = "The same of all threads",
                      .flags = "-EE -short -n",
                      .run = dumpAllStacks,
                      .more = "stacks --native"});
}

}  // namespace heapscape::cli
