// SPDX-License-Identifier: MIT
#include "insight/detectors/detectors.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/figures.h"
#include "base/progress.h"
#include "insight/holders.h"

namespace heapscape::engine {
namespace {

/// Names what holds much of the heap, as leak suspects of heap analysers do: from the top of the dominator tree down,
/// an object that retains more than a tenth of all that can be reached, and at least a megabyte, and the accumulation
/// point below it, where no single object holds most of it any more; and many objects of one type that only together
/// hold so much.
class Suspects : public Detector {
 public:
  std::vector<InsightKind> kinds() const override { return {InsightKind::Suspect}; }
  Outcome<void> find(const InsightInput& input, FoundInsights& found, FindingList& findings, StageProgress& progress,
                     std::stop_token stop) override;

  static constexpr double kMuch = 0.1;  // of all bytes that can be reached
  static constexpr std::uint64_t kMuchBytes = 1 << 20;
  static constexpr double kMost = 0.8;  // of what its dominator retains: the way goes on through it
};

constexpr std::size_t kShownChildren = 20;

/// Objects of one type that nothing single holds.
struct OfType {
  std::uint32_t type = TypeId::kNone;
  std::vector<std::uint32_t> objects;
  std::uint64_t bytes = 0;
};

/// The type that retains most of what one object holds directly.
struct MostHeld {
  std::uint32_t type = TypeId::kNone;
  std::uint64_t objects = 0, bytes = 0;
  std::vector<std::uint32_t> largest;  // of these objects, at most kShownChildren
};

class SuspectFinder {
 public:
  SuspectFinder(const InsightInput& input, std::stop_token stop)
      : m_input(input), m_heap(input), m_holders(input, m_heap), m_stop(std::move(stop)) {
    const auto share = static_cast<std::uint64_t>(Suspects::kMuch * static_cast<double>(m_heap.sizes().bytes[0]));
    m_much = std::max(share, Suspects::kMuchBytes);
  }

