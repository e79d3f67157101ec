// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "base/progress.h"
#include "graph/retained/retained_parts.h"
#include "insight/trend/frame_parts.h"
#include "session/objects/retained_query.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {
namespace {

using RootKey = std::pair<RootKind, std::string>;

/// The roots of one name, and where their objects stand in the dominator tree.
struct NamedRoots {
  std::uint64_t roots = 0;
  std::vector<std::uint32_t> numbers;
};

/// What other dumps of the program call a root, too: a static without its thread, a stack without its slots, handles
/// without their addresses.
std::string filmNameOf(const RootRow& root, const Snapshot& snapshot) {
  constexpr std::string_view kStatic = "static ";
  const std::vector<RootGroup>& groups = snapshot.roots().groups;
  switch (root.kind) {
    case RootKind::Static:
    case RootKind::Given:
      return root.name;
    case RootKind::ThreadStatic: {
      const std::size_t field = root.name.find(kStatic);
      return field == std::string::npos ? root.name : root.name.substr(field);
    }
    case RootKind::Stack: {
      const std::uint32_t thread = root.group < groups.size() ? groups[root.group].parent : RootGroup::kNone;
      return thread < groups.size() ? groups[thread].name : root.name;
    }
    default: {
      const auto object = retainedOf(snapshot, root.object);
      const std::string& type = snapshot.typeName(object ? object->type : TypeId{});
      return type.empty() ? root.name : fmt::format("{} → {}", root.name, type);
    }
  }
}

}  // namespace

Outcome<std::vector<RootFigures>> rootFiguresOf(const Snapshot& snapshot, const std::stop_token& stop) {
  const Retention& retention = *snapshot.contents().retention;
  std::map<RootKey, NamedRoots> named;
  std::uint32_t steps = 0;
  for (const RootRow& root : snapshot.roots().roots) {
    if (++steps % kHeavyStopInterval == 0 && stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    NamedRoots& roots = named[{root.kind, filmNameOf(root, snapshot)}];
    ++roots.roots;
    const ObjectId object = snapshot.contents().heap->index.idOf(root.object);
    const std::uint32_t number = object.isNone() ? 0 : retention.tree.numberOf(object.value);
    if (number) roots.numbers.push_back(number);
  }
  std::vector<RootFigures> figures;
  for (auto& [key, roots] : named) {
    std::ranges::sort(roots.numbers);
    const RetainedParts parts = outermostParts(retention.tree, retention.sizes, roots.numbers);
    figures.push_back({key.first, key.second, roots.roots, parts.bytes});
  }
  return figures;
}

}  // namespace heapscape::engine
