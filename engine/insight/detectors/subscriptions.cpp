// SPDX-License-Identifier: MIT
#include "insight/detectors/subscriptions.h"

#include <algorithm>

#include "base/progress.h"

namespace heapscape::engine {
namespace {

constexpr std::string_view kNodeOfHandlerList = "System.ComponentModel.EventHandlerList+ListEntry";
constexpr std::string_view kInvocationList = "System.Delegate+Wrapper[]";  // since .NET 11; before it of objects
constexpr std::size_t kLongestClimb = 64;  // from a delegate to the outermost object of its collection

}  // namespace

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

}  // namespace heapscape::engine
