// SPDX-License-Identifier: MIT
#include "session/open/retained_stage.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string_view>

#include "graph/retained/retained_by_type.h"
#include "graph/root_forest.h"
#include "session/cache/answer_cache.h"
#include "session/cache/cached_retention.h"
#include "session/dominators/dominator_nodes.h"
#include "session/heap/heap_check.h"
#include "session/open/memory_need.h"
#include "session/open/reached_parts.h"
#include "session/snapshot/contents.h"
#include "session/snapshot/heap_presence.h"
#include "session/snapshot/stage_clock.h"

namespace heapscape::engine {
namespace {

// Where each step ends, from measurements: between those of a heap of trees and of one of long lists.
constexpr double kRootsEnd = 0.01;
constexpr double kReferencesEnd = 0.29;
constexpr double kDominatorsEnd = 0.8;
constexpr double kSizesEnd = 0.88;
constexpr double kTypesReadEnd = 0.93;

// Measured on heaps of 10 to 100 million objects with one to two references each (28 to 45), see bench/README.md.
constexpr std::uint64_t kPeakBytesOfObject = 44;

class RetainedStages {
 public:
  RetainedStages(const Snapshot& snapshot, const RetainedOptions& options, OpenListener* listener, std::stop_token stop,
                 double progressFrom)
      : m_before(snapshot),
        m_contents(snapshot.contents()),
        m_options(options),
        m_listener(listener),
        m_stop(std::move(stop)),
        m_from(progressFrom) {}

  /// Why it failed, or else that the file was changed, which explains any damage.
  Outcome<Snapshot> run() {
    auto retained = runStages();
    if (retained || retained.error().isCancelled()) return retained;
    if (auto changed = FileChanges(m_before).error()) return tl::unexpected(Unfinished(std::move(*changed)));
    return retained;
  }

