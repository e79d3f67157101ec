// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/finding.h"
#include "base/progress.h"
#include "base/result.h"
#include "insight/comparison/matching.h"
#include "insight/insight.h"
#include "session/roots/roots_query.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// Figures of an owner in one dump: static, type, thread, kind of handles.
struct OwnerFigures {
  InsightOwner::Kind kind = InsightOwner::Kind::Other;
  std::string name;
  std::uint64_t objects = 0, bytes = 0;  // that it holds, and nearer to them nobody else of the program
};

/// Figures of roots of one name in one dump: a static, a static of all threads, a thread's stack, handles of one kind
/// to objects of one type.
struct RootFigures {
  RootKind kind = RootKind::StrongHandle;
  std::string name;
  std::uint64_t roots = 0;
  std::uint64_t bytes = 0;  // what the objects that they lead to retain, each byte once, whoever else leads there
};

/// The figures of one dump that a film keeps when the dump itself is let go: some hundred bytes for each type, owner,
/// root and insight, however large the heap is.
struct DumpSample {
  Summary summary;
  std::optional<std::int64_t> written;  // when the file was last written, in seconds since 1970; a core says no time
  bool isComplete = true;
  FindingList findings;
  ObjectTotals totals;
  RetainedTotals retained;
  std::uint64_t wasteBytes = 0, leakBytes = 0;  // of all insights, each byte once
  bool hasInsights = true;                      // they were looked for
  std::vector<TypeFigures> types;
  std::vector<OwnerFigures> owners;
  std::vector<RootFigures> roots;
  std::map<InsightKey, InsightFigures> insights;
  NamedModules modules;
};

/// Owners of all objects, by kind and name. Needs the stage Retained.
std::vector<OwnerFigures> ownerFiguresOf(const Snapshot& snapshot);
/// Roots by kind and name. Needs the stage Retained.
Outcome<std::vector<RootFigures>> rootFiguresOf(const Snapshot& snapshot, const std::stop_token& stop);

struct SampleOptions {
  bool withInsights = true;  // takes longest
};

/// Needs the stage Retained with types. `progress` may be null.
Outcome<DumpSample> takeSample(const Snapshot& snapshot, const SampleOptions& options, ProgressSink* progress,
                               std::stop_token stop);

/// A dump in a row of them: its figures, or why it has none.
struct SampledDump {
  std::string path;
  std::shared_ptr<const DumpSample> sample;  // null if it cannot be read
  std::optional<Error> error;
};

/// Opens a dump up to the stage Retained with types.
using DumpOpener = std::function<Outcome<Snapshot>(const std::string& path)>;
/// Opens one, takes its figures and lets it go. Only a cancellation is no answer.
Outcome<SampledDump> sampleDump(const std::string& path, const DumpOpener& open, const SampleOptions& options,
                                ProgressSink* progress, std::stop_token stop);

}  // namespace heapscape::engine
