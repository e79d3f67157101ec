// SPDX-License-Identifier: MIT
#include "insight/comparison/dump_order.h"

#include <sys/stat.h>

#include "runtime/gc/gc_figures.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {
namespace {

constexpr std::int64_t kClearSeconds = 60;  // copies of one moment are written closer together

// The loader puts the runtime at another address in every process.
bool areOfOneProcess(const Snapshot& first, const Snapshot& second) {
  if (first.isRecorded() || second.isRecorded()) return false;  // which does not tell
  const RuntimeLibrary& one = first.contents().readers->runtime.library();
  const RuntimeLibrary& other = second.contents().readers->runtime.library();
  return first.summary().dump.pid == second.summary().dump.pid && one.base == other.base &&
         one.buildId == other.buildId;
}

/// Collections so far; nothing if the dump does not tell.
std::optional<std::uint64_t> collectionsOf(const Snapshot& snapshot) {
  const Contents& contents = snapshot.contents();
  if (!contents.gc) return std::nullopt;
  for (const GenerationBudget& budget : findGcFigures(contents.readers->runtime, *contents.gc).budgets)
    if (budget.heap == 0 && budget.generation == 0) return budget.collectionCount;
  return std::nullopt;
}

}  // namespace

std::optional<std::int64_t> timeOfFile(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return status.st_mtim.tv_sec;
}

DumpOrder orderOf(const Snapshot& first, const Snapshot& second) {
  if (areOfOneProcess(first, second)) {
    const auto one = collectionsOf(first), other = collectionsOf(second);
    if (one && other && *one != *other) return {*one < *other, OrderSource::Collections};
  }
  const auto one = timeOfFile(first.summary().dump.path), other = timeOfFile(second.summary().dump.path);
  if (one && other && (*one + kClearSeconds < *other || *other + kClearSeconds < *one))
    return {*one < *other, OrderSource::FileTimes};
  return {};
}

}  // namespace heapscape::engine
