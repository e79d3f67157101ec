// SPDX-License-Identifier: MIT
#include "insight/detectors/detectors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "base/figures.h"
#include "base/progress.h"
#include "insight/detectors/delegates.h"
#include "insight/holders.h"

namespace heapscape::engine {
namespace {

// Kind of what calls back.
enum class PublisherForm : std::uint8_t {
  Event,       // a delegate that calls several
  Token,       // a CancellationTokenSource with what was registered at its token
  Collection,  // a collection or array of delegates
};

// One that is to be called.
struct Subscription {
  std::uint32_t keeper = 0;  // ObjectId of what would have to go: its delegate, or the token's node for it
  std::uint32_t target = 0;  // what the method is called on, or is given
  std::uint32_t callback = HeapObjects::kNone;  // the delegate
};

// Subscriptions of targets of one type at one place.
struct SubscriptionGroup {
  PublisherForm form = PublisherForm::Event;
  std::string place;                             // "static Shop.Bus.OrderPlaced", "Shop.Window.Closed"
  std::uint32_t publisher = HeapObjects::kNone;  // the object whose field that is; none for a static
  bool isKeyed = false;                          // a collection finds its delegates by keys
  std::vector<std::uint32_t> lists;              // multicast delegates that call nothing but these
  std::vector<std::uint32_t> registrations;      // of a token: the objects that its nodes belong to
  std::vector<Subscription> subscribed;
};

// Finds callbacks that may keep their targets alive: at each publisher those with enough targets of one type. Closures
// are targets; static methods and lambdas that capture nothing have none.
class SubscriptionFinder {
 public:
  SubscriptionFinder(const InsightInput& input, HeapObjects& heap, const Delegates& delegates, Holders& holders,
                     std::stop_token stop);

  // By place and type.
  Outcome<std::vector<SubscriptionGroup>> find();
  // The nodes of a token that still have something to call. Known after find().
  std::vector<std::uint32_t> nodesOf(std::uint32_t registrations) const;
  bool isTokens(std::uint32_t object) const;

  static constexpr std::size_t kManyTargets = 10;    // at one event or token; fewer are what these are for
  static constexpr std::size_t kManyCollected = 20;  // in a collection: some are tables of what to do

 private:
  // One in a collection, or at a token.
  struct Entry {
    std::uint32_t publisher = 0;  // the outermost object of the collection; what a token's nodes belong to
    std::uint32_t type = 0;       // TypeId of the target
    Subscription subscription = {};
  };
  using Run = std::span<const Entry>;  // of one publisher and type

  void readDelegate(std::uint32_t delegate);
  void readNode(std::uint32_t node);
  Outcome<void> addEvents();
  Outcome<void> addTokens();
  Outcome<void> addCollections();
  // Sorts, and adds what has enough targets of a type.
  template <class AddRun>
  Outcome<void> addRuns(std::vector<Entry>& entries, std::size_t minimum, AddRun addRun);
  SubscriptionGroup& add(PublisherForm form, const HoldingPlace& place, Run run);
  Outcome<std::optional<HoldingPlace>> placeOfEvent(std::uint32_t delegate);

  bool isTarget(std::uint32_t object);
  bool isKeptBy(std::uint32_t holder, std::uint32_t delegate);
  bool isKeyed(std::uint32_t delegate) const;
  std::uint32_t holderOf(std::uint32_t object) const;
  std::uint32_t collectionAbove(std::uint32_t object) const;

