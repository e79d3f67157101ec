// SPDX-License-Identifier: MIT
#include "insight/insight_actions.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>
#include <vector>

#include "base/figures.h"
#include "insight/insight_groups.h"
#include "insight/insight_ledger.h"
#include "insight/insight_tables.h"

namespace heapscape::engine {
namespace {

/// Whether one object stays of those that are equal, and is named among them.
bool namesStaying(InsightKind kind) {
  return kind <= InsightKind::EmptyArrays;
}

/// Whether objects or storage get another size, so that two of them in one place may win more than each alone.
bool reshapes(InsightKind kind) {
  return (kind >= InsightKind::UniformArrays && kind <= InsightKind::SingleFieldWrappers) ||
         kind == InsightKind::BoxedValues;
}

bool canBeDone(const Insight& insight) {
  return insight.meaning != InsightMeaning::Held && !insight.isFramework && !insight.isInexact && insight.bytes > 0;
}

class Planner {
 public:
  Planner(const InsightList& list, std::span<const FoundInsight> found, const Contents& contents,
          const InexactHolding& inexact)
      : m_list(list), m_found(found), m_ledger(contents, inexact), m_isAllExact(inexact.objects().empty()) {}

  ActionPlan plan() {
    makeActions();
    std::ranges::stable_sort(m_plan.actions, std::greater(), &InsightAction::bytes);
    addUp();
    m_plan.isLeast = m_plan.doubtfulBytes > 0 || mayFreeMoreTogether();
    return std::move(m_plan);
  }

 private:
  const Insight& insightOf(std::uint32_t index) const { return m_list.insights[index]; }
  bool isLeak(const InsightAction& action) const {
    return insightOf(action.insights.front()).meaning == InsightMeaning::Leak;
  }

  void makeActions() {
    for (InsightRow& row : insightRows(m_list)) {
      std::erase_if(row.insights, [this](std::uint32_t index) { return !canBeDone(insightOf(index)); });
      if (row.insights.empty()) continue;
      InsightAction action{.insights = std::move(row.insights)};
      action.bytes = action.insights.size() > 1 ? bytesTogether(action) : insightOf(action.insights.front()).bytes;
      action.isLeast = isLeak(action) && action.insights.size() > 1;
      m_plan.actions.push_back(std::move(action));
    }
  }

  std::uint64_t bytesTogether(const InsightAction& action) {
    // Nothing is claimed twice among copies.
    const bool areCopies =
        std::ranges::all_of(action.insights, [&](auto index) { return m_found[index].isOfCopies(); });
    if (areCopies && m_isAllExact) {
      return std::accumulate(action.insights.begin(), action.insights.end(), std::uint64_t{0},
                             [&](std::uint64_t sum, auto index) { return sum + insightOf(index).bytes; });
    }
    m_ledger.clear();
    return claim(action);
  }

  /// Bytes that it adds to what has been claimed.
  std::uint64_t claim(const InsightAction& action) {
    std::vector<std::uint64_t> added(action.insights.size());
    m_ledger.claimInOrder(
        added.size(),
        [&](std::size_t i) { return std::pair(&m_found[action.insights[i]], &insightOf(action.insights[i])); },
        [&](std::size_t i, std::uint64_t shared) {
          const std::uint64_t bytes = insightOf(action.insights[i]).bytes;
          added[i] = bytes - std::min(bytes, shared);
        });
    return std::accumulate(added.begin(), added.end(), std::uint64_t{0});
  }

  /// Adds up bytes. For insights without claims, padding above all, only the objects around them are known. So far as
  /// others win these back, its bytes may be among theirs.
  void addUp() {
    m_ledger.clear();
    for (InsightAction& action : m_plan.actions) action.addedBytes = claim(action);
    for (InsightAction& action : m_plan.actions) {
      for (const std::uint32_t index : action.insights)
        action.doubtfulBytes += m_found[index].hasClaims() ? doubtOfStaying(index) : doubtOfUnclaimed(index);
      action.doubtfulBytes = std::min(action.doubtfulBytes, action.addedBytes);
      m_plan.bytes += action.addedBytes - action.doubtfulBytes;
      m_plan.doubtfulBytes += action.doubtfulBytes;
    }
  }

  std::uint64_t doubtOfUnclaimed(std::uint32_t index) {
    std::uint64_t claimed = 0;
    for (const std::uint32_t object : insightOf(index).ids) {
      claimed += m_ledger.claimedOf(object);
      m_ledger.claimWhole(object);
    }
    return std::min(insightOf(index).bytes, claimed);
  }

  /// The one that stays of equal objects does so even if what holds it now goes.
  std::uint64_t doubtOfStaying(std::uint32_t index) const {
    const Insight& insight = insightOf(index);
    if (!namesStaying(insight.kind)) return 0;
    if (m_found[index].copies) return m_ledger.claimedOf(m_found[index].copies->staying);
    std::vector<std::uint32_t> going;
    going.reserve(m_found[index].claims.size());
    for (const Claim& claim : m_found[index].claims) going.push_back(claim.object);
    if (!std::ranges::is_sorted(going)) std::ranges::sort(going);
    std::vector<std::uint32_t> staying;
    std::ranges::set_difference(insight.ids, going, std::back_inserter(staying));
    std::uint64_t doubtful = 0;
    for (const std::uint32_t object : staying) doubtful += m_ledger.claimedOf(object);
    return doubtful;
  }

