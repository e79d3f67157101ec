// SPDX-License-Identifier: MIT
#include "insight/insight_input.h"

#include "heap/object_types.h"
#include "session/references/path_index.h"

namespace heapscape::engine {

InsightInput::InsightInput(const Snapshot& of, std::uint64_t minimum)
    : snapshot(of),
      contents(of.contents()),
      minimumBytes(minimum),
      objectTypes(readObjectTypes(*contents.memory, *contents.segments, *contents.heap)),
      ownership(of, objectTypes) {
  for (std::uint32_t i = 0; i < contents.segments->size(); ++i) {
    if ((*contents.segments)[i].kind != SegmentKind::Frozen) continue;
    const auto [first, last] = contents.heap->index.objectsOf({i});
    m_frozen.emplace_back(first.value, last.value);
  }
}

Outcome<std::unique_ptr<InsightInput>> InsightInput::make(const Snapshot& snapshot, std::uint64_t minimumBytes,
                                                          StageProgress& progress, std::stop_token stop) {
  constexpr double kReverseEnd = 0.37;
  constexpr double kOwnersEnd = 0.57;
  if (!snapshot.has(Stage::Retained)) {
    return failure(ErrorCode::BadQuery, "Insights need retained sizes, which are not known yet.",
                   "Ask again once they have been computed.");
  }
  HEAPSCAPE_TRY(auto reverse, reverseReferencesOf(snapshot, nullptr, stop));
  progress.report(kReverseEnd);
  std::unique_ptr<InsightInput> input(new InsightInput(snapshot, minimumBytes));
  input->reverse = std::move(reverse);
  progress.report(kOwnersEnd);
  if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
  HEAPSCAPE_TRY(input->collections, CollectionSurvey::make(*input, stop));
  progress.report(1);
  return input;
}

std::vector<std::uint32_t> InsightInput::objectsOf(std::span<const TypeId> types) const {
  std::vector<std::uint8_t> isWanted(contents.types->size());
  for (const TypeId type : types) isWanted[type.value] = 1;
  std::vector<std::uint32_t> objects;
  for (std::uint32_t object = 0; object < objectTypes.size(); ++object) {
    const std::uint32_t type = objectTypes[object];
    if (type < isWanted.size() && isWanted[type] && isReachable(object)) objects.push_back(object);
  }
  return objects;
}

}  // namespace heapscape::engine
