// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/address.h"
#include "base/enum_names.h"
#include "base/finding.h"
#include "insight/insight.h"
#include "layout/code_owners.h"
#include "session/process/process_memory.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// A figure before and after.
struct Change {
  std::uint64_t before = 0, after = 0;
  std::int64_t difference() const { return static_cast<std::int64_t>(after - before); }
};

/// A type by its name and assembly, whatever its method tables in the two dumps.
struct TypeChange {
  std::string name;
  std::string assembly;
  /// Where one of the dumps has the type in several load contexts, its own, see TypeFigures; else empty.
  std::string loadContext = {};
  std::vector<TypeId> typesBefore, typesAfter;  // several where a name was loaded more than once
  bool isFree = false;                          // the gaps between objects, not a type
  CodeOwner owner = CodeOwner::Own;             // by its assembly
  Change count, bytes, padding;
  Change retained;       // by all reachable instances together; of several method tables, the sum of what each says
  Change instanceBytes;  // base size; 0 on the side where there is no instance, and of arrays and strings
  // Objects of recorded heaps, of which nobody knows padding and instanceBytes.
  bool isRecordedBefore = false, isRecordedAfter = false;
  /// Likely former name of a new type: the only one of its name in another namespace of its assembly that is gone.
  std::string perhapsWas;
  bool isNew() const { return count.before == 0; }
  bool isGone() const { return count.after == 0; }
};

/// Segments, handles, threads, statics, modules …: "gen2 bytes on heap 1", "pinned handles", "threads".
struct FigureChange {
  std::string group;  // "Segments", "Handles", "Threads", "Modules", "Process memory"
  std::string name;
  bool isBytes = false;
  Change value;
};

/// An insight by kind, subject and contents. 0 on the side where it is not, or is below the threshold.
struct InsightChange {
  InsightKind kind = InsightKind::Suspect;
  InsightMeaning meaning = InsightMeaning::Waste;
  std::string title;  // as the later dump has it
  std::string subject;
  std::string contents;  // of strings
  Change bytes, objects;
};

/// A type of the same name whose layout is not the same.
struct LayoutChange {
  std::string type;
  std::string assembly;
  Address methodTableBefore, methodTableAfter;
  Change instanceBytes;       // base size; of arrays, of an element
  Change paddingBytes;        // of one instance or element
  std::uint64_t objects = 0;  // of the type in the later dump
  /// "+ Discount: System.Decimal at 40", "- Code", "~ Id: 16 → 24"; last "vectors of the processor: x64 → arm64" where
  /// a type that is declared the same holds vectors whose size or alignment is the processor's (Vector<T>,
  /// Vector256<T>, Vector512<T>).
  std::vector<std::string> fields;
};

struct Comparison {
  Summary before, after;
  std::vector<TypeChange> types;  // as sortByGrowth has them by bytes
  /// Figures of the heap, free space among it: those of the types add up to objects and bytes exactly. Retained is what
  /// can be reached from the roots.
  Change objects, bytes, retainedBytes;
  std::vector<FigureChange> figures;
  std::vector<InsightChange> insights;
  std::uint64_t insightThreshold = 0;  // bytes that an insight needs to be listed; 0 if they were not looked for
  Change wasteBytes, leakBytes;        // of all insights, each byte once
  std::vector<LayoutChange> layouts;   // of types with objects in both dumps, the largest difference first
  FindingList findings;                // what could not be compared, and why
};

/// Objects without the gaps between them, which the types have as one of their own.
Change objectsOf(const Comparison& comparison);

/// Order of rows.
enum class GrowthColumn : std::uint8_t { Bytes, Count, Retained };

template <>
inline constexpr auto kEnumNames<GrowthColumn> = std::to_array<EnumName<GrowthColumn>>(
    {{GrowthColumn::Bytes, "bytes"}, {GrowthColumn::Count, "count"}, {GrowthColumn::Retained, "retained"}});

/// After less before. 0 for free space, which is no type.
std::int64_t growthOf(const TypeChange& type, GrowthColumn column);
/// Puts what grew most first, what shrunk most last; equals by name.
void sortByGrowth(std::vector<TypeChange>& types, GrowthColumn column);

}  // namespace heapscape::engine
