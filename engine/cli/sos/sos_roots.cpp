// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>

#include "cli/sos/sos_command.h"
#include "cli/sos/sos_objects_walk.h"
#include "cli/sos/sos_text.h"
#include "session/references/paths_query.h"
#include "session/references/reference_query.h"
#include "session/roots/roots_query.h"
#include "session/snapshot/contents.h"
#include "session/stacks/stacks_query.h"
#include "session/types/debugger_names.h"

namespace heapscape::cli {
namespace {

using engine::Address;
using engine::ErrorCode;
using engine::Generation;
using engine::Outcome;
using engine::RootKind;
using engine::Snapshot;

void printSteps(SosRun& run, const Snapshot& snapshot, const std::vector<engine::PathStep>& steps,
                std::uint64_t leftOut, std::uint64_t leftOutAfter) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (leftOut > 0 && i == leftOutAfter) run.print("          … {} objects\n", grouped(leftOut));
    const bool isDependent = steps[i].via == "(dependent handle)";
    run.print("          -> {:<16} {} {}\n", shortAddress(steps[i].object), snapshot.typeName(steps[i].type),
              isDependent ? "(dependent handle)" : "");
  }
}

Outcome<void> pathTo(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.retained());
  HEAPSCAPE_TRY(const Address from, run.arguments().address(0));
  HEAPSCAPE_TRY(const Address to, run.arguments().address(1));
  constexpr std::size_t kSteps = 100'000;
  HEAPSCAPE_TRY(const engine::ObjectPath path, engine::pathBetween(snapshot, from, to, kSteps, nullptr, run.stop()));
  if (path.steps.empty()) run.print("Could not find a path from {:x} to {:x}\n", from.value, to.value);
  printSteps(run, snapshot, path.steps, path.stepsLeftOut, path.leftOutAfter);
  return {};
}

// ---- objsize

Outcome<void> objectSize(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.heap());
  const SosArguments& arguments = run.arguments();
  std::vector<Address> objects;
  if (const auto text = arguments.valueOf("-mt")) {
    Address methodTable;
    if (!engine::tryParseAddress(*text, methodTable))
      return tl::unexpected(engine::Unfinished(
          engine::Error{ErrorCode::BadQuery, fmt::format("Could not parse method table: {}", *text)}));
    const engine::TypeId type = snapshot.typeOf(methodTable);
    run.print("Objects which ({}) transitively keep alive:\n\n",
              type.isNone() ? std::string("<unknown type>") : snapshot.typeName(type));
    forEachInSosOrder(snapshot, {}, run.stop(), [&](const engine::ObjectRow& row) {
      if (row.type == type) objects.push_back(row.address);
      return true;
    });
  } else {
    HEAPSCAPE_TRY(const Address address, arguments.address(0));
    HEAPSCAPE_TRY(const engine::ObjectRow row, sosObject(snapshot, address));
    run.print("Objects which {:x} ({}) transitively keep alive:\n\n", address.value, snapshot.typeName(row.type));
    objects.push_back(address);
  }
  SosObjectLines lines(run, snapshot);
  SosStatistics statistics(snapshot);
  const bool isShort = arguments.has("-short");
  const bool isStat = arguments.has("-stat") || arguments.has("-summary");
  HEAPSCAPE_CHECK(engine::forEachReachable(
      snapshot, objects,
      [&](const engine::ObjectRow& row) {
        if (isShort)
          run.print("{}\n", shortAddress(row.address));
        else if (!isStat)
          lines.add(row);
        statistics.add(row);
        return run.goesOn();
      },
      run.stop()));
  if (!isShort) statistics.print(run, !lines.hasAny());
  return {};
}

// ---- references between generations

constexpr std::array<const char*, engine::kGenerationCount> kGenerationWords{
    "Generation0", "Generation1", "Generation2", "Large", "Pinned", "Frozen"};

std::string lowerWord(Generation generation) {
  std::string word = kGenerationWords[static_cast<std::size_t>(generation)];
  word.front() = static_cast<char>(std::tolower(word.front()));
  return word;
}

Outcome<void> ephemeralReferences(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.heap());
  struct Sum {
    engine::ObjectRow object;
    std::uint64_t count = 0, bytes = 0;
  };
  using Ages = std::pair<Generation, Generation>;
  std::vector<std::pair<Ages, std::map<Address, Sum>>> sums;  // in the order of the first object of each
  std::unordered_set<Address> referenced;
  std::uint64_t referencedBytes = 0;
  std::optional<engine::ObjectRow> source;
  const bool isWhole = engine::forEachEdge(
      snapshot,
      [&](const engine::Edge& edge) {
        if (edge.kind != engine::EdgeKind::Field && edge.kind != engine::EdgeKind::Element) return true;
        if (!source || source->address != edge.from) source = engine::objectAt(snapshot, edge.from);
        const auto target = engine::objectAt(snapshot, edge.to);
        if (!source || !target) return true;
        const bool isOlder = source->generation != Generation::Frozen &&
                             ((target->generation == Generation::Gen0 && source->generation != Generation::Gen0) ||
                              (target->generation == Generation::Gen1 && source->generation > Generation::Gen1));
        if (!isOlder) return true;
        const Ages ages{*source->generation, *target->generation};
        auto group = std::ranges::find(sums, ages, &std::pair<Ages, std::map<Address, Sum>>::first);
        if (group == sums.end()) group = sums.insert(sums.end(), {ages, {}});
        Sum& sum = group->second[source->address];
        sum.object = *source;
        ++sum.count;
        sum.bytes += target->sizeBytes;
        if (referenced.insert(target->address).second) referencedBytes += target->sizeBytes;
        return true;
      },
      run.stop());
  if (!isWhole) return tl::unexpected(engine::Unfinished::cancelled());
  std::uint64_t objects = 0;
  bool isFirst = true;
  for (const auto& [ages, rows] : sums) {
    if (!isFirst) run.print("\n");
    isFirst = false;
    run.print("References from {} to {}:\n\n{:>16} {:>16} {:>14} {:<11} {:<11} {:>14} {:>14} Type\n",
              lowerWord(ages.first), lowerWord(ages.second), "Object", "MethodTable", "Size", "Obj Gen", "Ref Gen",
              "Obj Count", "Obj Size");
    for (const auto& [address, sum] : rows) {
      const engine::TypeRow& type = snapshot.types()[sum.object.type.value];
      run.print("{:>16} {:>16} {:>14} {:<11} {:<11} {:>14} {:>14} {}\n", shortAddress(address),
                shortAddress(type.methodTable), grouped(sum.object.sizeBytes),
                kGenerationWords[static_cast<std::size_t>(ages.first)],
                kGenerationWords[static_cast<std::size_t>(ages.second)], grouped(sum.count), grouped(sum.bytes),
                type.name);
      ++objects;
      if (!run.goesOn()) return {};
    }
  }
  run.print("\n{} older generation objects referenced {} younger objects ({} bytes)\n", grouped(objects),
            grouped(referenced.size()), grouped(referencedBytes));
  return {};
}

