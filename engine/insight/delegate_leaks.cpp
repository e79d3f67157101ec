// SPDX-License-Identifier: MIT
#include "insight/delegate_leaks.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/count_text.h"
#include "insight/delegates.h"
#include "insight/holders.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kStopInterval = 4096;

/// Whose class the compiler made for lambdas that capture nothing: there is one object of it for all times.
bool isSharedLambdas(std::string_view typeName) {
  const std::size_t last = typeName.rfind("+<>c");
  if (last == std::string_view::npos) return false;
  const std::string_view rest = typeName.substr(last + 4);
  return rest.empty() || rest.front() == '<';
}

/// Subscriptions of one type at one event.
struct Subscriptions {
  std::uint32_t publisher = HeapObjects::kNone;  // the object whose field the event is; none for a static
  std::vector<std::uint32_t> events;             // multicast delegates that call nothing but these
  std::vector<std::uint32_t> subscribed;         // the delegates that they call
};
using Groups = std::map<std::pair<std::string, std::uint32_t>, Subscriptions>;  // by event and TypeId of the target

class LeakFinder {
 public:
  LeakFinder(const InsightInput& input, std::stop_token stop)
      : m_input(input),
        m_heap(input),
        m_delegates(m_heap),
        m_holders(input, m_heap),
        m_roots(m_heap.rootObjects()),
        m_parts(m_heap.partsFinder(m_roots)),
        m_stop(std::move(stop)) {}

  Outcome<void> find(FoundInsights& found) {
    HEAPSCAPE_TRY(const Groups groups, subscriptions());
    for (const auto& [key, group] : groups) HEAPSCAPE_CHECK(judge(key.first, group, found));
    return {};
  }

