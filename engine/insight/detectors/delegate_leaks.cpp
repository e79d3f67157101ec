// SPDX-License-Identifier: MIT
#include "insight/detectors/detectors.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/figures.h"
#include "insight/detectors/subscriptions.h"

namespace heapscape::engine {
namespace {

/// Finds objects that only a callback still keeps: they subscribed to something that lives longer, and never left. One
/// insight for each publisher (an event, a cancellation token, a collection of delegates) and type of target. A target
/// counts if every path from a root to it leads through the group's callbacks; the bytes are all that would be freed
/// without these.
class DelegateLeaks : public Detector {
 public:
  std::vector<InsightKind> kinds() const override { return {InsightKind::DelegateLeak}; }
  Outcome<void> find(const InsightInput& input, FoundInsights& found, FindingList& findings, StageProgress& progress,
                     std::stop_token stop) override;

  static constexpr std::size_t kManyOfFramework = 1000;  // operations of its own that a token could cancel
};

constexpr std::string_view kLinkedToken = "System.Threading.CancellationTokenSource+Linked";

const char* adviceOf(const SubscriptionGroup& group) {
  switch (group.form) {
    case PublisherForm::Event:
      return "Unsubscribe when the object is done with (-= in Dispose), or let the event hold its subscribers weakly.";
    case PublisherForm::Token:
      return "Dispose of the registration, or of the linked CancellationTokenSource, as soon as the operation ends: a "
             "token that lives long holds all that was registered with it.";
    case PublisherForm::Collection:
      return "Remove the delegate when its object is done with, or hold the object weakly.";
  }
  return "";
}

class LeakFinder {
 public:
  LeakFinder(const InsightInput& input, std::stop_token stop)
      : m_heap(input),
        m_delegates(m_heap),
        m_holders(input, m_heap),
        m_subscriptions(input, m_heap, m_delegates, m_holders, stop),
        m_roots(m_heap.rootObjects()),
        m_parts(m_heap.partsFinder(m_roots)),
        m_stop(std::move(stop)) {}

  Outcome<void> find(FoundInsights& found) {
    HEAPSCAPE_TRY(const auto groups, m_subscriptions.find());
    for (const SubscriptionGroup& group : groups) HEAPSCAPE_CHECK(judge(group, found));
    return {};
  }

 private:
  using Subscribed = std::vector<Subscription>;

  Outcome<void> judge(const SubscriptionGroup& group, FoundInsights& found) {
    HEAPSCAPE_TRY(RetainedParts parts, partsOf(group, group.subscribed, group.lists));
    Subscribed leaking;
    for (const Subscription& one : group.subscribed) {
      if (parts.contains(m_heap.tree(), m_heap.sizes(), one.target)) leaking.push_back(one);
    }
    // Where others stay subscribed for good reason, only those that leak are let go, and the list remains.
    if (leaking.size() < group.subscribed.size()) {
      HEAPSCAPE_TRY(parts, partsOf(group, leaking, {}));
    }
    if (targetsOf(leaking).size() < leastOf(group)) return {};
    HEAPSCAPE_TRY(FoundInsight insight, describe(group, leaking, parts));
    found.insights.push_back(std::move(insight));
    return {};
  }

  /// The framework has many operations under way that a token could cancel.
  std::size_t leastOf(const SubscriptionGroup& group) const {
    if (group.form == PublisherForm::Token && isFrameworks(group)) return DelegateLeaks::kManyOfFramework;
    return group.form == PublisherForm::Collection ? SubscriptionFinder::kManyCollected
                                                   : SubscriptionFinder::kManyTargets;
  }

  /// Whoever links a token has to dispose of what links it.
  bool isFrameworks(const SubscriptionGroup& group) const {
    const std::uint32_t target = group.subscribed.front().target;
    return m_heap.isFramework(target) && !m_heap.typeNameOf(target).starts_with(kLinkedToken);
  }

  Outcome<RetainedParts> partsOf(const SubscriptionGroup& group, const Subscribed& subscribed,
                                 const std::vector<std::uint32_t>& lists) {
    std::vector<std::uint32_t> members = lists;
    for (const Subscription& one : subscribed) members.push_back(one.keeper);
    RetainedPartsQuestion question{.members = members};
    std::vector<std::uint32_t> kept;
    if (group.form == PublisherForm::Token) {
      // The other nodes are linked with these; and who holds a registration can still dispose of it.
      kept = othersThan(members, group);
      question.kept = kept;
      question.isLettingGo = [this](std::uint32_t holder, std::uint32_t) {
        return holder != kNone && m_subscriptions.isTokens(holder);
      };
    }
    auto parts = m_parts.without(question, m_stop);
    if (!parts) return tl::unexpected(Unfinished::cancelled());
    return std::move(*parts);
  }

  /// Nodes at the group's tokens that stay.
  std::vector<std::uint32_t> othersThan(std::vector<std::uint32_t> members, const SubscriptionGroup& group) {
    std::ranges::sort(members);
    std::vector<std::uint32_t> others;
    for (const std::uint32_t registrations : group.registrations) {
      for (const std::uint32_t node : m_subscriptions.nodesOf(registrations)) {
        if (!std::ranges::binary_search(members, node)) others.push_back(node);
      }
    }
    return others;
  }