  Outcome<void> find(FoundInsights& found) {
    std::vector<std::uint32_t> large;
    std::map<std::uint32_t, OfType> others;
    const std::uint32_t end = m_heap.tree().reachedCount() + 1;
    std::uint32_t steps = 0;
    for (std::uint32_t number = 1; number < end;) {
      if (++steps % kStopInterval == 0 && m_stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
      if (!isObject(number)) {
        ++number;  // a root or a group of roots: what it holds follows
        continue;
      }
      if (bytesOf(number) > m_much)
        large.push_back(number);
      else
        addTo(others, number);
      number += m_heap.sizes().objects[number];
    }
    while (!large.empty()) {
      const std::uint32_t number = large.back();
      large.pop_back();
      HEAPSCAPE_CHECK(judge(number, large, found));
    }
    for (const auto& [type, group] : others) {
      if (group.bytes > m_much) describe(group, found);
    }
    return {};
  }

 private:
  bool isObject(std::uint32_t number) const { return m_heap.tree().isObject(m_heap.tree().vertexOf(number)); }
  std::uint32_t objectOf(std::uint32_t number) const { return m_heap.tree().vertexOf(number); }
  std::uint32_t typeOf(std::uint32_t number) const { return m_heap.typeOf(objectOf(number)).value; }
  std::uint64_t bytesOf(std::uint32_t number) const { return m_heap.sizes().bytes[number]; }

  void addTo(std::map<std::uint32_t, OfType>& groups, std::uint32_t number) const {
    OfType& group = groups[typeOf(number)];
    group.type = typeOf(number);
    group.objects.push_back(objectOf(number));
    group.bytes += bytesOf(number);
  }

  template <class Visit>
  void forEachChild(std::uint32_t number, Visit visit) const {
    const std::uint32_t end = number + m_heap.sizes().objects[number];
    for (std::uint32_t child = number + 1; child < end; child += m_heap.sizes().objects[child]) visit(child);
  }

  std::uint32_t largestChild(std::uint32_t number) const {
    std::uint32_t largest = 0;
    forEachChild(number, [&](std::uint32_t child) {
      if (!largest || bytesOf(child) > bytesOf(largest)) largest = child;
    });
    return largest;
  }

  /// Where the way down ends: at the object below which nothing single holds most of it, or at the first of a chain of
  /// objects that hold one another, as the nodes of a list do.
  std::uint32_t accumulationPoint(std::uint32_t number) const {
    std::map<std::uint32_t, std::uint32_t> firstOfType{{typeOf(number), number}};
    for (std::uint32_t steps = 0;; ++steps) {
      const std::uint32_t child = largestChild(number);
      if (!child || static_cast<double>(bytesOf(child)) < Suspects::kMost * static_cast<double>(bytesOf(number)))
        return number;
      const auto [first, isNew] = firstOfType.try_emplace(typeOf(child), child);
      const bool isChain = !isNew && (typeOf(number) == typeOf(child) || !m_heap.isFramework(objectOf(child)));
      if (isChain) return first->second;
      number = child;
    }
  }

  /// Describes a large object, or leaves it to the large ones below it if these are most of it.
  Outcome<void> judge(std::uint32_t number, std::vector<std::uint32_t>& large, FoundInsights& found) {
    const std::uint32_t point = accumulationPoint(number);
    std::vector<std::uint32_t> below;
    std::uint64_t bytes = 0;
    bool isTree = false;  // of nodes of one type: its branches are no things of their own
    forEachChild(point, [&](std::uint32_t child) {
      if (bytesOf(child) <= m_much) return;
      below.push_back(child);
      bytes += bytesOf(child);
      isTree |= typeOf(child) == typeOf(point);
    });
    if (bytes * 2 > bytesOf(point) && below.size() > 1 && !isTree) {
      large.insert(large.end(), below.begin(), below.end());
      return {};
    }
    HEAPSCAPE_TRY(FoundInsight insight, describe(number, point));
    found.insights.push_back(std::move(insight));
    return {};
  }

  Outcome<FoundInsight> describe(std::uint32_t number, std::uint32_t point) {
    const std::uint32_t object = objectOf(number);
    HEAPSCAPE_TRY(const std::string name, nameOf(object));
    const MostHeld most = mostBelow(point);
    FoundInsight found;
    found.dominating = {object};
    Insight& insight = found.insight;
    insight.kind = InsightKind::Suspect;
    insight.meaning = InsightMeaning::Held;
    insight.bytes = bytesOf(number);
    insight.objects = 1;
    insight.ids = {object};
    insight.subject = name;
    insight.title = fmt::format("{} holds {}% of what is live", name, percentOf(insight.bytes, bytesOf(0)));
    if (most.objects > 1) insight.title += fmt::format(", {}", countOf(most.objects, typeName(most.type) + " object"));
    // A context of EF Core tracks whatever was read through it; its models and caches are meant to stay.
    constexpr std::string_view kTracking = "Microsoft.EntityFrameworkCore.ChangeTracking.";
    const bool isContext =
        m_heap.typeRowOf(object).name.starts_with(kTracking) || typeName(most.type).starts_with(kTracking);
    insight.advice =
        isContext ? "This DbContext tracks what it has read as long as it lives. Create one per unit of work, read "
                    "with AsNoTracking, or call ChangeTracker.Clear()."
                  : "Look whether all of it is still needed. If not, remove entries you no longer need, or cap "
                    "the size.";
    insight.methodTable = m_heap.typeRowOf(object).methodTable;
    insight.isFramework = m_input.ownership.isHeldByFramework(object) && !holdsOwn(number);
    insight.owners = m_input.ownership.ownersOf(std::vector<Ownership::Share>{{object, insight.bytes}});
    addPoint(point, most, insight);
    HEAPSCAPE_TRY(insight.path, m_holders.pathTo(objectOf(point), m_stop));
    return found;
  }

  /// Whether an object is of the program's own types, or anything that it retains.
  bool holdsOwn(std::uint32_t number) const {
    const std::uint32_t end = number + m_heap.sizes().objects[number];
    for (; number < end; ++number) {
      if (!m_heap.isFramework(objectOf(number))) return true;
    }
    return false;
  }

  /// The static or field that holds it, or its type where that says more.
  Outcome<std::string> nameOf(std::uint32_t object) {
    HEAPSCAPE_TRY(const auto place, m_holders.placeOf(object, m_stop));
    const bool isField = place && place->holder != HeapObjects::kNone && !m_heap.isFramework(place->holder);
    return place && (place->isStatic || isField) ? place->name : m_heap.typeNameOf(object);
  }

  MostHeld mostBelow(std::uint32_t point) const {
    std::map<std::uint32_t, MostHeld> groups;
    MostHeld* group = nullptr;
    forEachChild(point, [&](std::uint32_t child) {
      const std::uint32_t type = typeOf(child);
      if (!group || group->type != type) group = &groups[type];
      group->type = type;
      ++group->objects;
      group->bytes += bytesOf(child);
    });
    MostHeld most;
    for (auto& [type, each] : groups) {
      if (each.bytes > most.bytes) most = std::move(each);
    }
    forEachChild(point, [&](std::uint32_t child) {
      if (most.objects && typeOf(child) == most.type) keepLargest(most.largest, objectOf(child));
    });
    std::ranges::sort(most.largest, [this](std::uint32_t a, std::uint32_t b) { return isLarger(a, b); });
    return most;
  }

  bool isLarger(std::uint32_t a, std::uint32_t b) const {
    const std::uint64_t bytesOfA = m_heap.retainedBytesOf(a), bytesOfB = m_heap.retainedBytesOf(b);
    return bytesOfA != bytesOfB ? bytesOfA > bytesOfB : a < b;
  }

  /// `largest` is a heap whose top is the smallest.
  void keepLargest(std::vector<std::uint32_t>& largest, std::uint32_t object) const {
    const auto isMore = [this](std::uint32_t a, std::uint32_t b) { return isLarger(a, b); };
    if (largest.size() == kShownChildren) {
      if (!isLarger(object, largest.front())) return;
      std::ranges::pop_heap(largest, isMore);
      largest.pop_back();
    }
    largest.push_back(object);
    std::ranges::push_heap(largest, isMore);
  }

  void addPoint(std::uint32_t point, const MostHeld& most, Insight& insight) const {
    const std::uint32_t object = objectOf(point);
    insight.facts.push_back(
        {"Accumulates in", fmt::format("{} at {}", m_heap.typeNameOf(object), toString(m_heap.addressOf(object)))});
    insight.facts.push_back({"Objects held", readableCount(m_heap.sizes().objects[m_heap.tree().numberOf(object)])});
    if (most.objects) {
      insight.facts.push_back(
          {"Of these most are in",
           fmt::format("{}, {}", countOf(most.objects, typeName(most.type) + " object"), sizeText(most.bytes))});
    }
    insight.items.push_back({m_heap.addressOf(object), bytesOf(point), "accumulation point"});
    for (const std::uint32_t child : most.largest)
      insight.items.push_back({m_heap.addressOf(child), m_heap.retainedBytesOf(child), typeName(most.type)});
  }

  std::string typeName(std::uint32_t type) const {
    const std::vector<TypeRow>& types = *m_heap.contents().types;
    return type < types.size() ? types[type].name : "unknown";
  }

  void describe(const OfType& group, FoundInsights& all) const {
    FoundInsight found;
    found.dominating = group.objects;
    Insight& insight = found.insight;
    insight.kind = InsightKind::Suspect;
    insight.meaning = InsightMeaning::Held;
    insight.bytes = group.bytes;
    insight.objects = group.objects.size();
    insight.subject = typeName(group.type);
    insight.title =
        fmt::format("{} hold {}% of what is live together", countOf(group.objects.size(), insight.subject + " object"),
                    percentOf(group.bytes, bytesOf(0)));
    insight.advice = "No single object holds them: look at the roots and collections that share them.";
    insight.isFramework = std::ranges::none_of(
        group.objects, [this](std::uint32_t object) { return holdsOwn(m_heap.tree().numberOf(object)); });
    std::vector<Ownership::Share> shares;
    for (const std::uint32_t object : group.objects) {
      shares.push_back({object, m_heap.retainedBytesOf(object)});
    }
    insight.methodTable = m_heap.typeRowOf(group.objects.front()).methodTable;
    insight.owners = m_input.ownership.ownersOf(shares);
    insight.ids = group.objects;
    std::ranges::sort(insight.ids);
    const std::size_t shown = std::min(insight.ids.size(), Insight::kMaximumItems);
    std::vector<std::uint32_t> costliest(shown);
    std::ranges::partial_sort_copy(insight.ids, costliest,
                                   [this](std::uint32_t a, std::uint32_t b) { return isLarger(a, b); });
    for (const std::uint32_t object : costliest)
      insight.items.push_back({m_heap.addressOf(object), m_heap.retainedBytesOf(object), insight.subject});
    all.insights.push_back(std::move(found));
  }

  const InsightInput& m_input;
  HeapObjects m_heap;
  Holders m_holders;
  std::stop_token m_stop;
  std::uint64_t m_much = 0;
};

}  // namespace

Outcome<void> Suspects::find(const InsightInput& input, FoundInsights& found, FindingList&, StageProgress& progress,
                             std::stop_token stop) {
  HEAPSCAPE_CHECK(SuspectFinder(input, std::move(stop)).find(found));
  progress.report(1);
  return {};
}

std::unique_ptr<Detector> makeSuspects() {
  return std::make_unique<Suspects>();
}

}  // namespace heapscape::engine
