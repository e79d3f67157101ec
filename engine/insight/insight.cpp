// SPDX-License-Identifier: MIT
#include "insight/insight.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <tuple>
#include <utility>

#include "insight/detectors/detectors.h"
#include "insight/insight_actions.h"
#include "insight/insight_ledger.h"
#include "insight/insight_record.h"
#include "session/cache/answer_cache.h"
#include "session/open/memory_need.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {
namespace {

constexpr const char* kActivity = "looking for insights";
constexpr double kDetectorsEnd = 0.9;

// Measured on the same heaps as retained sizes (36 to 45), see bench/README.md.
constexpr std::uint64_t kInsightPeakBytesOfObject = 46;

class InsightSearch {
 public:
  InsightSearch(const Snapshot& snapshot, const InsightOptions& options, ProgressSink* progress, std::stop_token stop)
      : m_snapshot(snapshot),
        m_contents(snapshot.contents()),
        m_options(options),
        m_progress(progress),
        m_stop(std::move(stop)) {}

  Outcome<void> runDetectors(const InsightInput& input) {
    std::vector<WeighedDetector> detectors = makeDetectors();
    std::erase_if(detectors, [&](const WeighedDetector& one) {
      const auto kinds = one.detector->kinds();
      return std::ranges::none_of(kinds, [&](InsightKind kind) { return isAskedFor(kind) && canTell(kind); });
    });
    StageProgress progress(m_progress, kActivity, kInsightInputShare, kDetectorsEnd);
    return engine::runDetectors(detectors, input, m_found, m_list.findings, progress, m_stop);
  }

  /// Once the detectors have run; what they worked with is not needed any more.
  InsightList finish() {
    leaveOutSmall();
    const InexactHolding inexact(m_contents);
    countShared(inexact);
    std::ranges::sort(m_found.insights, {}, [](const FoundInsight& found) {
      const Insight& insight = found.insight;
      return std::tuple(insight.isInexact, ~insight.bytes, insight.kind, std::string_view(insight.subject),
                        std::string_view(insight.contents), insight.isFramework);
    });
    for (FoundInsight& found : m_found.insights) m_list.insights.push_back(std::move(found.insight));
    m_list.plan = planActions(m_list, m_found.insights, m_contents, inexact);
    m_list.plan.heapBytes = m_snapshot.totals().bytes;
    StageProgress(m_progress, kActivity, 1, 1).report(1);
    return std::move(m_list);
  }

 private:
  /// Whether a kind is found by what fields of objects hold, or by how they lie.
  static bool needsFields(InsightKind kind) {
    switch (kind) {
      case InsightKind::EmptyCollections:
      case InsightKind::OversizedCollections:
      case InsightKind::OneElementCollections:
      case InsightKind::PoorHashing:
      case InsightKind::PaddingWaste:
      case InsightKind::SingleFieldWrappers:
      case InsightKind::DelegateLeak:
      case InsightKind::TimerLeak:
      case InsightKind::PendingAsync:
      case InsightKind::StuckLoadContext:
      case InsightKind::GenericGrowth:
        return true;
      default:
        return false;
    }
  }

  /// Whether the dump has what a kind is found by: not what was left out of a redacted copy, nor contents of a recorded
  /// heap.
  bool canTell(InsightKind kind) const {
    if (m_contents.recorded) return kind == InsightKind::Suspect;
    if (!m_snapshot.hasFields() && needsFields(kind)) return false;
    const Redaction* redaction = m_contents.memory->redaction();
    if (!redaction || redaction->hasContents) return true;
    switch (kind) {
      case InsightKind::DuplicateStrings:
        return redaction->keeps(kKeptHashes);
      case InsightKind::EmptyCollections:
      case InsightKind::OversizedCollections:
      case InsightKind::OneElementCollections:
        return redaction->keeps(kKeptCounts);
      case InsightKind::BoxedValues:
      case InsightKind::UniformArrays:
      case InsightKind::SparseArrays:
      case InsightKind::PoorHashing:
        return false;
      default:
        return true;
    }
  }

  bool isAskedFor(InsightKind kind) const {
    return m_options.kinds.empty() || std::ranges::count(m_options.kinds, kind);
  }

  void leaveOutSmall() {
    m_list.smallInsights = m_found.smallInsights;
    m_list.smallBytes = m_found.smallBytes;
    std::erase_if(m_found.insights, [&](const FoundInsight& found) {
      if (!isAskedFor(found.insight.kind)) return true;
      const Insight& insight = found.insight;
      const bool isSmall =
          insight.bytes && insight.bytes < m_options.minimumBytes && insightWords(insight.kind).isAboutBytes;
      m_list.smallInsights += isSmall;
      m_list.smallBytes += isSmall ? insight.bytes : 0;
      return isSmall;
    });
  }

