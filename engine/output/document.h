// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/finding.h"
#include "output/json_writer.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// Cost of an answer.
struct RunFigures {
  std::vector<StageTiming> timings;
  std::uint64_t indexBytes = 0;
  std::uint64_t peakBytes = 0;  // most anonymous memory that was resident at once: ours, without the mapped file
};

/// Facts of an answer on its input, beside its own members.
struct InputFacts {
  bool isComplete = true;
  std::vector<Finding> findings;
  std::size_t findingsLeftOut = 0;
  std::vector<StageTiming> timings;
  std::uint64_t indexBytes = 0;
  std::string note = {};  // for people, what is not complete; empty for a dump, of which `info` tells
};
InputFacts factsOf(const Snapshot& snapshot);
/// The facts of an answer about several dumps: findings say whose they are, and timings have the number of the dump.
InputFacts factsOf(std::span<const Snapshot* const> snapshots);

/// Begins the one JSON document of an answer: schema, verb, complete, findings. `more` are findings made since opening.
void beginDocument(JsonWriter& json, std::string_view verb, const InputFacts& input, const FindingList& more);

/// Ends it, with `timings` and memory if there are figures.
void endDocument(JsonWriter& json, const RunFigures* figures);

}  // namespace heapscape::engine