Outcome<void> ephemeralToLarge(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.heap());
  std::vector<engine::Edge> toLarge;
  std::vector<engine::Edge> toEphemeral;
  const auto generationAt = [&](Address address) {
    const auto row = engine::objectAt(snapshot, address);
    return row ? row->generation.value_or(Generation::Frozen) : Generation::Frozen;
  };
  const bool isWhole = engine::forEachEdge(
      snapshot,
      [&](const engine::Edge& edge) {
        if (edge.kind != engine::EdgeKind::Field && edge.kind != engine::EdgeKind::Element) return true;
        const Generation from = generationAt(edge.from);
        if (from != Generation::Large && from > Generation::Gen1) return true;
        const Generation to = generationAt(edge.to);
        if (from <= Generation::Gen1 && to == Generation::Large) toLarge.push_back(edge);
        if (from == Generation::Large && to <= Generation::Gen1) toEphemeral.push_back(edge);
        return true;
      },
      run.stop());
  if (!isWhole) return tl::unexpected(engine::Unfinished::cancelled());
  const auto print = [&](const std::vector<engine::Edge>& edges, const char* none, const char* some) {
    if (edges.empty()) {
      run.print("{}\n", none);
      return;
    }
    run.print("{}\n\n{:>16} {:<64} {:>16} Large Object Type\n", some, "Ephemeral", "Ephemeral Type", "Large Object");
    for (const engine::Edge& edge : edges) {
      const auto from = engine::objectAt(snapshot, edge.from);
      const auto to = engine::objectAt(snapshot, edge.to);
      run.print("{:>16} {:<64} {:>16} {}\n", shortAddress(edge.from), from ? snapshot.typeName(from->type) : "",
                shortAddress(edge.to), to ? snapshot.typeName(to->type) : "");
    }
    run.print("\n");
  };
  print(toLarge, "No Ephemeral objects pointing to the Large objects.",
        "Ephemeral objects pointing to the Large objects:");
  print(toEphemeral, "No Large objects pointing to Ephemeral objects.", "Large objects pointing to Ephemeral objects:");
  return {};
}

/// Words of some memory that lead to objects which nothing holds.
Outcome<void> notReachableInRange(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.retained());
  HEAPSCAPE_TRY(const Address start, run.arguments().address(0));
  HEAPSCAPE_TRY(const Address end, run.arguments().address(1));
  SosObjectLines lines(run, snapshot);
  SosStatistics statistics(snapshot);
  const bool isShort = run.arguments().has("-short");
  for (Address at{start.value & ~7ull}; at < end && run.goesOn(); at += engine::kPointerBytes) {
    HEAPSCAPE_TRY(const Address word, snapshot.contents().memory->readPointer(at));
    const auto row = engine::objectAt(snapshot, word);
    if (!row || row->address != word) continue;
    const auto retained = engine::retainedOf(snapshot, word);
    if (retained && retained->isReachable) continue;
    if (isShort)
      run.print("{}\n", shortAddress(word));
    else
      lines.add(*row);
    statistics.add(*row);
  }
  if (!isShort) statistics.print(run, !lines.hasAny());
  return {};
}

}  // namespace

void addSosRootCommands(std::vector<SosCommand>& commands) {
  commands.push_back({.names = "pathto",
                      .arguments = "SOURCE TARGET",
                      .summary = "Way from one object to another",
                      .leastArguments = 2,
                      .mostArguments = 2,
                      .run = pathTo,
                      .more = "retained {}"});
  commands.push_back({.names = "objsize",
                      .arguments = "[-stat] [-short] [ADDRESS | -mt MT]",
                      .summary = "All that can be reached from an object",
                      .flags = "-stat -summary -short",
                      .values = "-mt",
                      .mostArguments = 1,
                      .run = objectSize,
                      .more = "retained"});
  commands.push_back({.names = "ephrefs",
                      .arguments = "",
                      .summary = "References from older objects to younger ones",
                      .run = ephemeralReferences});
  commands.push_back({.names = "ephtoloh",
                      .arguments = "",
                      .summary = "References between young objects and large ones",
                      .run = ephemeralToLarge});
  commands.push_back({.names = "notreachableinrange",
                      .arguments = "[-short] START END",
                      .summary = "Objects that nothing holds, of those that words of some memory lead to",
                      .flags = "-short -nofinalizer",
                      .leastArguments = 2,
                      .mostArguments = 2,
                      .run = notReachableInRange});
}

}  // namespace heapscape::cli
