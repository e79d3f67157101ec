// SPDX-License-Identifier: MIT
#include "session/references/path_index.h"

#include <algorithm>
#include <tuple>

#include "session/snapshot/contents.h"

namespace heapscape::engine {
namespace {

// Of the making of a path index.
constexpr double kReverseEnd = 0.5;

tl::unexpected<Unfinished> notYet() {
  return tl::unexpected(Unfinished(Error{ErrorCode::BadQuery, "Who holds an object is not known yet.",
                                         "It can be told once retained sizes have been computed."}));
}

/// How much a kind of root says of why it is there; the least says most.
int rankOf(RootKind kind) {
  if (kind == RootKind::Static) return 0;
  if (kind == RootKind::ThreadStatic) return 1;
  return kind == RootKind::Stack ? 3 : 2;
}

Outcome<PathIndex> makePathIndex(const Contents& contents, ProgressSink* progress, std::stop_token stop) {
  StageProgress measuring(progress, "measuring the distance from the roots", kReverseEnd, 1);
  PathIndex index{{}, rootsByObject(contents)};
  std::vector<std::uint32_t> objects;
  objects.reserve(index.roots.size());
  for (const PathIndex::RootOfObject& root : index.roots) objects.push_back(root.object);
  auto distances = RootDistances::measure(contents.graph->edges(), objects, contents.retention->tree.reachedObjects(),
                                          measuring, std::move(stop));
  if (!distances) return tl::unexpected(Unfinished::cancelled());
  index.distances = std::move(*distances);
  return index;
}

}  // namespace

std::vector<PathIndex::RootOfObject> rootsByObject(const Contents& contents) {
  const std::vector<RootRow>& rows = contents.retention->roots.roots;
  std::vector<PathIndex::RootOfObject> roots;
  for (std::uint32_t i = 0; i < rows.size(); ++i) {
    if (const ObjectId id = contents.heap->index.idOf(rows[i].object); !id.isNone()) roots.push_back({id.value, i});
  }
  const auto orderOf = [&](const PathIndex::RootOfObject& root) {
    return std::tuple(root.object, rankOf(rows[root.root].kind), root.root);
  };
  std::ranges::sort(roots, {}, orderOf);
  return roots;
}

std::uint32_t PathIndex::rootOf(std::uint32_t object) const {
  return std::ranges::lower_bound(roots, object, {}, &RootOfObject::object)->root;
}

Outcome<std::shared_ptr<const ReverseReferences>> reverseReferencesOf(const Snapshot& snapshot, ProgressSink* progress,
                                                                      std::stop_token stop) {
  const Contents& contents = snapshot.contents();
  if (!snapshot.has(Stage::Retained)) return notYet();
  return contents.reverse->get([&]() -> Outcome<ReverseReferences> {
    StageProgress turning(progress, "turning references around", 0, kReverseEnd);
    auto reverse = ReverseReferences::build(contents.graph->edges(), turning, stop);
    if (!reverse) return tl::unexpected(Unfinished::cancelled());
    return std::move(*reverse);
  });
}

Outcome<std::shared_ptr<const PathIndex>> pathIndexOf(const Snapshot& snapshot, ProgressSink* progress,
                                                      std::stop_token stop) {
  if (!snapshot.has(Stage::Retained)) return notYet();
  const Contents& contents = snapshot.contents();
  return contents.retention->paths->get([&] { return makePathIndex(contents, progress, stop); });
}

}  // namespace heapscape::engine