  static std::vector<std::uint32_t> targetsOf(const Subscribed& subscribed) {
    std::vector<std::uint32_t> targets;
    for (const Subscription& one : subscribed) targets.push_back(one.target);
    std::ranges::sort(targets);
    targets.erase(std::ranges::unique(targets).begin(), targets.end());
    return targets;
  }

  Outcome<FoundInsight> describe(const SubscriptionGroup& group, const Subscribed& leaking,
                                 const RetainedParts& parts) {
    const std::vector<std::uint32_t> targets = targetsOf(leaking);
    const Subscription& first = leaking.front();
    const TypeRow& type = m_heap.typeRowOf(targets.front());
    FoundInsight found;
    Insight& insight = found.insight;
    insight.kind = InsightKind::DelegateLeak;
    const bool isHeld = group.isKeyed || isFrameworks(group) || isHeldByStacksAlone(m_heap, first.keeper);
    insight.meaning = isHeld ? InsightMeaning::Held : InsightMeaning::Leak;
    insight.title = fmt::format("{} live only because of {}{}", countOf(targets.size(), type.name + " object"),
                                group.form == PublisherForm::Token ? "what is registered with " : "", group.place);
    insight.place = group.place;
    insight.type = type.name;
    insight.subject = fmt::format("{} → {}", group.place, type.name);
    insight.advice = adviceOf(group);
    insight.methodTable = type.methodTable;
    insight.isFramework = isFrameworks(group);
    insight.objects = targets.size();
    insight.ids = targets;
    addParts(m_heap, parts, found);
    addItems(leaking, insight);
    insight.facts.push_back({group.form == PublisherForm::Event ? "Event" : "Held by", group.place});
    insight.facts.push_back({"Method", m_delegates.methodOf(first.callback)});
    addOwner(group, insight);
    HEAPSCAPE_TRY(insight.path, pathTo(group, first));
    return found;
  }

  /// At a token the nodes are linked with each other, so that the shortest way would lead through any of them.
  Outcome<std::vector<std::string>> pathTo(const SubscriptionGroup& group, const Subscription& one) {
    if (group.form != PublisherForm::Token) return m_holders.pathTo(one.keeper, m_stop);
    const std::uint32_t source = m_heap.reference(group.registrations.front(), "Source");
    HEAPSCAPE_TRY(auto path, m_holders.pathTo(source, m_stop));
    path.push_back("registered: " + m_heap.typeNameOf(one.target));
    return path;
  }

  /// What goes with one alone. A token's node also holds those behind it.
  std::uint64_t bytesOf(const Subscription& one) const {
    if (one.keeper == one.callback) return m_heap.retainedBytesOf(one.keeper);
    const bool isOwnCallback = m_heap.dominates(one.keeper, one.callback);
    return m_heap.graph().bytesOf(one.keeper) + m_heap.retainedBytesOf(isOwnCallback ? one.callback : one.target);
  }

  void addItems(const Subscribed& leaking, Insight& insight) const {
    std::map<std::uint32_t, Subscription> byTarget;  // the first one
    for (const Subscription& one : leaking) byTarget.try_emplace(one.target, one);
    for (const auto& [target, one] : byTarget) insight.items.push_back({m_heap.addressOf(target), bytesOf(one)});
    keepCostliest(insight.items);
    for (InsightItem& item : insight.items) {
      const auto one = byTarget.find(m_heap.objectAt(item.object));
      if (one != byTarget.end()) item.text = m_delegates.methodOf(one->second.callback);
    }
  }

  void addOwner(const SubscriptionGroup& group, Insight& insight) const {
    InsightOwner owner;
    owner.kind = InsightOwner::Kind::Static;
    owner.name = group.place;
    owner.objects = insight.objects;
    owner.bytes = insight.bytes;
    if (group.publisher != HeapObjects::kNone) {
      const TypeRow& type = m_heap.typeRowOf(group.publisher);
      owner.kind = InsightOwner::Kind::Object;
      owner.name = type.name;
      owner.object = m_heap.addressOf(group.publisher);
      owner.methodTable = type.methodTable;
    } else if (!group.place.starts_with("static ")) {
      owner.kind = InsightOwner::Kind::Other;
    }
    insight.owners.push_back(std::move(owner));
  }

  HeapObjects m_heap;
  Delegates m_delegates;
  Holders m_holders;
  SubscriptionFinder m_subscriptions;
  std::vector<std::uint32_t> m_roots;
  RetainedPartsFinder m_parts;
  std::stop_token m_stop;
};

}  // namespace

Outcome<void> DelegateLeaks::find(const InsightInput& input, FoundInsights& found, FindingList&,
                                  StageProgress& progress, std::stop_token stop) {
  HEAPSCAPE_CHECK(LeakFinder(input, std::move(stop)).find(found));
  progress.report(1);
  return {};
}

std::unique_ptr<Detector> makeDelegateLeaks() {
  return std::make_unique<DelegateLeaks>();
}

}  // namespace heapscape::engine
