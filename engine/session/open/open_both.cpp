// SPDX-License-Identifier: MIT
#include "session/open/open_both.h"

#include <tbb/parallel_invoke.h>

#include <optional>
#include <utility>

#include "base/progress.h"
#include "session/open/memory_need.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {
namespace {

constexpr double kLayoutsEnd = 0.2;

/// Hears of one of the two.
class PartOfOpening : public OpenListener {
 public:
  explicit PartOfOpening(JointProgress& joint) : m_part(joint, 0.5) {}
  void progressed(const Progress& progress) override { m_part.progressed(progress); }
  void stageReady(const Snapshot&) override {}

 private:
  PartOfJoint m_part;
};

std::uint64_t objectsOf(const Snapshot& snapshot) {
  return snapshot.contents().heap ? snapshot.contents().heap->index.objectCount() : 0;
}

MemoryNeed needOf(const Snapshot& snapshot) {
  return {.of = "Retained sizes", .objects = objectsOf(snapshot), .bytes = retainedNeedBytes(objectsOf(snapshot))};
}

using Opened = std::array<std::optional<Outcome<Snapshot>>, 2>;

template <class Act>
void actOnBoth(bool isAtOnce, const Act& act) {
  if (isAtOnce) {
    tbb::parallel_invoke([&] { act(0); }, [&] { act(1); });
    return;
  }
  act(0);
  act(1);
}

void addRetainedToBoth(Opened& opened, const OpenOptions& options, ProgressSink* progress,
                       const std::stop_token& stop) {
  StageProgress both(progress, "finding who holds what", kLayoutsEnd, 1);
  JointProgress joint(both, 0, 1);
  std::array<PartOfOpening, 2> parts{PartOfOpening(joint), PartOfOpening(joint)};
  const Snapshot one = **opened[0], other = **opened[1];
  const auto share = [&](const Snapshot& snapshot) -> std::optional<std::uint64_t> {
    const auto& memory = options.retained.memoryBytes;
    const std::uint64_t all = objectsOf(one) + objectsOf(other), its = objectsOf(snapshot);
    return memory && all ? std::optional(*memory / all * its + *memory % all * its / all) : memory;
  };
  const bool isAtOnce =
      options.retained.memoryBytes || checkMemory(needOf(one) + needOf(other), std::nullopt).has_value();
  actOnBoth(isAtOnce, [&](std::size_t i) {
    const Snapshot& snapshot = i == 0 ? one : other;
    RetainedOptions retained = options.retained;
    retained.memoryBytes = share(snapshot);
    opened[i] = addRetained(snapshot, retained, &parts[i], stop);
  });
}

}  // namespace

std::array<Outcome<Snapshot>, 2> openBoth(const std::array<std::filesystem::path, 2>& paths, const OpenOptions& options,
                                          ProgressSink* progress, const std::stop_token& stop) {
  OpenOptions first = options;
  first.stopAfter = Stage::Layouts;
  Opened opened;
  {
    StageProgress both(progress, "reading the objects", 0, kLayoutsEnd);
    JointProgress joint(both, 0, 1);
    std::array<PartOfOpening, 2> parts{PartOfOpening(joint), PartOfOpening(joint)};
    actOnBoth(true, [&](std::size_t i) { opened[i] = openDump(paths[i], first, &parts[i], stop); });
  }
  if (*opened[0] && *opened[1]) addRetainedToBoth(opened, options, progress, stop);
  return {*std::move(opened[0]), *std::move(opened[1])};
}

}  // namespace heapscape::engine
