// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/address.h"
#include "base/enum_names.h"
#include "base/finding.h"
#include "base/progress.h"
#include "base/result.h"
#include "insight/insight_kind.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// Meaning of an insight's bytes.
enum class InsightMeaning : std::uint8_t {
  Waste,  // would be won back by writing the program otherwise; nothing that it needs is lost
  Leak,   // would be freed if whoever holds them let go, and probably should
  Held,   // is held, for what it is worth: to be looked at
};

template <>
inline constexpr auto kEnumNames<InsightMeaning> = std::to_array<EnumName<InsightMeaning>>(
    {{InsightMeaning::Waste, "waste"}, {InsightMeaning::Leak, "leak"}, {InsightMeaning::Held, "held"}});

/// An object, a gap or a group of them that an insight is about.
struct InsightItem {
  Address object;           // the object, or where a gap begins
  std::uint64_t bytes = 0;  // its share in the insight's
  std::string text = {};    // what there is to say of it: "fill 3 of 64", "pinned handle 0x… → System.Byte[]"
};

/// Owner of what an insight is about.
struct InsightOwner {
  enum class Kind : std::uint8_t { Static, Type, Object, Thread, Handle, Unreachable, Other };
  Kind kind = Kind::Other;
  std::string name;     // "static Shop.Cache.entries", "Shop.Order", "thread 5 \"worker\""
  Address object;       // of an Object; else 0
  Address methodTable;  // of a Type, and of an Object's type; else 0
  std::uint64_t objects = 0, bytes = 0;
};

template <>
inline constexpr auto kEnumNames<InsightOwner::Kind> =
    std::to_array<EnumName<InsightOwner::Kind>>({{InsightOwner::Kind::Static, "static"},
                                                 {InsightOwner::Kind::Type, "type"},
                                                 {InsightOwner::Kind::Object, "object"},
                                                 {InsightOwner::Kind::Thread, "thread"},
                                                 {InsightOwner::Kind::Handle, "handle"},
                                                 {InsightOwner::Kind::Unreachable, "unreachable"},
                                                 {InsightOwner::Kind::Other, "other"}});

struct InsightFact {
  std::string label;        // "Fill"
  std::string value;        // "3%"
  bool isContents = false;  // tells what fields or strings hold; left out where contents are to be
};

/// One thing that costs memory, and what would win it back.
struct Insight {
  InsightKind kind = InsightKind::Suspect;
  InsightMeaning meaning = InsightMeaning::Waste;
  std::string title = {};    // one line, without contents of strings: "1,000 equal strings of 24 characters"
  std::string subject = {};  // a type's or member's name; what all its objects have in common. Empty for strings
  /// Where the subject names a place and a type: who calls back and objects of which type, where gaps are and what is
  /// pinned between them. Else, and for gaps without pins, empty.
  std::string place = {};
  std::string type = {};
  std::string contents = {};      // what a string holds, cut at 200 characters; left out where contents are to be
  std::string advice = {};        // one or two sentences
  Address methodTable = {};       // of the subject's type; 0 if it has none
  bool isFramework = false;       // held by the framework's own types alone: not the reader's to change
  std::uint64_t bytes = 0;        // exact: what the heap would shrink by. 0 where it is about time or health
  std::uint64_t sharedBytes = 0;  // of these, counted by insights of earlier kinds already
  bool isInexact = false;         // all of it is held only by words of stacks that may be no references
  std::uint64_t objects = 0;
  /// ObjectIds of all of them, ascending; gaps have some, too. Of elements and fields those of the objects around them,
  /// of instantiations none.
  std::vector<std::uint32_t> ids = {};
  std::vector<InsightItem> items = {};    // the costliest, at most kMaximumItems
  std::vector<InsightOwner> owners = {};  // the largest first, at most kMaximumOwners
  std::vector<InsightFact> facts = {};
  std::vector<std::string> path = {};  // who holds it, from the root on; only where that is the point

  static constexpr std::size_t kMaximumItems = 100;
  static constexpr std::size_t kMaximumOwners = 10;
};

/// Something to do that wins bytes back: an insight, or all of a kind where there are many.
struct InsightAction {
  std::vector<std::uint32_t> insights = {};  // indices in the list; the most bytes first
  std::uint64_t bytes = 0;                   // what it alone would win back
  std::uint64_t addedBytes = 0;              // of these, what no action before it wins back already
  std::uint64_t doubtfulBytes = 0;           // of addedBytes, what other actions may win back as well
  bool isLeast = false;                      // `bytes` may be more: what only several leaks hold goes with all of them
};

/// Plan of what to do first. Only what the program itself can change, and nothing that is merely held.
struct ActionPlan {
  std::vector<InsightAction> actions = {};  // the most bytes first
  std::uint64_t heapBytes = 0;              // now, with the gaps between objects
  std::uint64_t bytes = 0;                  // that all actions together win back at least, each byte once
  std::uint64_t doubtfulBytes = 0;          // perhaps as many more: some of them may be in `bytes` already
  bool isLeast = false;                     // more may go: doubtful ones, and what goes only with several actions
};

struct InsightList {
  std::vector<Insight> insights;     // the most bytes first
  std::uint64_t wasteBytes = 0;      // of all waste together, each byte once
  std::uint64_t leakBytes = 0;       // of all leaks together, each byte once and none that is in wasteBytes
  std::uint64_t frameworkBytes = 0;  // of these two, what the framework alone holds
  std::uint64_t smallInsights = 0;   // below the threshold, not listed
  std::uint64_t smallBytes = 0;      // of these; not in any other figure
  ActionPlan plan = {};              // of the insights
  FindingList findings = {};         // what could not be looked at, and why
};

struct InsightOptions {
  std::uint64_t minimumBytes = 2048;    // what costs less is only counted
  std::vector<InsightKind> kinds = {};  // only these; empty for all
  /// Bytes of memory that they and retained sizes may take at the peak; nothing for what the retained sizes may take.
  std::optional<std::uint64_t> memoryBytes = {};
};

/// Says what insights were not looked for because the dump does not tell enough; empty if all were.
std::string notLookedFor(const Snapshot& snapshot);

/// Leaves out what the framework itself holds; sums stay what they are, and the plan has none of it anyway.
void leaveOutFramework(InsightList& list);

/// About what they take at the peak with so many objects, gaps among them, retained sizes included.
std::uint64_t insightsNeedBytes(std::uint64_t objects);

/// Whether there is memory for looking in two dumps at the same time. Where there is a limit, each keeps to its own.
bool isMemoryForInsightsOf(const Snapshot& one, const Snapshot& other);

/// Looks for all of them. Needs the stage Retained. Each object is read at most once for all kinds together. Fails with
/// NotEnoughMemory before it has begun.
Outcome<InsightList> findInsights(const Snapshot& snapshot, const InsightOptions& options, ProgressSink* progress,
                                  std::stop_token stop);

}  // namespace heapscape::engine
