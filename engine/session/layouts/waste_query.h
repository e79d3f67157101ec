// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "base/address.h"
#include "base/progress.h"
#include "base/result.h"
#include "layout/advice/layout_advice.h"
#include "layout/code_owners.h"
#include "layout/type_layout.h"
#include "session/layouts/declared_layouts.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// Cost of one type's layout in this heap, and what another declaration of this type alone would win back. Savings are
/// exact: every object that holds the type (instances, boxes, arrays of it, objects and arrays that hold it as a field,
/// derived classes) is rounded to 8 bytes and 24 at least before and after. The best declaration is the one that saves
/// the heap most; a generic type's is the same for all its closed types, of which each row has its own share.
struct WasteRow {
  std::string type;
  std::string assembly;  // file name of the module
  std::string nameSpace;
  TypeKind kind = TypeKind::Class;
  Address methodTable;
  LayoutTypeId id;
  CodeOwner owner = CodeOwner::Own;  // .NET's is not the reader's to change

  std::uint64_t count = 0;            // objects of exactly this type; boxes of a value type
  std::uint64_t elements = 0;         // array elements of it
  std::uint64_t nested = 0;           // fields of it inside other objects and elements, at any depth
  std::uint64_t derived = 0;          // objects of classes below
  std::uint64_t paddingBytes = 0;     // own and nested, in all of those but derived; containing types count it, too
  std::uint64_t ownPaddingBytes = 0;  // own and inherited, not nested: these add up over all rows

  std::uint32_t instanceBytes = 0;  // base size of a class, unboxed size of a value type
  std::uint32_t bestBytes = 0;
  AdviceKind means = AdviceKind::NothingToGain;
  std::vector<std::string> order;  // of the own fields in the best declaration
  std::vector<TypeId> holders;     // types of the objects that it lies in: itself, classes below, what is around it
  std::string separation;          // why its padding is there on purpose, and nothing to be won back; or empty

  // Bytes that the heap would shrink by; negative if it would grow.
  std::int64_t savedByAuto = 0;
  std::int64_t savedBySequential = 0;
  std::int64_t savedByBest = 0;
};

/// Padding and savings of a namespace or an assembly. Savings of its types add up only nearly, where one holds another.
struct WasteGroup {
  std::string name;
  std::uint64_t types = 0;
  std::uint64_t ownPaddingBytes = 0;
  std::int64_t savedByBest = 0;
};

struct Waste {
  std::vector<WasteRow> rows;          // those with padding or something to save; the most saving first, then padding
  std::uint64_t paddingBytes = 0;      // of the whole heap: the sum of ownPaddingBytes and of `roundingBytes`
  std::uint64_t separatedBytes = 0;    // of these, in types that are separated on purpose
  std::uint64_t roundingBytes = 0;     // behind boxed values
  std::uint64_t arrayEndBytes = 0;     // behind the last element of arrays and of strings: counted in none of the above
  std::uint64_t heapBytes = 0;         // of all objects that are not free
  std::int64_t savedByAllBest = 0;     // if every type that is not the framework's were declared its best, together
  std::uint64_t typesNotComputed = 0;  // types with objects that no saving counts: their metadata is missing
};

/// `layouts`: of the same dump. Fails with BadQuery if it is an assembly's.
Outcome<Waste> wasteOf(const Snapshot& snapshot, const DeclaredLayouts& layouts, ProgressSink* progress,
                       std::stop_token stop);

/// The largest rows of wasteOf() and some of its sums.
struct LargestWaste {
  std::vector<WasteRow> rows;
  std::size_t rowsInAll = 0;  // with padding, or something that a better declaration saves
  std::uint64_t paddingBytes = 0;
  std::uint64_t heapBytes = 0;
  std::int64_t savedByAllBest = 0;
};

/// The first `rows` of wasteOf(), and those behind until `own` with padding are not the framework's; without
/// savedByAuto and savedBySequential. Takes a fraction of the time. Fails as wasteOf() does.
Outcome<LargestWaste> largestWaste(const Snapshot& snapshot, const DeclaredLayouts& layouts, std::size_t rows,
                                   std::size_t own, ProgressSink* progress, std::stop_token stop);

/// The rows of wasteOf() that a better declaration of the reader's own or a package's would save something by, or that
/// are separated on purpose, in the same order; without savedByAuto and savedBySequential. Takes a fraction of the
/// time.
Outcome<std::vector<WasteRow>> wasteToWinBack(const Snapshot& snapshot, const DeclaredLayouts& layouts,
                                              std::stop_token stop);

enum class WasteGrouping : std::uint8_t { Namespace, Assembly };
/// The most saving first.
std::vector<WasteGroup> groupWaste(const Waste& waste, WasteGrouping grouping);

}  // namespace heapscape::engine
