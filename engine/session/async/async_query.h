// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/enum_names.h"
#include "base/finding.h"
#include "base/result.h"
#include "session/snapshot/snapshot.h"
#include "values/value.h"

namespace heapscape::engine {

/// How the innermost method of a chain stands.
enum class AsyncState : std::uint8_t {
  Suspended,  // at an await
  Queued,     // what it awaited has ended, or it has let others go first: it goes on when its turn comes
  Running,    // on a thread
  Circle,     // the methods of the chain wait for each other
};

template <>
inline constexpr auto kEnumNames<AsyncState> = std::to_array<EnumName<AsyncState>>({{AsyncState::Suspended,
                                                                                     "suspended"},
                                                                                    {AsyncState::Queued, "queued"},
                                                                                    {AsyncState::Running, "running"},
                                                                                    {AsyncState::Circle, "circle"}});

/// A call of an async method that has not ended, or a task between two of them (Task.WhenAll).
struct AsyncFrame {
  static constexpr std::uint32_t kNone = 0xffffffff;

  Address object;            // that holds its state, most often its Task, too
  std::uint32_t name = 0;    // in AsyncList::names: "Shop.Orders.PlaceAsync", "Task.WhenAll"
  bool isMethod = true;      // false: a task between methods
  std::int32_t await = -1;   // number of the await at which it waits, from 0 on; -1 while it runs, and for no method
  Address event = {};        // wakes a thread that blocks until this has ended; 0 if none does
  std::uint32_t thread = 0;  // managed id of that thread, or of the one that runs the method; 0 until stacks are joined
  // For a method that the runtime itself suspends, whose object is its continuation.
  Address task = {};                           // of the outermost: that ends with it
  Address waiting = {};                        // of the innermost: the object that waits for what is awaited
  std::optional<std::uint32_t> ilOffset = {};  // of the await
  std::uint32_t file = kNone;                  // of the source, in AsyncList::names; none if not known
  std::uint32_t line = 0;
  std::uint32_t missing = kNone;  // in AsyncList::names: why its place is not told; none if it is
};

/// A logical stack: who waits for whom.
struct AsyncChain {
  std::uint32_t firstFrame = 0, frameCount = 0;  // in AsyncList::frames, innermost first; at least one
  AsyncState state = AsyncState::Suspended;
  std::uint32_t waitsFor = AsyncFrame::kNone;      // name of what the innermost method waits for; none while it runs
  Address awaited = {};                            // 0 where that is no object
  std::optional<std::uint32_t> milliseconds = {};  // that a Task.Delay takes in all
  std::uint32_t callback = AsyncFrame::kNone;      // name of what is called when the outermost has ended, if anything
  bool isReachable = true;  // false: only garbage, which nobody can complete. Known from the Retained stage on
};

/// Chains that are equal: the same methods at the same awaits wait for the same kind of thing.
struct AsyncGroup {
  std::vector<std::uint32_t> chains = {};  // in AsyncList::chains; at least one, by address of the innermost
  /// Bytes freed if the objects of all frames of these chains were taken away together: they and all that only they
  /// lead to, the locals that live across awaits among it. Known from the Retained stage on.
  std::optional<std::uint64_t> retainedBytes = {};
  bool isRetainedExact = true;  // false: at least so much, since looking further would have taken too long
  bool isFramework = false;     // all its methods belong to .NET
};

struct AsyncList {
  std::vector<AsyncGroup> groups;  // reachable ones first, then by number of chains, most first
  std::vector<AsyncChain> chains;
  std::vector<AsyncFrame> frames;
  std::vector<std::string> names;
  std::uint64_t methods = 0;  // calls of async methods that have not ended
  FindingList findings;

  std::span<const AsyncFrame> framesOf(const AsyncChain& chain) const {
    return std::span(frames).subspan(chain.firstFrame, chain.frameCount);
  }
  const AsyncChain& firstOf(const AsyncGroup& group) const { return chains[group.chains.front()]; }
  /// Empty for none.
  std::string_view nameOf(std::uint32_t name) const {
    return name < names.size() ? std::string_view(names[name]) : std::string_view();
  }
};

struct AsyncOptions {
  bool equalTogether = true;  // false: every chain is a group of its own
  bool retained = true;       // from the Retained stage on
};

/// All pending calls of async methods with what they wait for. From the Objects stage on.
///
/// A chain leads from a method that waits for something that is no async method, or runs, up to the one that nobody
/// waits for. Where several wait for one (or one for several, by Task.WhenAll), each way is a chain, so that a call
/// may be in more than one.
Outcome<AsyncList> listAsync(const Snapshot& snapshot, const AsyncOptions& options, std::stop_token stop);

/// Locals, parameters and temporaries of async methods that live across awaits, named as the source has them: "order",
/// "this". Remembers what it has learnt of methods, so that one for many calls is quicker than many. For one thread.
class AsyncLocals {
 public:
  explicit AsyncLocals(const Snapshot& snapshot);
  ~AsyncLocals();
  AsyncLocals(const AsyncLocals&) = delete;
  AsyncLocals& operator=(const AsyncLocals&) = delete;

  /// Returns the locals of the method whose object that is. Fails with NotFound if it is none.
  Result<std::vector<FieldValue>> of(Address object);

 private:
  struct Parts;
  std::unique_ptr<Parts> m_parts;
};

/// A call that chains have in common, with all who wait for it.
struct AsyncTreeNode {
  static constexpr std::uint32_t kNone = 0xffffffff;

  std::uint32_t parent = kNone;  // index; each node is followed by all below it
  std::uint32_t depth = 0;       // 0 for all chains
  std::string name;              // empty for all chains
  bool isMethod = true;          // false: a task between methods, or what the innermost method waits for
  std::uint64_t chains = 0;
  std::vector<std::uint32_t> groups;  // in AsyncList::groups, ascending: of all that pass through it
};

/// Chains laid over each other from the call that nobody waits for, in to what is waited for. Most chains first; those
/// that only garbage leads to are left out.
std::vector<AsyncTreeNode> asyncTree(const AsyncList& list);

}  // namespace heapscape::engine
