// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/enum_names.h"
#include "base/ids.h"
#include "base/result.h"
#include "graph/graph_cuts.h"
#include "session/roots/roots_query.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

// Assumed removals, to ask what would be freed then. A cut is known by how it is written, on the command line
// and in the window alike, so that it means the same whichever roots are chosen:
//   0x7f01->0x7f02   one object lets go of another: all its references to it, and those of the arrays, buckets and
//                    nodes of a collection to an item
//   root:0x7f03      the roots in this slot
//   root:NAME        the roots of this name, or a group of them: "root:static Zoo.P.orders", "root:Statics",
//                    "root:Threads/thread 5/stack"
//   root:…->0x7f04   of these the ones that refer to this object
//   0x7f05           an object goes: all that refers to it lets go
//   type:NAME        the same of all objects of a type, by its name or the address of its method table
//   set:NAME         the same of several objects: those that were picked in the window under this name, on the command
//                    line those at the addresses in the file NAME

enum class CutKind : std::uint8_t { Reference, Root, Object, Objects };

template <>
inline constexpr auto kEnumNames<CutKind> = std::to_array<EnumName<CutKind>>({{CutKind::Reference, "reference"},
                                                                              {CutKind::Root, "root"},
                                                                              {CutKind::Object, "object"},
                                                                              {CutKind::Objects, "objects"}});

/// A cut as it is understood against one snapshot.
struct Cut {
  std::string text;  // as it is written
  CutKind kind = CutKind::Object;
  std::vector<GraphCuts::Reference> references;  // Reference: one for each object that lets go
  std::uint64_t places = 0;                      // fields and elements that let go, roots, or objects that go
  std::vector<std::uint32_t> roots;              // Root: indices in rootsOf().roots, ascending
  std::uint32_t group = RootGroup::kNone;        // Root: the one group that they are, if they are one
  std::uint32_t from = kNone;                    // Reference: ObjectId of the object as it is written
  std::uint32_t object = kNone;                  // Reference: ObjectId of what is let go of; Object: it
  std::vector<std::uint32_t> objects;            // Objects: ObjectIds, ascending
  TypeId type;                                   // Objects: that they are all of, if they are all of one
  Address letGo;                                 // of that object, or of what a single root refers to; else 0
};

/// How cuts are written. `group`: index in the list.
std::string cutOfReference(Address from, Address to);
std::string cutOfObject(Address object);
std::string cutOfRoot(const RootRow& root);
std::string cutOfRootGroup(const RootList& list, std::uint32_t group);
std::string cutOfRootsNamed(std::string_view name);
std::string cutOfType(Address methodTable);
std::string cutOfSet(std::string_view name);

/// Something that would free much if it were let go of.
struct CutOffer {
  std::string cut;       // as it is written
  std::string name;      // of the root; of an object one that refers to it, empty if none does
  std::string typeName;  // of the object that the root refers to, or that it is; empty for several roots
  Retained frees;
  bool isShared = false;  // an object that roots of several owners lead to, so that none of them frees it
};

/// The roots that would each free most, the owners whose roots would only together, and the objects that would where
/// several owners share them; the largest first, none that would free nothing, at most so many. Needs the stage
/// Retained.
Outcome<std::vector<CutOffer>> largestCuts(const Snapshot& snapshot, std::size_t most, std::stop_token stop);

/// Whether a text is written as cuts are, whatever there is of it; fails with BadQuery.
Result<void> checkCut(std::string_view text);
/// Fails with BadQuery for what is no cut or asked before the stage Retained, with NotFound for what there is not: an
/// object, a reference, a root.
/// `sets`: the objects (ObjectIds, ascending) of the set of a name; without it there are none.
using FindSet = std::function<Outcome<std::vector<std::uint32_t>>(std::string_view name)>;
Outcome<Cut> readCut(const Snapshot& snapshot, std::string_view text, std::stop_token stop, const FindSet& sets = {});

/// Names a cut in words: "Zoo.Order.Customer → Zoo.Customer", "static Zoo.P.orders", "120 roots: strong handle",
/// "Zoo.Order", "all 1,200 of Zoo.Order", "12 objects: picked". Threads have the names that the program gave them.
std::string nameOfCut(const Snapshot& snapshot, const Cut& cut);

}  // namespace heapscape::engine