 private:
  Outcome<Snapshot> runStages() {
    if (!hasHeap(m_before)) return tl::unexpected(Unfinished(noHeapIn(m_before)));
    if (!m_contents.heap) {
      return tl::unexpected(Unfinished(Error{ErrorCode::NoHeap, "Retained sizes need the objects of the heap.",
                                             "Open the dump up to its objects first."}));
    }
    HEAPSCAPE_CHECK(listAllRoots());
    HEAPSCAPE_TRY(const bool isKept, takeKept());
    if (!isKept) HEAPSCAPE_CHECK(findRetained());
    const bool hasTypes = !m_options.byType || takeKeptTypes();
    if (!hasTypes) addTypes();
    if (m_stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    m_retention.browsing = std::make_shared<DominatorBrowsing>();
    m_contents.retention = std::make_shared<const Retention>(std::move(m_retention));
    keepLater(!isKept, !hasTypes);
    tellOfSizes(1);
    HEAPSCAPE_CHECK(publish(Stage::Retained));
    return snapshot();
  }

  Outcome<void> checkMemory() const {
    const MemoryNeed need{
        .of = "Retained sizes",
        .objects = m_contents.heap->index.objectCount(),
        .bytes = retainedNeedBytes(m_contents.heap->index.objectCount()),
        .takenBytes = m_contents.graph && !m_contents.graph->file ? m_contents.graph->memoryBytes() : 0,
        .help = "All else is there: segments, types, objects, layouts, stacks, and queries without what is retained."};
    HEAPSCAPE_CHECK(engine::checkMemory(need, m_options.memoryBytes));
    return {};
  }

  Outcome<void> findRetained() {
    HEAPSCAPE_CHECK(checkMemory());
    if (!m_contents.graph || isGiven() != isGiven(m_before.rootOptions())) HEAPSCAPE_CHECK(readReferences());
    return findDominators();
  }

  /// Takes what is cached of the dump; false if there is nothing that is surely about this dump.
  Outcome<bool> takeKept() {
    m_contents.cached = m_options.cache && !isGiven() && !m_contents.recorded
                            ? CachedAnswers::of(m_options.cache, m_contents, m_options.roots, m_retention.roots)
                            : nullptr;
    const auto file = m_contents.cached ? m_contents.cached->find(CachedPart::Retained) : nullptr;
    if (!file) return false;
    const StageClock clock(m_contents.timings, "reopening");
    const std::size_t roots = m_retention.roots.groups.size() + m_retention.roots.roots.size();
    auto kept = readRetention(file, m_contents.heap->index.objectCount(), static_cast<std::uint32_t>(roots), m_stop);
    if (m_stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    if (!kept) return false;
    m_contents.cached->noteUsed();
    if (!m_contents.graph || isGiven(m_before.rootOptions())) {
      readSources();
      m_contents.graph = std::move(kept->graph);
      m_contents.reverse = std::make_shared<const OnDemand<ReverseReferences>>();
      HEAPSCAPE_CHECK(publish(Stage::References));
      m_contents.findings.append(kept->damage);
    }
    m_retention.tree = std::move(kept->tree);
    m_retention.sizes = std::move(kept->sizes);
    m_retention.file = file;
    addUpReachedParts(m_contents, m_retention);
    return true;
  }

  bool takeKeptTypes() {
    const auto file = m_contents.cached ? m_contents.cached->find(CachedPart::Types) : nullptr;
    auto types = file ? readRetainedTypes(*file, m_contents.heap->types.size()) : std::nullopt;
    if (types) m_retention.types = std::move(*types);
    return types.has_value();
  }

  void keepLater(bool isFound, bool hasFoundTypes) const {
    if (!m_contents.cached) return;
    // Which damage came of a graph from an earlier run is not known any more.
    const ReferenceGraph& graph = *m_contents.graph;
    const bool isDamageKnown = m_damage || graph.damagedReferences == 0;
    const FindingList& damage = m_damage ? *m_damage : graph.findings;
    if (isFound && isDamageKnown && damage.leftOut() == 0 && graph.findings.leftOut() == 0) {
      m_contents.cached->keepLater(CachedPart::Retained, secondsOf({"references", "dominators", "retained"}),
                                   contentsOf(m_contents.graph, damage, m_contents.retention));
    }
    if (hasFoundTypes && m_options.byType) {
      m_contents.cached->keepLater(CachedPart::Types, secondsOf({"retainedByType"}),
                                   contentsOfTypes(m_contents.retention));
    }
  }

  double secondsOf(std::initializer_list<std::string_view> stages) const {
    double sum = 0;
    for (const StageTiming& timing : m_contents.timings) {
      if (std::ranges::count(stages, timing.stage)) sum += timing.seconds;
    }
    return sum;
  }

  static bool isGiven(const RootOptions& options) { return options.only.has_value(); }
  bool isGiven() const { return isGiven(m_options.roots); }

  Snapshot snapshot() const { return Snapshot(std::make_shared<const Contents>(m_contents)); }

  Outcome<void> publish(Stage stage) {
    if (auto changed = FileChanges(m_before).error()) return tl::unexpected(Unfinished(std::move(*changed)));
    m_contents.stage = stage;
    if (m_listener) m_listener->stageReady(snapshot());
    return {};
  }

  StageProgress progress(const char* activity, double from, double to) const {
    return StageProgress(m_listener, activity, m_from + (1 - m_from) * from, m_from + (1 - m_from) * to);
  }

  Outcome<void> listAllRoots() {
    const StageClock clock(m_contents.timings, "roots");
    progress("listing the roots", 0, kRootsEnd).report(0);
    m_retention.options = m_options.roots;
    m_contents.memoryBytes = m_options.memoryBytes;
    HEAPSCAPE_TRY(m_retention.roots, listRoots(m_before, m_options.roots, m_stop));
    tellOfRoots();
    return {};
  }

  // Whoever shows what is retained rests on the roots. Seen from other roots before, most of it is known.
  void tellOfRoots() {
    const FindingList& ofRoots = m_retention.roots.findings;
    const std::vector<Finding>& known = m_contents.findings.items();
    if (ofRoots.items().empty()) return;
    const Finding& first = ofRoots.items().front();
    const bool isKnown = std::ranges::any_of(known, [&](const Finding& finding) {
      return finding.address == first.address && finding.message == first.message;
    });
    if (!isKnown) m_contents.findings.append(ofRoots);
  }

  // Slots of statics within the runtime's own arrays; given roots know of none.
  std::vector<Address> rootSlots() const {
    std::vector<Address> slots;
    for (const RootRow& root : m_retention.roots.roots) {
      const bool isStatic = root.kind == RootKind::Static || root.kind == RootKind::ThreadStatic;
      if (isStatic && !m_contents.heap->index.segmentOf(root.address).isNone()) slots.push_back(root.address);
    }
    std::sort(slots.begin(), slots.end());
    return slots;
  }

  Outcome<void> readReferences() {
    const StageClock clock(m_contents.timings, "references");
    if (m_contents.recorded) return takeRecorded();
    const FindingList findings = readSources();
    StageProgress reading = progress("reading references", kRootsEnd, kReferencesEnd);
    ObjectTypes types(m_contents.heap->index.objectCount(), m_contents.heap->types.size());
    HEAPSCAPE_TRY(ReferenceGraph graph,
                  buildReferenceGraph(m_contents.referenceSources(), rootSlots(), reading, m_stop, &types));
    HEAPSCAPE_CHECK(m_contents.objectTypes->get([&]() -> Outcome<ObjectTypes> { return std::move(types); }));
    if (isGiven()) m_contents.findings.append(findings);  // else the list of roots tells of the same handles
    m_contents.graph = std::make_shared<const ReferenceGraph>(std::move(graph));
    m_contents.reverse = std::make_shared<const OnDemand<ReverseReferences>>();
    HEAPSCAPE_CHECK(publish(Stage::References));
    return findDamage();
  }

  Outcome<void> takeRecorded() {
    m_contents.graph = m_contents.recorded->graph;
    m_contents.reverse = std::make_shared<const OnDemand<ReverseReferences>>();
    m_damage.emplace();
    return publish(Stage::References);
  }

  FindingList readSources() {
    FindingList findings;
    m_contents.typeReferences = std::make_shared<const TypeReferences>(*m_contents.readers, *m_contents.heap);
    m_contents.dependents =
        std::make_shared<const DependentEdges>(readDependentEdges(m_contents.readers->runtime, findings));
    return findings;
  }

  // References that lead nowhere are normal in dead objects, so which objects live has to be known first.
  Outcome<void> findDamage() {
    const ReferenceGraph& graph = *m_contents.graph;
    if (graph.damagedReferences == 0) {
      m_damage = graph.findings;
    } else {
      HEAPSCAPE_TRY(const ObjectCheck check, checkObjects(snapshot(), nullptr, nullptr, m_stop));
      m_damage = check.findings;
    }
    m_contents.findings.append(*m_damage);
    return {};
  }

  RootForest makeForest() const {
    static_assert(RootGroup::kNone == RootForest::kNone);
    RootForest forest;
    for (const RootGroup& group : m_retention.roots.groups) forest.addGroup(group.parent);
    for (const RootRow& root : m_retention.roots.roots)
      forest.addRoot(root.group, m_contents.heap->index.idOf(root.object).value);
    return forest;
  }

  Outcome<void> findDominators() {
    {
      const StageClock clock(m_contents.timings, "dominators");
      StageProgress dominating = progress("finding dominators", kReferencesEnd, kDominatorsEnd);
      auto tree = DominatorTree::build(m_contents.graph->edges(), makeForest(), dominating, m_stop);
      if (!tree) return tl::unexpected(Unfinished::cancelled());
      m_retention.tree = std::move(*tree);
    }
    const StageClock clock(m_contents.timings, "retained");
    tellOfSizes(kDominatorsEnd);
    m_retention.sizes = addUpRetained(m_retention.tree, *m_contents.graph);
    addUpReachedParts(m_contents, m_retention);
    tellOfSizes(kSizesEnd);
    return {};
  }

  void tellOfSizes(double reached) const { progress("adding up retained sizes", reached, 1).report(0); }

  void addTypes() {
    const StageClock clock(m_contents.timings, "retainedByType");
    const WalkedHeap& heap = *m_contents.heap;
    const std::shared_ptr<const ObjectTypes> types = m_contents.typesOfObjects();
    tellOfSizes(kTypesReadEnd);
    m_retention.types =
        addUpRetainedByType(m_retention.tree, m_retention.sizes, *m_contents.graph, *types, heap.types.size());
  }

  const Snapshot& m_before;
  Contents m_contents;
  const RetainedOptions& m_options;
  OpenListener* m_listener;
  std::stop_token m_stop;
  double m_from;
  Retention m_retention;
  std::optional<FindingList> m_damage;  // that the references have led to
};

}  // namespace

std::uint64_t retainedNeedBytes(std::uint64_t objects) {
  return objects * kPeakBytesOfObject;
}

Outcome<Snapshot> addRetained(const Snapshot& snapshot, const RetainedOptions& options, OpenListener* listener,
                              std::stop_token stop, double progressFrom) {
  return RetainedStages(snapshot, options, listener, std::move(stop), progressFrom).run();
}

bool hasAnswersToKeep(const Snapshot& snapshot) {
  return snapshot.contents().cached && snapshot.contents().cached->isWaiting();
}

Outcome<void> keepAnswers(const Snapshot& snapshot, std::stop_token stop) {
  return hasAnswersToKeep(snapshot) ? snapshot.contents().cached->write(stop) : Outcome<void>();
}

}  // namespace heapscape::engine
