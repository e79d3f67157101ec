// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "insight/detectors/delegates.h"
#include "insight/holders.h"

namespace heapscape::engine {

/// What calls back.
enum class PublisherForm : std::uint8_t {
  Event,       // a delegate that calls several
  Token,       // a CancellationTokenSource with what was registered at its token
  Collection,  // a collection or array of delegates
};

/// One that is to be called.
struct Subscription {
  std::uint32_t keeper = 0;  // ObjectId of what would have to go: its delegate, or the token's node for it
  std::uint32_t target = 0;  // what the method is called on, or is given
  std::uint32_t callback = HeapObjects::kNone;  // the delegate
};

/// Subscriptions of targets of one type at one place.
struct SubscriptionGroup {
  PublisherForm form = PublisherForm::Event;
  std::string place;                             // "static Shop.Bus.OrderPlaced", "Shop.Window.Closed"
  std::uint32_t publisher = HeapObjects::kNone;  // the object whose field that is; none for a static
  bool isKeyed = false;                          // a collection finds its delegates by keys
  std::vector<std::uint32_t> lists;              // multicast delegates that call nothing but these
  std::vector<std::uint32_t> registrations;      // of a token: the objects that its nodes belong to
  std::vector<Subscription> subscribed;
};

/// Finds callbacks that may keep their targets alive: at each publisher those with enough targets of one type. Closures
/// are targets; static methods and lambdas that capture nothing have none.
class SubscriptionFinder {
 public:
  SubscriptionFinder(const InsightInput& input, HeapObjects& heap, const Delegates& delegates, Holders& holders,
                     std::stop_token stop);

  /// By place and type.
  Outcome<std::vector<SubscriptionGroup>> find();
  /// The nodes of a token that still have something to call. Known after find().
  std::vector<std::uint32_t> nodesOf(std::uint32_t registrations) const;
  bool isTokens(std::uint32_t object) const;

  static constexpr std::size_t kManyTargets = 10;    // at one event or token; fewer are what these are for
  static constexpr std::size_t kManyCollected = 20;  // in a collection: some are tables of what to do

 private:
  /// One in a collection, or at a token.
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
  /// Sorts, and adds what has enough targets of a type.
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

}  // namespace heapscape::engine
