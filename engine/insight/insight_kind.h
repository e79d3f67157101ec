// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/enum_names.h"

namespace heapscape::engine {

/// Kinds of problems of a heap. In the order in which bytes that several insights could win back are counted.
enum class InsightKind : std::uint8_t {
  DuplicateStrings,        // the same text several times
  BoxedValues,             // equal boxes of one value, and boxes where a typed collection would hold the values
  EmptyArrays,             // arrays of no elements, each an object of its own
  UniformArrays,           // arrays whose elements are all the same
  SparseArrays,            // arrays with mostly null or zero elements
  EmptyCollections,        // collections that hold nothing
  OversizedCollections,    // room for more items than there are
  OneElementCollections,   // collections and arrays with a single item: wrappers
  PoorHashing,             // items of a hash table in few buckets: time, not bytes
  PaddingWaste,            // bytes between fields that another declaration wins back
  SmallObjects,            // many small objects of one owner that an array of structs would hold
  SingleFieldWrappers,     // classes around one field, each object of them in one field
  DelegateLeak,            // objects that only an event or delegate of something long-lived still holds
  TimerLeak,               // what timers that still tick hold
  UndisposedFinalizables,  // objects with a finalizer that nobody suppressed: not disposed
  FinalizerBehind,         // objects that wait for their finalizer
  PendingAsync,            // async methods that wait for something that never ends
  StuckLoadContext,        // a collectible load context that something still holds
  GenericGrowth,           // instantiations of one generic definition over value types: tables and code
  Fragmentation,           // free space between pinned or large objects
  Suspect,                 // a single object, or many of one type at one place, that holds much of the heap
};

/// Names and words of a kind.
struct InsightKindWords {
  InsightKind kind;
  const char* name;          // of JSON
  const char* verb;          // what to do with many insights of it, each of which has a subject of its own
  const char* subject;       // what each of them is about
  const char* object;        // what its objects are
  bool isAboutBytes = true;  // of the heap; else it is worth telling however few its bytes are
};

/// In the order of InsightKind.
inline constexpr auto kInsightKindWords = [] {
  using enum InsightKind;
  return std::to_array<InsightKindWords>({
      {DuplicateStrings, "duplicateStrings", "Share equal strings", "text", "string"},
      {BoxedValues, "boxedValues", "Avoid needless boxes", "type", "object"},
      {EmptyArrays, "emptyArrays", "Share empty arrays", "type", "array"},
      {UniformArrays, "uniformArrays", "Replace arrays of equal elements", "type", "array"},
      {SparseArrays, "sparseArrays", "Replace mostly empty arrays", "type", "array"},
      {EmptyCollections, "emptyCollections", "Do not create empty collections", "type", "collection"},
      {OversizedCollections, "oversizedCollections", "Trim oversized collections", "type", "collection"},
      {OneElementCollections, "oneElementCollections", "Replace collections of one item", "type", "object"},
      {PoorHashing, "poorHashing", "Look at", "type", "collection", false},
      {PaddingWaste, "paddingWaste", "Reorder fields", "type", "object"},
      {SmallObjects, "smallObjects", "Make structs of small objects", "type", "object"},
      {SingleFieldWrappers, "singleFieldWrappers", "Make structs of objects around one field", "type", "object"},
      {DelegateLeak, "delegateLeak", "Unsubscribe", "insight", "object"},
      {TimerLeak, "timerLeak", "Stop timers", "method", "timer"},
      {UndisposedFinalizables, "undisposedFinalizables", "Dispose", "type", "object"},
      {FinalizerBehind, "finalizerBehind", "Look at", "insight", "object", false},
      {PendingAsync, "pendingAsync", "Complete or cancel async calls", "method", "call"},
      {StuckLoadContext, "stuckLoadContext", "Let load contexts unload", "insight", "object", false},
      {GenericGrowth, "genericGrowth", "Look at", "insight", "object", false},
      {Fragmentation, "fragmentation", "Reduce fragmentation", "insight", "free object"},
      {Suspect, "suspect", "Look at", "insight", "object"},
  });
}();

template <>
inline constexpr auto kEnumNames<InsightKind> = [] {
  std::array<EnumName<InsightKind>, kInsightKindWords.size()> names{};
  for (std::size_t at = 0; at < names.size(); ++at)
    names[at] = {kInsightKindWords[at].kind, kInsightKindWords[at].name};
  return names;
}();

constexpr const InsightKindWords& insightWords(InsightKind kind) {
  return kInsightKindWords[static_cast<std::size_t>(kind)];
}

}  // namespace heapscape::engine