  /// Counts shared bytes: held ones take none away from what can be won back, nor the framework's from the program's.
  void countShared(const InexactHolding& inexact) {
    InsightLedger ledger(m_contents, inexact);
    std::ranges::stable_sort(m_found.insights, {}, [](const FoundInsight& found) {
      const Insight& insight = found.insight;
      return std::tuple(insight.meaning == InsightMeaning::Held, insight.isFramework, insight.kind);
    });
    std::vector<FoundInsight>& all = m_found.insights;
    ledger.claimInOrder(
        all.size(), [&](std::size_t i) { return std::pair(&all[i], &all[i].insight); },
        [&](std::size_t i, std::uint64_t bytes) {
          all[i].insight.sharedBytes = std::min(all[i].insight.bytes, bytes);
          all[i].insight.isInexact = inexact.isOnlyInexact(all[i]);
        });
    for (FoundInsight& found : all) {
      Insight& insight = found.insight;
      if (insight.isInexact) insight.title += ", held only by inexact stack words";
      const std::uint64_t alone = insight.bytes - insight.sharedBytes;
      if (insight.meaning == InsightMeaning::Waste) m_list.wasteBytes += alone;
      if (insight.meaning == InsightMeaning::Leak) m_list.leakBytes += alone;
      if (insight.meaning != InsightMeaning::Held && insight.isFramework) m_list.frameworkBytes += alone;
    }
  }

  const Snapshot& m_snapshot;
  const Contents& m_contents;
  const InsightOptions& m_options;
  ProgressSink* m_progress;
  std::stop_token m_stop;
  FoundInsights m_found;
  InsightList m_list;
};

/// Needs the stage Retained.
MemoryNeed needOf(const Contents& contents) {
  const Retention& retention = *contents.retention;
  const std::uint64_t graphBytes = contents.graph->file ? 0 : contents.graph->memoryBytes();
  const std::uint64_t treeBytes = retention.file ? 0 : retention.memoryBytes();
  return {.of = "Insights",
          .objects = contents.heap->index.objectCount(),
          .bytes = insightsNeedBytes(contents.heap->index.objectCount()),
          .takenBytes = graphBytes + treeBytes,
          .help = "All else is there, who holds what, too."};
}

Result<void> checkMemoryFor(const Snapshot& snapshot, const InsightOptions& options) {
  const Contents& contents = snapshot.contents();
  if (!contents.retention) return {};  // which is told of elsewhere
  return checkMemory(needOf(contents), options.memoryBytes ? options.memoryBytes : contents.memoryBytes);
}

Outcome<InsightList> searchForInsights(const Snapshot& snapshot, const InsightOptions& options, ProgressSink* progress,
                                       const std::stop_token& stop) {
  InsightSearch search(snapshot, options, progress, stop);
  {
    StageProgress preparing(progress, kActivity, 0, kInsightInputShare);
    HEAPSCAPE_TRY(const auto input, InsightInput::make(snapshot, options.minimumBytes, preparing, stop));
    HEAPSCAPE_CHECK(search.runDetectors(*input));
  }
  return search.finish();
}

}  // namespace

std::uint64_t insightsNeedBytes(std::uint64_t objects) {
  return objects * kInsightPeakBytesOfObject;
}

bool isMemoryForInsightsOf(const Snapshot& one, const Snapshot& other) {
  if (one.contents().memoryBytes && other.contents().memoryBytes) return true;
  return checkMemory(needOf(one.contents()) + needOf(other.contents()), std::nullopt).has_value();
}

std::string notLookedFor(const Snapshot& snapshot) {
  if (snapshot.isRecorded())
    return "A .gcdump file does not tell what objects hold: looked for is only what retains much.";
  if (!snapshot.hasFields()) {
    return fmt::format(
        "A Native AOT program does not tell of the fields of its types: collections, delegates, timers, async methods "
        "and padding were not looked at. With its {} beside the dump they are.",
        snapshot.contents().readers->fields.fileName());
  }
  return {};
}

void leaveOutFramework(InsightList& list) {
  std::vector<std::uint32_t> indices(list.insights.size());
  std::uint32_t left = 0;
  for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = list.insights[i].isFramework ? left : left++;
  for (InsightAction& action : list.plan.actions) {
    for (std::uint32_t& insight : action.insights) insight = indices[insight];
  }
  std::erase_if(list.insights, [](const Insight& insight) { return insight.isFramework; });
}

Outcome<InsightList> findInsights(const Snapshot& snapshot, const InsightOptions& options, ProgressSink* progress,
                                  std::stop_token stop) {
  // What is asked for every time a dump is opened is kept; everything else is seldom asked for twice.
  const bool isUsual = options.kinds.empty() && options.minimumBytes == InsightOptions().minimumBytes;
  const CachedAnswers* const cached = isUsual ? snapshot.contents().cached.get() : nullptr;
  if (const auto file = cached ? cached->find(CachedPart::Insights) : nullptr) {
    auto kept = readInsights(*file, snapshot.contents().heap->index.objectCount(), stop);
    if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    if (kept) {
      cached->noteUsed();
      StageProgress(progress, kActivity, 1, 1).report(1);
      return std::move(*kept);
    }
  }
  HEAPSCAPE_CHECK(checkMemoryFor(snapshot, options));
  const auto start = std::chrono::steady_clock::now();
  auto found = searchForInsights(snapshot, options, progress, stop);
  if (auto contents = cached && found ? contentsOf(*found) : std::nullopt) {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    cached->keepLater(CachedPart::Insights, elapsed.count(), std::move(*contents));
  }
  return found;
}

Outcome<InsightList> findInsights(const InsightInput& input, const InsightOptions& options, ProgressSink* progress,
                                  std::stop_token stop) {
  InsightSearch search(input.snapshot, options, progress, std::move(stop));
  HEAPSCAPE_CHECK(search.runDetectors(input));
  return search.finish();
}

}  // namespace heapscape::engine