 private:
  Outcome<Groups> subscriptions() {
    Groups groups;
    std::size_t steps = 0;
    for (const std::uint32_t delegate : m_input.objectsOf(m_delegates.types())) {
      if (++steps % kStopInterval == 0 && m_stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
      const InvocationList list = m_delegates.listOf(delegate, DelegateLeaks::kManyTargets);
      if (list.called.empty()) continue;
      std::map<std::uint32_t, std::vector<std::uint32_t>> byType;
      for (const std::uint32_t called : list.called) byType[typeOfTarget(called)].push_back(called);
      if (std::ranges::none_of(byType, isMany)) continue;
      HEAPSCAPE_TRY(const auto place, m_holders.placeOf(delegate, m_stop));
      if (place) addTo(groups, list, byType, *place);
    }
    return groups;
  }

  std::uint32_t typeOfTarget(std::uint32_t delegate) const {
    const std::uint32_t target = m_delegates.targetOf(delegate);
    return target == HeapObjects::kNone ? TypeId::kNone : m_heap.typeOf(target).value;
  }

  static bool isMany(const std::pair<const std::uint32_t, std::vector<std::uint32_t>>& ofType) {
    return ofType.first != TypeId::kNone && ofType.second.size() >= DelegateLeaks::kManyTargets;
  }

  void addTo(Groups& groups, const InvocationList& list,
             const std::map<std::uint32_t, std::vector<std::uint32_t>>& byType, const HoldingPlace& place) const {
    for (const auto& ofType : byType) {
      if (!isMany(ofType) || isSharedLambdas((*m_input.contents.types)[ofType.first].name)) continue;
      Subscriptions& group = groups[{place.name, ofType.first}];
      if (group.subscribed.empty()) group.publisher = place.holder;
      if (byType.size() == 1) group.events.push_back(list.delegate);
      group.subscribed.insert(group.subscribed.end(), ofType.second.begin(), ofType.second.end());
    }
  }

  Outcome<RetainedParts> partsOf(const std::vector<std::uint32_t>& members) {
    auto parts = m_parts.without({.members = members}, m_stop);
    if (!parts) return tl::unexpected(Unfinished::cancelled());
    return std::move(*parts);
  }

  Outcome<void> judge(const std::string& event, const Subscriptions& group, FoundInsights& found) {
    std::vector<std::uint32_t> members = group.events;
    members.insert(members.end(), group.subscribed.begin(), group.subscribed.end());
    HEAPSCAPE_TRY(RetainedParts parts, partsOf(members));
    const std::vector<std::uint32_t> leaking = leakingOf(group, parts);
    // Where others stay subscribed for good reason, only those that leak are let go, and the list remains.
    if (leaking.size() < group.subscribed.size()) {
      HEAPSCAPE_TRY(parts, partsOf(leaking));
    }
    if (targetsOf(leaking).size() >= DelegateLeaks::kManyTargets) {
      HEAPSCAPE_TRY(FoundInsight insight, describe(event, group, leaking, parts));
      found.insights.push_back(std::move(insight));
    }
    return {};
  }

  std::vector<std::uint32_t> leakingOf(const Subscriptions& group, const RetainedParts& parts) const {
    std::vector<std::uint32_t> leaking;
    for (const std::uint32_t delegate : group.subscribed) {
      if (parts.contains(m_heap.tree(), m_heap.sizes(), m_delegates.targetOf(delegate))) leaking.push_back(delegate);
    }
    return leaking;
  }

  std::vector<std::uint32_t> targetsOf(const std::vector<std::uint32_t>& delegates) const {
    std::vector<std::uint32_t> targets;
    for (const std::uint32_t delegate : delegates) targets.push_back(m_delegates.targetOf(delegate));
    std::ranges::sort(targets);
    targets.erase(std::ranges::unique(targets).begin(), targets.end());
    return targets;
  }

  Outcome<FoundInsight> describe(const std::string& event, const Subscriptions& group,
                                 const std::vector<std::uint32_t>& leaking, const RetainedParts& parts) {
    const std::vector<std::uint32_t> targets = targetsOf(leaking);
    const TypeRow& type = m_heap.typeRowOf(targets.front());
    const bool isLasting = !isHeldByStacksAlone(m_heap, leaking.front());
    FoundInsight found;
    Insight& insight = found.insight;
    insight.kind = InsightKind::DelegateLeak;
    insight.meaning = isLasting ? InsightMeaning::Leak : InsightMeaning::Held;
    insight.title = fmt::format("{} {} only because of {}", countOf(targets.size(), type.name + " object"),
                                targets.size() == 1 ? "lives" : "live", event);
    insight.subject = fmt::format("{} → {}", event, type.name);
    insight.advice =
        "Unsubscribe when the object is done with (-= in Dispose), or let the event hold its subscribers weakly.";
    insight.methodTable = type.methodTable;
    insight.isFramework = m_heap.isFramework(targets.front());
    insight.objects = targets.size();
    addParts(m_heap, parts, found);
    addItems(leaking, insight);
    insight.facts.push_back({"Event", event});
    insight.facts.push_back({"Method", m_delegates.methodOf(leaking.front())});
    addOwner(event, group, insight);
    HEAPSCAPE_TRY(insight.path, m_holders.pathTo(leaking.front(), m_stop));
    return found;
  }

  void addItems(const std::vector<std::uint32_t>& leaking, Insight& insight) const {
    std::map<std::uint32_t, std::uint32_t> byTarget;  // the first delegate
    for (const std::uint32_t delegate : leaking) byTarget.try_emplace(m_delegates.targetOf(delegate), delegate);
    for (const auto& [target, delegate] : byTarget)
      insight.items.push_back({m_heap.addressOf(target), m_heap.retainedBytesOf(delegate)});
    keepCostliest(insight.items);
    for (InsightItem& item : insight.items) {
      const auto delegate = byTarget.find(m_heap.objectAt(item.object));
      if (delegate != byTarget.end()) item.text = m_delegates.methodOf(delegate->second);
    }
  }

  void addOwner(const std::string& event, const Subscriptions& group, Insight& insight) const {
    InsightOwner owner;
    owner.kind = InsightOwner::Kind::Static;
    owner.name = event;
    owner.objects = insight.objects;
    owner.bytes = insight.bytes;
    if (group.publisher != HeapObjects::kNone) {
      const TypeRow& type = m_heap.typeRowOf(group.publisher);
      owner.kind = InsightOwner::Kind::Object;
      owner.name = type.name;
      owner.object = m_heap.addressOf(group.publisher);
      owner.methodTable = type.methodTable;
    } else if (!event.starts_with("static ")) {
      owner.kind = InsightOwner::Kind::Other;
    }
    insight.owners.push_back(std::move(owner));
  }

  const InsightInput& m_input;
  HeapObjects m_heap;
  Delegates m_delegates;
  Holders m_holders;
  std::vector<std::uint32_t> m_roots;
  RetainedPartsFinder m_parts;
  std::stop_token m_stop;
};

}  // namespace

Outcome<void> DelegateLeaks::find(const InsightInput& input, FoundInsights& found, FindingList&,
                                  StageProgress& progress, std::stop_token stop) const {
  HEAPSCAPE_CHECK(LeakFinder(input, std::move(stop)).find(found));
  progress.report(1);
  return {};
}

}  // namespace heapscape::engine
