// SPDX-License-Identifier: MIT
#include "insight/action_text.h"

#include <fmt/format.h>

#include "base/figures.h"
#include "insight/insight_rows.h"

namespace heapscape::engine {
namespace {

/// What to do with many insights of a kind, each of which has a subject of its own.
const char* verbOfMany(InsightKind kind) {
  switch (kind) {
    case InsightKind::DuplicateStrings:
      return "Share equal strings";
    case InsightKind::BoxedValues:
      return "Avoid needless boxes";
    case InsightKind::EmptyArrays:
      return "Share empty arrays";
    case InsightKind::UniformArrays:
      return "Replace arrays of equal elements";
    case InsightKind::SparseArrays:
      return "Replace mostly empty arrays";
    case InsightKind::EmptyCollections:
      return "Leave out empty collections";
    case InsightKind::OversizedCollections:
      return "Trim oversized collections";
    case InsightKind::OneElementCollections:
      return "Replace collections of one item";
    case InsightKind::PaddingWaste:
      return "Reorder fields";
    case InsightKind::SmallObjects:
      return "Make structs of small objects";
    case InsightKind::SingleFieldWrappers:
      return "Make structs of objects around one field";
    case InsightKind::DelegateLeak:
      return "Unsubscribe";
    case InsightKind::TimerLeak:
      return "Stop timers";
    case InsightKind::UndisposedFinalizables:
      return "Dispose";
    case InsightKind::PendingAsync:
      return "Complete or cancel async calls";
    case InsightKind::StuckLoadContext:
      return "Let load contexts unload";
    case InsightKind::Fragmentation:
      return "Close gaps";
    default:
      return "Look at";
  }
}

std::string unsubscribe(const Insight& insight) {
  return fmt::format("Unsubscribe {} from {}", countOf(insight.objects, insight.type + " object"), insight.place);
}

std::string closeGaps(const Insight& insight) {
  const std::string gaps = fmt::format("Close {} in {}", countOf(insight.objects, "gap"), insight.place);
  return insight.type.empty() ? gaps : gaps + " between pinned " + insight.type;
}

std::string textOfOne(const Insight& insight) {
  const std::string& subject = insight.subject;
  const std::uint64_t count = insight.objects;
  switch (insight.kind) {
    case InsightKind::DuplicateStrings:
      return fmt::format("Keep one of {}", insight.title);
    case InsightKind::BoxedValues:
      return fmt::format("Avoid {}", insight.title);
    case InsightKind::EmptyArrays:
      return fmt::format("Share one instead of {}", insight.title);
    case InsightKind::UniformArrays:
    case InsightKind::SparseArrays:
    case InsightKind::OneElementCollections:
      return fmt::format("Replace {}", insight.title);
    case InsightKind::EmptyCollections:
      return fmt::format("Leave out {}", insight.title);
    case InsightKind::OversizedCollections:
      return fmt::format("Trim {} of {}", countOf(count, "collection"), subject);
    case InsightKind::PaddingWaste:
      return fmt::format("Reorder the fields of {}", subject);
    case InsightKind::SmallObjects:
    case InsightKind::SingleFieldWrappers:
      return fmt::format("Make structs of {}", insight.title);
    case InsightKind::DelegateLeak:
      return unsubscribe(insight);
    case InsightKind::TimerLeak:
      return fmt::format("Stop {} that {} {}", countOf(count, "timer"), count == 1 ? "calls" : "call", subject);
    case InsightKind::UndisposedFinalizables:
      return fmt::format("Dispose {}", countOf(count, subject + " object"));
    case InsightKind::FinalizerBehind:
      return fmt::format("Unblock the finalizer thread, {} for it",
                         countOf(count, "object") + (count == 1 ? " waits" : " wait"));
    case InsightKind::PendingAsync:
      return fmt::format("Complete or cancel {} of {}", countOf(count, "call"), subject);
    case InsightKind::StuckLoadContext:
      return fmt::format("Let {} of {} unload", countOf(count, "load context"), subject);
    case InsightKind::Fragmentation:
      return closeGaps(insight);
    default:
      return insight.title;
  }
}

}  // namespace

std::string actionText(const InsightList& list, const InsightAction& action) {
  const Insight& first = list.insights[action.insights.front()];
  if (action.insights.size() == 1) return textOfOne(first);
  std::uint64_t objects = 0;
  for (const std::uint32_t insight : action.insights) objects += list.insights[insight].objects;
  return fmt::format("{}: {}", verbOfMany(first.kind), insightGroupTitle(first.kind, action.insights.size(), objects));
}

}  // namespace heapscape::engine