  const InsightInput& m_input;
  HeapObjects& m_heap;
  const Delegates& m_delegates;
  Holders& m_holders;
  std::stop_token m_stop;
  std::vector<TypeId> m_nodeTypes, m_registrationTypes;
  std::vector<InvocationList> m_events;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> m_nodes;  // with what they belong to first; sorted
  std::vector<Entry> m_registered, m_collected;
  std::unordered_map<std::uint32_t, bool> m_isTarget;                  // by TypeId
  std::map<std::pair<std::uint32_t, std::uint32_t>, bool> m_isKeptBy;  // by TypeIds of holder and delegate
  std::map<std::tuple<PublisherForm, std::string, std::uint32_t>, SubscriptionGroup> m_groups;  // by place and TypeId
};

constexpr std::string_view kNodeOfHandlerList = "System.ComponentModel.EventHandlerList+ListEntry";
constexpr std::string_view kInvocationList = "System.Delegate+Wrapper[]";  // since .NET 11; before it of objects
constexpr std::size_t kLongestClimb = 64;  // from a delegate to the outermost object of its collection

SubscriptionFinder::SubscriptionFinder(const InsightInput& input, HeapObjects& heap, const Delegates& delegates,
                                       Holders& holders, std::stop_token stop)
    : m_input(input),
      m_heap(heap),
      m_delegates(delegates),
      m_holders(holders),
      m_stop(std::move(stop)),
      m_nodeTypes(heap.typesNamed("System.Threading.CancellationTokenSource+CallbackNode")),
      m_registrationTypes(heap.typesNamed("System.Threading.CancellationTokenSource+Registrations")) {}

Outcome<std::vector<SubscriptionGroup>> SubscriptionFinder::find() {
  std::vector<TypeId> types = m_delegates.types();
  types.insert(types.end(), m_nodeTypes.begin(), m_nodeTypes.end());
  std::size_t steps = 0;
  for (const std::uint32_t object : m_input.objectsOf(types)) {
    if (++steps % kStopInterval == 0 && m_stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    if (std::ranges::count(m_nodeTypes, m_heap.typeOf(object)))
      readNode(object);
    else
      readDelegate(object);
  }
  std::ranges::sort(m_nodes);
  HEAPSCAPE_CHECK(addEvents());
  HEAPSCAPE_CHECK(addTokens());
  HEAPSCAPE_CHECK(addCollections());
  std::vector<SubscriptionGroup> groups;
  for (auto& [key, group] : m_groups) groups.push_back(std::move(group));
  return groups;
}

std::vector<std::uint32_t> SubscriptionFinder::nodesOf(std::uint32_t registrations) const {
  std::vector<std::uint32_t> nodes;
  for (const auto& [of, node] :
       std::ranges::equal_range(m_nodes, registrations, {}, &decltype(m_nodes)::value_type::first))
    nodes.push_back(node);
  return nodes;
}

bool SubscriptionFinder::isTokens(std::uint32_t object) const {
  const TypeId type = m_heap.typeOf(object);
  return std::ranges::count(m_nodeTypes, type) || std::ranges::count(m_registrationTypes, type);
}

void SubscriptionFinder::readDelegate(std::uint32_t delegate) {
  InvocationList list = m_delegates.listOf(delegate, kManyTargets);
  if (!list.called.empty()) {
    m_events.push_back(std::move(list));
    return;
  }
  const std::uint32_t target = m_delegates.targetOf(delegate);
  if (!isTarget(target) || m_heap.isFramework(target)) return;
  const std::uint32_t holder = holderOf(delegate);
  if (!isKeptBy(holder, delegate)) return;
  m_collected.push_back({collectionAbove(holder), m_heap.typeOf(target).value, {delegate, target, delegate}});
}

/// A registration: the callback's own target, or the state that it is given, which for Register(Action) is the delegate
/// that the program gave.
void SubscriptionFinder::readNode(std::uint32_t node) {
  const std::uint32_t callback = m_heap.reference(node, "Callback");
  const std::uint32_t registrations = m_heap.reference(node, "Registrations");
  if (callback == HeapObjects::kNone || registrations == HeapObjects::kNone) return;  // kept for the next one
  m_nodes.emplace_back(registrations, node);
  Subscription one{.keeper = node, .target = m_delegates.targetOf(callback), .callback = callback};
  if (!isTarget(one.target)) one.target = m_heap.reference(node, "CallbackState");
  if (one.target != HeapObjects::kNone && std::ranges::count(m_delegates.types(), m_heap.typeOf(one.target))) {
    one.callback = one.target;
    one.target = m_delegates.targetOf(one.callback);
  }
  if (isTarget(one.target)) m_registered.push_back({registrations, m_heap.typeOf(one.target).value, one});
}

Outcome<void> SubscriptionFinder::addEvents() {
  for (const InvocationList& list : m_events) {
    std::vector<Entry> entries;
    for (const std::uint32_t called : list.called) {
      const std::uint32_t target = m_delegates.targetOf(called);
      const TypeId type = isTarget(target) ? m_heap.typeOf(target) : TypeId{};
      entries.push_back({list.delegate, type.value, {called, target, called}});
    }
    HEAPSCAPE_CHECK(addRuns(entries, kManyTargets, [&](Run run) -> Outcome<void> {
      HEAPSCAPE_TRY(const auto place, placeOfEvent(list.delegate));
      if (!place) return {};
      SubscriptionGroup& group = add(PublisherForm::Event, *place, run);
      if (run.size() == list.called.size()) group.lists.push_back(list.delegate);
      return {};
    }));
  }
  return {};
}

Outcome<void> SubscriptionFinder::addTokens() {
  return addRuns(m_registered, kManyTargets, [&](Run run) -> Outcome<void> {
    const std::uint32_t registrations = run.front().publisher;
    const std::uint32_t source = m_heap.reference(registrations, "Source");
    if (source == HeapObjects::kNone) return {};
    HEAPSCAPE_TRY(const auto place, m_holders.placeOf(source, m_stop));
    if (place) add(PublisherForm::Token, *place, run).registrations.push_back(registrations);
    return {};
  });
}

Outcome<void> SubscriptionFinder::addCollections() {
  return addRuns(m_collected, kManyCollected, [&](Run run) -> Outcome<void> {
    HEAPSCAPE_TRY(const auto place, m_holders.placeOf(run.front().publisher, m_stop));
    if (place) add(PublisherForm::Collection, *place, run).isKeyed |= isKeyed(run.front().subscription.keeper);
    return {};
  });
}

template <class AddRun>
Outcome<void> SubscriptionFinder::addRuns(std::vector<Entry>& entries, std::size_t minimum, AddRun addRun) {
  const auto byRun = [](const Entry& entry) {
    return std::tuple(entry.publisher, entry.type, entry.subscription.target, entry.subscription.keeper);
  };
  std::ranges::sort(entries, {}, byRun);
  for (auto first = entries.begin(); first != entries.end();) {
    std::size_t targets = 0;
    auto last = first;
    for (; last != entries.end() && last->publisher == first->publisher && last->type == first->type; ++last)
      targets += last == first || last->subscription.target != (last - 1)->subscription.target;
    if (first->type != TypeId::kNone && targets >= minimum) HEAPSCAPE_CHECK(addRun(Run(first, last)));
    first = last;
  }
  return {};
}

SubscriptionGroup& SubscriptionFinder::add(PublisherForm form, const HoldingPlace& place, Run run) {
  const auto [entry, isNew] = m_groups.try_emplace({form, place.name, run.front().type});
  SubscriptionGroup& group = entry->second;
  if (isNew) {
    group.form = form;
    group.place = place.name;
    group.publisher = place.holder;
  }
  for (const Entry& one : run) group.subscribed.push_back(one.subscription);
  return group;
}

/// The field of an event; of one in a collection of events, where the collection is.
Outcome<std::optional<HoldingPlace>> SubscriptionFinder::placeOfEvent(std::uint32_t delegate) {
  const std::uint32_t holder = holderOf(delegate);
  return m_holders.placeOf(isKeptBy(holder, delegate) ? collectionAbove(holder) : delegate, m_stop);
}

bool SubscriptionFinder::isTarget(std::uint32_t object) {
  if (object == HeapObjects::kNone || m_heap.typeOf(object).isNone()) return false;
  const auto [entry, isNew] = m_isTarget.try_emplace(m_heap.typeOf(object).value);
  if (isNew) entry->second = !isSharedLambdas(m_heap.typeNameOf(object));
  return entry->second;
}

/// Whether an object is a collection's array or node for delegates, rather than something with a callback.
bool SubscriptionFinder::isKeptBy(std::uint32_t holder, std::uint32_t delegate) {
  if (holder == HeapObjects::kNone) return false;
  const auto [entry, isNew] = m_isKeptBy.try_emplace({m_heap.typeOf(holder).value, m_heap.typeOf(delegate).value});
  if (!isNew) return entry->second;
  const std::string& name = m_heap.typeNameOf(holder);
  entry->second = (m_heap.isFramework(holder) || name.ends_with(']')) && name != kInvocationList &&
                  (name.find(m_heap.typeNameOf(delegate)) != std::string::npos ||
                   name.find("System.Delegate") != std::string::npos || name == kNodeOfHandlerList);
  return entry->second;
}

/// Whether a collection finds a delegate by a key: it lies in an entry of such a one, or in its array of values.
bool SubscriptionFinder::isKeyed(std::uint32_t delegate) const {
  const std::uint32_t holder = holderOf(delegate);
  const std::uint32_t collection = holderOf(holder);
  const auto isDictionary = [this](std::uint32_t object) {
    return object != HeapObjects::kNone && m_heap.typeNameOf(object).find("Dictionary") != std::string::npos;
  };
  return isDictionary(holder) || isDictionary(collection);
}

/// The object that alone refers to another one; kNone if there is no such one.
std::uint32_t SubscriptionFinder::holderOf(std::uint32_t object) const {
  if (object == HeapObjects::kNone) return HeapObjects::kNone;
  const std::uint32_t above = m_heap.tree().dominatingObjectOf(m_heap.tree().numberOf(object));
  return above ? m_heap.tree().vertexOf(above) : HeapObjects::kNone;
}

/// The last object on the way up the dominator tree that is still the library's.
std::uint32_t SubscriptionFinder::collectionAbove(std::uint32_t object) const {
  for (std::size_t steps = 0; steps < kLongestClimb; ++steps) {
    const std::uint32_t above = holderOf(object);
    if (above == HeapObjects::kNone || !m_heap.isFramework(above)) break;
    object = above;
  }
  return object;
}

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

  /// Bytes freed with one alone. A token's node also holds those behind it.
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
