// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/address.h"
#include "base/enum_names.h"
#include "base/finding.h"

namespace heapscape::engine {

/// Kind of a root: what keeps an object alive from outside the heap.
enum class RootKind : std::uint8_t {
  StrongHandle,
  PinnedHandle,
  RefCountedHandle,
  AsyncPinnedHandle,
  SizedRefHandle,
  DependentHandle,  // of a recorded heap, which does not tell the key that keeps the object alive
  Static,
  ThreadStatic,
  FinalizerReady,
  Stack,
  Given,  // by the user
  Other,  // of a recorded heap: a kind that it does not tell
};

template <>
inline constexpr auto kEnumNames<RootKind> =
    std::to_array<EnumName<RootKind>>({{RootKind::StrongHandle, "strongHandle"},
                                       {RootKind::PinnedHandle, "pinnedHandle"},
                                       {RootKind::RefCountedHandle, "refCountedHandle"},
                                       {RootKind::AsyncPinnedHandle, "asyncPinnedHandle"},
                                       {RootKind::SizedRefHandle, "sizedRefHandle"},
                                       {RootKind::DependentHandle, "dependentHandle"},
                                       {RootKind::Static, "static"},
                                       {RootKind::ThreadStatic, "threadStatic"},
                                       {RootKind::FinalizerReady, "finalizerReady"},
                                       {RootKind::Stack, "stack"},
                                       {RootKind::Given, "given"},
                                       {RootKind::Other, "other"}});

/// A step of the way from the whole to a root: "Statics" and the type, "Threads", the thread and its stack, "Handles"
/// and their kind.
struct RootGroup {
  static constexpr std::uint32_t kNone = 0xffffffff;

  std::string name;  // "Statics", "Zoo.P", "thread 5 \"worker\"", "stack", "inexact stack words", "pinned handles"
  std::uint32_t parent = kNone;  // index; parents stand before their children
  Address owner;                 // of a type's method table, or of the runtime's Thread; 0 for all other groups
  bool isNameless = false;       // of static fields whose class nothing tells: the name says where they lie
};

/// Names of the groups of a thread for what its frames refer to, and for what stands in where that is not known.
inline constexpr const char* kStackGroup = "stack";
inline constexpr const char* kInexactStackGroup = "inexact stack words";

struct RootRow {
  RootKind kind = RootKind::StrongHandle;
  Address address;      // of the slot; 0 for a register
  Address object;       // that the slot refers to, or into
  std::string name;     // "static Zoo.P.orders", "thread 5 \"worker\": Zoo.P.Work, order", "strong handle"
  bool isExact = true;  // false for a word of a stack that may be no reference at all
  std::uint32_t group = RootGroup::kNone;  // index; none for roots given by the user
};

struct RootList {
  std::vector<RootRow> roots;  // by kind, then as their lists are; each object may be there several times
  std::vector<RootGroup> groups;
  FindingList findings;
};

struct RootOptions {
  bool includeStacks = true;  // what the frames of threads refer to
  /// Where the references of a frame are not known: every word of its part of the stack, and the registers, that leads
  /// to or into an object.
  bool includeInexact = true;
  /// Instead of all that the runtime holds: these objects. Addresses of no object are passed over.
  std::optional<std::vector<Address>> only = {};
};

}  // namespace heapscape::engine