  bool mayFreeMoreTogether() const {
    std::size_t leaks = 0, reshaped = 0;
    for (const InsightAction& action : m_plan.actions) {
      leaks += isLeak(action) ? action.insights.size() : 0;
      reshaped += reshapes(insightOf(action.insights.front()).kind) ? action.insights.size() : 0;
    }
    return leaks > 1 || reshaped > 1;
  }

  const InsightList& m_list;
  std::span<const FoundInsight> m_found;
  InsightLedger m_ledger;   // of what is looked at
  const bool m_isAllExact;  // nothing is claimed from the start
  ActionPlan m_plan;
};

}  // namespace

ActionCertainty certaintyOf(const InsightList& list, const InsightAction& action) {
  constexpr std::uint64_t kFew = 4;
  constexpr std::uint64_t kLargeBytes = 256 << 10;  // of each
  const Insight& first = list.insights[action.insights.front()];
  std::uint64_t objects = 0;
  for (const std::uint32_t insight : action.insights) objects += list.insights[insight].objects;
  switch (first.kind) {
    case InsightKind::DuplicateStrings:
    case InsightKind::BoxedValues:
    case InsightKind::EmptyArrays:
    case InsightKind::PaddingWaste:
      return ActionCertainty::Sure;
    case InsightKind::UniformArrays:
    case InsightKind::SparseArrays:
    case InsightKind::EmptyCollections:
    case InsightKind::OversizedCollections:
      return objects <= kFew && action.bytes >= objects * kLargeBytes ? ActionCertainty::ByDesign
                                                                      : ActionCertainty::Check;
    default:
      return ActionCertainty::Check;
  }
}

ActionPlan planActions(const InsightList& list, std::span<const FoundInsight> found, const Contents& contents,
                       const InexactHolding& inexact) {
  return Planner(list, found, contents, inexact).plan();
}

namespace {

std::string unsubscribe(const Insight& insight) {
  return fmt::format("Unsubscribe {} from {}", countOf(insight.objects, insight.type + " object"), insight.place);
}

std::string closeGaps(const Insight& insight) {
  // "gen2", but "the large object heap".
  const bool isNamedHeap = insight.place.find("object heap") != std::string::npos;
  const std::string gaps = fmt::format("Reduce fragmentation: {} in {}{}", countOf(insight.objects, "free object"),
                                       isNamedHeap ? "the " : "", insight.place);
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
      return fmt::format("Replace {}", insight.title);
    case InsightKind::OneElementCollections:
      return fmt::format("Replace {} by a field", insight.title);
    case InsightKind::EmptyCollections:
      return fmt::format("Do not create {}", insight.title);
    case InsightKind::OversizedCollections:
      return fmt::format("Trim {} {}", readableCount(count), subject);
    case InsightKind::PaddingWaste:
      return fmt::format("Reorder the fields of {}", subject);
    case InsightKind::SingleFieldWrappers:
      return fmt::format("Turn {} ({}, one field) into a struct", subject, countOf(count, "object"));
    case InsightKind::SmallObjects:
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
  return fmt::format("{}: {}", insightWords(first.kind).verb,
                     insightGroupTitle(first.kind, action.insights.size(), objects));
}

std::vector<TitledAction> titledActions(const InsightList& list) {
  std::vector<TitledAction> rows;
  for (const InsightAction& action : list.plan.actions) {
    const Insight& first = list.insights[action.insights.front()];
    TitledAction row{.action = action,
                     .title = actionText(list, action),
                     .kind = first.kind,
                     .meaning = first.meaning,
                     .examples = examplesOf(first)};
    for (const std::uint32_t insight : action.insights) row.objects += list.insights[insight].objects;
    rows.push_back(std::move(row));
  }
  return rows;
}

const TableOf<TitledAction>& insightActionsTable() {
  using Row = TitledAction;
  static const TableOf<Row> table = TableOf<Row>{
      "actions",
      {insightKindColumn<Row>(&Row::kind), insightMeaningColumn<Row>(&Row::meaning),
       nameWithout<Row>("title", "Fix first", "What to do, in a line.", &Row::title),
       countColumn<Row>("insights", "Insights", "How many it adds up.",
                        [](const Row& r) { return r.action.insights.size(); }),
       countColumn<Row>("objects", "Objects", "Objects that it is about.", &Row::objects),
       bytesColumn<Row>("bytes", "Saves", "What it alone would save.", [](const Row& r) { return r.action.bytes; }),
       bytesColumn<Row>("addedBytes", "Adds", "Of these, what no action before it wins back already.",
                        [](const Row& r) { return r.action.addedBytes; }),
       bytesColumn<Row>("doubtfulBytes", "Doubtful", "Of what it adds, what other actions may save as well.",
                        [](const Row& r) { return r.action.doubtfulBytes; })
           .hidingZero(),
       flagColumn<Row>("atLeast", "At least",
                       "It may save more: what only several of its leaks hold goes with all of them.",
                       [](const Row& r) { return r.action.isLeast; }),
       wordsColumn<Row>("examples", "Examples", "Addresses of the costliest objects of its first insight.",
                        &Row::examples)},
      {"bytes", "addedBytes", "doubtfulBytes", "objects",
       "title"}}.onOneLine();
  return table;
}

}  // namespace heapscape::engine
