// SPDX-License-Identifier: MIT
#include "insight/comparison/comparison_parts.h"

#include <fmt/format.h>

#include <map>

#include "runtime/gc/handles.h"
#include "session/snapshot/contents.h"
#include "session/threads/threads_query.h"

namespace heapscape::engine {
namespace {

/// Collects figures of both sides under their names, in the order of their first mention.
class FigureTable {
 public:
  void setSide(bool isAfter) { m_isAfter = isAfter; }
  void count(const std::string& group, const std::string& name, std::uint64_t value) { add(group, name, value, false); }
  void bytes(const std::string& group, const std::string& name, std::uint64_t value) { add(group, name, value, true); }

  /// Groups together, each in the order in which it was first met.
  std::vector<FigureChange> take() {
    std::vector<FigureChange> figures;
    for (const std::string& group : m_groups)
      for (FigureChange& figure : m_figures)
        if (figure.group == group) figures.push_back(figure);
    return figures;
  }

 private:
  void add(const std::string& group, const std::string& name, std::uint64_t value, bool isBytes) {
    const auto [place, isNew] = m_placeOf.emplace(std::pair(group, name), m_figures.size());
    if (isNew) m_figures.push_back({.group = group, .name = name, .isBytes = isBytes, .value = {}});
    if (std::find(m_groups.begin(), m_groups.end(), group) == m_groups.end()) m_groups.push_back(group);
    Change& change = m_figures[place->second].value;
    (m_isAfter ? change.after : change.before) += value;
  }

  bool m_isAfter = false;
  std::vector<std::string> m_groups;
  std::vector<FigureChange> m_figures;
  std::map<std::pair<std::string, std::string>, std::size_t> m_placeOf;
};

std::uint64_t sumOf(const std::vector<std::uint64_t>& values) {
  std::uint64_t sum = 0;
  for (const std::uint64_t value : values) sum += value;
  return sum;
}

void addHeap(FigureTable& table, const Snapshot& snapshot) {
  const ObjectTotals totals = snapshot.totals();
  table.count("Heap", "objects", totals.objects - totals.freeObjects);
  table.bytes("Heap", "objects, bytes", totals.bytes - totals.freeBytes);
  table.count("Heap", "gaps", totals.freeObjects);
  table.bytes("Heap", "gaps, bytes", totals.freeBytes);
  table.count("Heap", "reachable objects", snapshot.retainedTotals().reachableObjects);
  table.bytes("Heap", "reachable bytes", snapshot.retainedTotals().reachableBytes);
  table.count("Heap", "unreachable objects", snapshot.retainedTotals().unreachableObjects);
  table.bytes("Heap", "unreachable bytes", snapshot.retainedTotals().unreachableBytes);
  table.bytes("Heap", "padding", sumOf(snapshot.typePaddingBytes()));
  table.count("Heap", "references", snapshot.referenceCount());
}

void addSegments(FigureTable& table, const Snapshot& snapshot, bool hasHeaps) {
  for (const GenerationRow& row : snapshot.generations()) {
    const std::string name =
        hasHeaps ? fmt::format("{} on heap {}", toString(row.generation), row.heap) : toString(row.generation);
    table.count("Segments", name + ", objects", row.totals.objects - row.totals.freeObjects);
    table.bytes("Segments", name + ", bytes", row.totals.bytes - row.totals.freeBytes);
    table.bytes("Segments", name + ", free bytes", row.totals.freeBytes);
  }
  for (const Segment& segment : snapshot.segments()) {
    table.count("Segments", fmt::format("{} segments", toString(segment.kind)), 1);
    table.bytes("Segments", "committed", AddressRange{segment.objects.start, segment.committedEnd}.sizeBytes());
  }
}

void addHandles(FigureTable& table, const Snapshot& snapshot, FindingList& findings) {
  for (const GcHandle& handle : readHandles(snapshot.contents().readers->runtime, false, findings))
    table.count("Handles", toString(handle.kind), 1);
}

Outcome<void> addThreads(FigureTable& table, const Snapshot& snapshot, std::stop_token stop) {
  HEAPSCAPE_TRY(const ThreadList list, listThreads(snapshot, stop));
  std::uint64_t alive = 0, background = 0, pool = 0;
  for (const ThreadRow& row : list.threads) {
    if (!row.isAlive) continue;
    ++alive;
    background += row.isBackground ? 1 : 0;
    pool += row.isThreadPool ? 1 : 0;
  }
  table.count("Threads", "managed threads", alive);
  table.count("Threads", "background threads", background);
  table.count("Threads", "thread pool threads", pool);
  table.count("Threads", "ended threads that the runtime still knows", list.threads.size() - alive);
  table.count("Threads", "threads of the operating system", snapshot.summary().dump.threads);
  return {};
}

void addModules(FigureTable& table, const Snapshot& snapshot) {
  std::uint64_t dynamic = 0, collectible = 0;
  std::map<std::string, std::uint64_t> contexts;
  for (const ModuleRow& module : snapshot.modules()) {
    dynamic += module.isDynamic ? 1 : 0;
    collectible += module.isCollectible ? 1 : 0;
    if (!module.loadContext.empty()) ++contexts[module.loadContext];
  }
  table.count("Modules", "modules", snapshot.modules().size());
  table.count("Modules", "made at run time", dynamic);
  table.count("Modules", "collectible", collectible);
  for (const auto& [context, modules] : contexts) table.count("Modules", "in load context " + context, modules);
}

Outcome<void> addProcessMemory(FigureTable& table, const Snapshot& snapshot, std::stop_token stop) {
  HEAPSCAPE_TRY(const ProcessMemory memory, processMemoryOf(snapshot, stop));
  table.bytes("Process memory", "mapped", memory.mappedBytes);
  table.bytes("Process memory", "in memory or swapped out, at least", memory.resident.atLeastBytes);
  for (const MemoryPart& part : memory.parts) table.bytes("Process memory", toString(part.owner), part.bytes);
  table.bytes("Process memory", "reserved only", memory.reservedBytes);
  return {};
}

Outcome<void> addAll(FigureTable& table, const Snapshot& snapshot, bool hasHeaps, FindingList& findings,
                     std::stop_token stop) {
  addHeap(table, snapshot);
  addSegments(table, snapshot, hasHeaps);
  addHandles(table, snapshot, findings);
  HEAPSCAPE_CHECK(addThreads(table, snapshot, stop));
  addModules(table, snapshot);
  return addProcessMemory(table, snapshot, stop);
}

}  // namespace

Outcome<std::vector<FigureChange>> compareFigures(const Snapshot& before, const Snapshot& after, FindingList& findings,
                                                  std::stop_token stop) {
  // Heaps are told apart only if there are as many in both: by number they are the same ones.
  const std::uint32_t heaps = before.summary().runtime.heaps;
  const bool hasHeaps = heaps > 1 && heaps == after.summary().runtime.heaps;
  FigureTable table;
  HEAPSCAPE_CHECK(addAll(table, before, hasHeaps, findings, stop));
  table.setSide(true);
  HEAPSCAPE_CHECK(addAll(table, after, hasHeaps, findings, stop));
  return table.take();
}

}  // namespace heapscape::engine
