// SPDX-License-Identifier: MIT
#include "insight/insight_input.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>

namespace heapscape::engine {
namespace {

constexpr std::uint32_t kObjectsAtOnce = 1 << 18;
constexpr std::uint32_t kLookedAt = 1 << 10;

}  // namespace

InsightInput::InsightInput(const Snapshot& of, std::uint64_t minimum)
    : snapshot(of),
      contents(of.contents()),
      minimumBytes(minimum),
      keptTypes(contents.typesOfObjects()),
      objectTypes(*keptTypes),
      ownership(of, objectTypes),
      shapes(*contents.readers) {}

Outcome<std::unique_ptr<InsightInput>> InsightInput::make(const Snapshot& snapshot, std::uint64_t minimumBytes,
                                                          StageProgress& progress, std::stop_token stop) {
  constexpr double kCountedEnd = 0.2;
  constexpr double kOwnersEnd = 0.5;
  if (!snapshot.has(Stage::Retained)) {
    return failure(ErrorCode::BadQuery, "Insights need retained sizes, which are not known yet.",
                   "Ask again once they have been computed.");
  }
  auto counts = ReferenceCounts::count(snapshot.contents().graph->edges(), stop);
  if (!counts) return tl::unexpected(Unfinished::cancelled());
  progress.report(kCountedEnd);
  std::unique_ptr<InsightInput> input(new InsightInput(snapshot, minimumBytes));
  input->references = std::move(*counts);
  progress.report(kOwnersEnd);
  if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
  const auto tell = [&](double share) { progress.report(kOwnersEnd + (1 - kOwnersEnd) * share); };
  HEAPSCAPE_TRY(input->collections, CollectionSurvey::make(*input, tell, stop));
  progress.report(1);
  return input;
}

std::vector<std::uint32_t> InsightInput::objectsOf(std::span<const TypeId> types) const {
  const std::size_t typeCount = contents.types->size();
  std::vector<std::uint8_t> isWanted(typeCount + 1);  // and what has no type
  for (const TypeId type : types) isWanted[type.value] = 1;
  if (types.empty()) return {};
  const std::uint32_t count = objectTypes.size();
  std::vector<std::vector<std::uint32_t>> parts((std::size_t{count} + kObjectsAtOnce - 1) / kObjectsAtOnce);
  tbb::parallel_for(std::size_t{0}, parts.size(), [&](std::size_t part) {
    const auto first = static_cast<std::uint32_t>(part * kObjectsAtOnce);
    const std::uint32_t last = count - first < kObjectsAtOnce ? count : first + kObjectsAtOnce;
    // What is found is written behind the rest without a branch for each object.
    std::array<std::uint32_t, kLookedAt> found;
    for (std::uint32_t from = first; from < last; from += kLookedAt) {
      const std::uint32_t end = std::min(last, from + kLookedAt);
      std::size_t size = 0;
      for (std::uint32_t object = from; object < end; ++object) {
        found[size] = object;
        size += isWanted[std::min<std::size_t>(objectTypes[object], typeCount)];
      }
      for (std::size_t i = 0; i < size; ++i) {
        if (isReachable(found[i])) parts[part].push_back(found[i]);
      }
    }
  });
  std::size_t size = 0;
  for (const auto& part : parts) size += part.size();
  std::vector<std::uint32_t> objects;
  objects.reserve(size);
  for (auto& part : parts) {
    objects.insert(objects.end(), part.begin(), part.end());
    part = {};
  }
  return objects;
}

std::optional<std::uint32_t> InsightInput::onlyReferrer(std::uint32_t object) const {
  const DominatorTree& tree = contents.retention->tree;
  const std::uint32_t number = tree.numberOf(object);
  const std::uint32_t dominator = number ? tree.dominatingObjectOf(number) : 0;
  if (references.of(object) != 1 || !dominator) return std::nullopt;
  return tree.vertexOf(dominator);
}

// Whoever alone refers to an object dominates it, unless a root does as well or nothing leads there.
bool InsightInput::isReferrer(std::uint32_t holder, std::uint32_t object) const {
  if (const auto only = onlyReferrer(object)) return *only == holder;
  const EdgeRows edges = contents.graph->edges();
  const auto targets = edges.targetsOf(holder);
  return std::ranges::find(targets, object) != targets.end();
}

}  // namespace heapscape::engine
