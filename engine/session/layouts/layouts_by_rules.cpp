// SPDX-License-Identifier: MIT
#include "session/layouts/layouts_by_rules.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <iterator>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>

#include "layout/advice/layout_difference.h"
#include "session/layouts/declared_layouts_parts.h"
#include "session/layouts/layout_query.h"
#include "session/layouts/waste_query.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {
namespace {

constexpr const char* kComparing = "comparing layouts";
constexpr double kLaidOutEnd = 0.5;          // share of the whole progress; then the heap is measured
constexpr std::size_t kTypesPerReader = 64;  // fewer are not worth reading the declarations once more
constexpr std::size_t kTypesAtOnce = 8;

bool hasSomethingToTell(const TypeByRules& type) {
  return type.differs || type.savedBytes != 0;
}

/// A unit's bytes now and in the three ways; nothing for what can be laid out in one way alone. Arrays are left to the
/// types that they hold.
std::optional<TypeByRules> layOutByAll(DeclaredLayouts::Parts& parts, ClosedTypeId type) {
  if (parts.subjectOf(type) != type || !canBeDeclaredOtherwise(parts, type)) return std::nullopt;
  TypeByRules row;
  row.id = layoutType(type);
  std::optional<TypeLayout> before;
  const auto bytesBy = [&](RuleSet rules) -> std::uint32_t {
    auto variant = layOut(parts, type, {.rules = rules, .withReasons = false});
    if (!variant) return 0;
    const auto bytes = static_cast<std::uint32_t>(variant->layout.unitBytes());
    row.differs = row.differs || (before && !compareLayouts(*before, variant->layout).isSame);
    before = std::move(variant->layout);
    return bytes;
  };
  row.sequentialBytes = bytesBy(RuleSet::Sequential);
  row.autoBytes = bytesBy(RuleSet::Auto);
  row.bestBytes = bytesBy(RuleSet::Best);
  return row;
}

/// Lays out the types of a dump on all cores. Rules are for one thread alone, so each one reads declarations for
/// itself.
class AllTypes {
 public:
  AllTypes(const Snapshot& snapshot, std::vector<LoadedType> loaded, ProgressSink* progress, std::stop_token stop)
      : m_snapshot(snapshot),
        m_loaded(std::move(loaded)),
        m_stop(std::move(stop)),
        m_progress(progress, kComparing, 0, kLaidOutEnd),
        m_done(std::max<std::size_t>(m_loaded.size(), 1), [this](double share) { m_progress.report(share); }) {}

  Outcome<std::vector<TypeByRules>> layOut() {
    const auto cores = static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
    const std::size_t readers = std::clamp<std::size_t>(m_loaded.size() / kTypesPerReader, 1, cores);
    tbb::parallel_for(std::size_t{0}, readers, [this](std::size_t) { layOutSome(); });
    if (m_stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    return std::move(m_rows);
  }

 private:
  void layOutSome() {
    std::shared_ptr<DeclaredLayouts::Parts> parts;
    std::vector<TypeByRules> rows;
    while (!m_stop.stop_requested()) {
      const std::size_t first = m_next.fetch_add(kTypesAtOnce);
      if (first >= m_loaded.size()) break;
      if (!parts) parts = partsOf(m_snapshot);
      const std::size_t end = std::min(first + kTypesAtOnce, m_loaded.size());
      for (std::size_t i = first; i < end; ++i) add(*parts, m_loaded[i].methodTable, rows);
      m_done.finish(end - first);
    }
    const std::lock_guard lock(m_mutex);
    std::ranges::move(rows, std::back_inserter(m_rows));
  }

  static void add(DeclaredLayouts::Parts& parts, Address methodTable, std::vector<TypeByRules>& rows) {
    const auto type = parts.typeOf(methodTable);
    if (!type) return;
    auto row = layOutByAll(parts, *type);
    if (!row) return;
    row->id = {};  // another reader has other numbers
    row->methodTable = methodTable;
    rows.push_back(*row);
  }

  const Snapshot& m_snapshot;
  const std::vector<LoadedType> m_loaded;
  const std::stop_token m_stop;
  StageProgress m_progress;
  CountedProgress m_done;
  std::atomic<std::size_t> m_next = 0;
  std::mutex m_mutex;
  std::vector<TypeByRules> m_rows;
};

Outcome<LayoutsByRules> ofDump(const Snapshot& snapshot, ProgressSink* progress, const std::stop_token& stop) {
  HEAPSCAPE_TRY(std::vector<LoadedType> loaded, loadedTypes(snapshot, stop));
  HEAPSCAPE_TRY(std::vector<TypeByRules> rows, AllTypes(snapshot, std::move(loaded), progress, stop).layOut());
  // With declarations of its own: those of the dump stay free for whoever asks about one type.
  PartOfProgress measuring(progress, kLaidOutEnd, 1, kComparing);
  HEAPSCAPE_TRY(const Waste waste, wasteOf(snapshot, DeclaredLayouts(partsOf(snapshot)), &measuring, stop));
  std::unordered_map<Address, std::int64_t> saved;
  for (const WasteRow& row : waste.rows) saved.emplace(row.methodTable, row.savedByBest);
  for (TypeByRules& row : rows) {
    const auto found = saved.find(row.methodTable);
    if (found != saved.end()) row.savedBytes = found->second;
  }
  std::erase_if(rows, [](const TypeByRules& row) { return !hasSomethingToTell(row); });
  std::ranges::sort(rows, {}, &TypeByRules::methodTable);
  return LayoutsByRules{std::move(rows)};
}

}  // namespace

Outcome<std::shared_ptr<const LayoutsByRules>> layoutsByRules(const Snapshot& snapshot, ProgressSink* progress,
                                                              std::stop_token stop) {
  return snapshot.contents().layoutsByRules->get([&] { return ofDump(snapshot, progress, stop); });
}

Outcome<std::shared_ptr<const LayoutsByRules>> layoutsByRules(const DeclaredLayouts& layouts, ProgressSink* progress,
                                                              std::stop_token stop) {
  HEAPSCAPE_TRY(const auto names, layouts.typeNames(stop));
  StageProgress comparing(progress, kComparing, 0, 1);
  auto answer = std::make_shared<LayoutsByRules>();
  std::size_t done = 0;
  for (const auto& [id, name] : names) {
    if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    DeclaredLayouts::Parts& parts = layouts.parts();
    const std::lock_guard lock(parts.mutex);
    auto row = layOutByAll(parts, closedType(id));
    const auto declared = layOut(parts, closedType(id), {.withReasons = false});
    if (row && declared && row->bestBytes) {
      row->savedBytes = static_cast<std::int64_t>(declared->layout.unitBytes()) - row->bestBytes;
      if (hasSomethingToTell(*row)) answer->types.push_back(*row);
    }
    comparing.report(static_cast<double>(++done) / static_cast<double>(names.size()));
  }
  return answer;
}

}  // namespace heapscape::engine
