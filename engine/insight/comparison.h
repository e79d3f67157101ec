// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "base/address.h"
#include "base/progress.h"
#include "base/result.h"
#include "insight/insight.h"
#include "session/process_memory.h"
#include "session/snapshot.h"

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
  std::vector<TypeId> typesBefore, typesAfter;  // several where a name was loaded more than once
  Change count, bytes, retained, padding;
  Change instanceBytes;  // base size; 0 where it has none
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

/// An insight by kind and subject.
struct InsightChange {
  InsightKind kind = InsightKind::Suspect;
  std::string subject;
  std::string contents;  // of strings
  Change bytes, objects;
};

/// A type of the same name whose layout is not the same.
struct LayoutChange {
  std::string type;
  Address methodTableBefore, methodTableAfter;
  Change instanceBytes, paddingBytes;
  std::vector<std::string> fields;  // "+ Discount: System.Decimal at 40", "- Code", "~ Id: 16 → 24"
};

struct Comparison {
  Summary before, after;
  std::vector<TypeChange> types;         // what grew most by bytes first, the most shrunk last
  Change objects, bytes, retainedBytes;  // of the heap: the types' add up to objects and bytes exactly
  std::vector<FigureChange> figures;
  std::vector<InsightChange> insights;
  std::vector<LayoutChange> layouts;
};

struct ComparisonOptions {
  bool withInsights = true;
  bool withLayouts = true;
};

/// Both need the stage Retained with types.
Outcome<Comparison> compareSnapshots(const Snapshot& before, const Snapshot& after, const ComparisonOptions& options,
                                     ProgressSink* progress, std::stop_token stop);

}  // namespace heapscape::engine
