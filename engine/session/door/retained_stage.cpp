// SPDX-License-Identifier: MIT
#include "session/door/retained_stage.h"

#include <algorithm>

#include "graph/retained/retained_by_type.h"
#include "graph/root_forest.h"
#include "heap/object_types.h"
#include "session/door/contents.h"
#include "session/door/file_changes.h"
#include "session/door/stage_clock.h"
#include "session/heap/object_check.h"

namespace heapscape::engine {
namespace {

// Where each step ends, from measurements: between those of a heap of trees and of one of long lists.
constexpr double kRootsEnd = 0.01;
constexpr double kReferencesEnd = 0.29;
constexpr double kDominatorsEnd = 0.8;
constexpr double kSizesEnd = 0.88;
constexpr double kTypesReadEnd = 0.93;

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
    if (!m_contents.heap) {
      return tl::unexpected(Unfinished(Error{ErrorCode::NoHeap, "Who holds what can only be told of objects.",
                                             "Open the dump up to its objects first."}));
    }
    HEAPSCAPE_CHECK(listAllRoots());
    if (!m_contents.graph || isGiven() != isGiven(m_before.rootOptions())) HEAPSCAPE_CHECK(readReferences());
    HEAPSCAPE_CHECK(findDominators());
    if (m_options.byType) addTypes();
    if (m_stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    m_contents.retention = std::make_shared<const Retention>(std::move(m_retention));
    tellOfSizes(1);
    HEAPSCAPE_CHECK(publish(Stage::Retained));
    return snapshot();
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
    FindingList findings;
    m_contents.typeReferences = std::make_shared<const TypeReferences>(*m_contents.readers, *m_contents.heap);
    m_contents.dependents =
        std::make_shared<const DependentEdges>(readDependentEdges(m_contents.readers->runtime, findings));
    StageProgress reading = progress("reading references", kRootsEnd, kReferencesEnd);
    HEAPSCAPE_TRY(ReferenceGraph graph,
                  buildReferenceGraph(m_contents.referenceSources(), rootSlots(), reading, m_stop));
    if (isGiven()) m_contents.findings.append(findings);  // else the list of roots tells of the same handles
    m_contents.graph = std::make_shared<const ReferenceGraph>(std::move(graph));
    m_contents.reverse = std::make_shared<const OnDemand<ReverseReferences>>();
    HEAPSCAPE_CHECK(publish(Stage::References));
    return findDamage();
  }

  // References that lead nowhere are normal in dead objects, so which objects live has to be known first.
  Outcome<void> findDamage() {
    const ReferenceGraph& graph = *m_contents.graph;
    if (graph.damagedReferences == 0) {
      m_contents.findings.append(graph.findings);
      return {};
    }
    HEAPSCAPE_TRY(const ObjectCheck check, checkObjects(snapshot(), nullptr, nullptr, m_stop));
    m_contents.findings.append(check.findings);
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
    addTotals();
    tellOfSizes(kSizesEnd);
    return {};
  }

  void tellOfSizes(double reached) const { progress("adding up retained sizes", reached, 1).report(0); }

  void addTotals() {
    RetainedTotals& totals = m_retention.totals;
    totals.reachableObjects = m_retention.tree.reachedObjects();
    totals.reachableBytes = m_retention.sizes.bytes[0];
    for (const GenerationRow& row : m_contents.heap->generations) {
      totals.unreachableObjects += row.totals.objects - row.totals.freeObjects;
      totals.unreachableBytes += row.totals.bytes - row.totals.freeBytes;
    }
    totals.unreachableObjects -= totals.reachableObjects;
    totals.unreachableBytes -= totals.reachableBytes;
  }

  void addTypes() {
    const StageClock clock(m_contents.timings, "retainedByType");
    const WalkedHeap& heap = *m_contents.heap;
    const LargeArray<std::uint32_t> types = readObjectTypes(*m_contents.memory, *m_contents.segments, heap);
    tellOfSizes(kTypesReadEnd);
    m_retention.types =
        addUpRetainedByType(m_retention.tree, m_retention.sizes, *m_contents.graph, types, heap.types.size());
  }

  const Snapshot& m_before;
  Contents m_contents;
  const RetainedOptions& m_options;
  OpenListener* m_listener;
  std::stop_token m_stop;
  double m_from;
  Retention m_retention;
};

}  // namespace

Outcome<Snapshot> addRetained(const Snapshot& snapshot, const RetainedOptions& options, OpenListener* listener,
                              std::stop_token stop, double progressFrom) {
  return RetainedStages(snapshot, options, listener, std::move(stop), progressFrom).run();
}

}  // namespace heapscape::engine
