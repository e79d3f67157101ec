// SPDX-License-Identifier: MIT
#include "session/dominators/collapsed_stacks.h"

#include <fmt/format.h>

#include <vector>

#include "base/given_name.h"

namespace heapscape::engine {
namespace {

std::string wholeNameOf(const DominatorShape& shape, bool isRedacted) {
  const DominatorNode& node = shape.node;
  if (shape.isRest) return fmt::format("({} smaller)", shape.siblings);
  switch (node.kind) {
    case DominatorKind::RootGroup:
    case DominatorKind::Root:
      return withoutGivenNameIf(isRedacted, node.name);
    case DominatorKind::Object:
      return fmt::format("{}@{}", node.name.empty() ? "(unknown)" : node.name, toString(node.object));
    case DominatorKind::Namespace:
      return node.name + ".*";
    case DominatorKind::Whole:
    case DominatorKind::Type:
    case DominatorKind::Set:
      break;
  }
  return node.name;
}

}  // namespace

std::string collapsedFrame(const DominatorShape& shape, bool isRedacted) {
  std::string frame = wholeNameOf(shape, isRedacted);
  for (char& character : frame) {
    if (character == ';') character = ':';
    if (static_cast<unsigned char>(character) <= ' ' || character == '\x7f') character = '_';
  }
  return frame.empty() ? "(unknown)" : frame;
}

void forEachCollapsedStack(std::span<const DominatorShape> shapes, bool isRedacted, const VisitStack& visit) {
  std::vector<std::uint64_t> own(shapes.size());
  for (std::size_t i = 0; i < shapes.size(); ++i) own[i] = shapes[i].node.retainedBytes;
  for (std::size_t i = 1; i < shapes.size(); ++i) own[shapes[i].parent] -= shapes[i].node.retainedBytes;
  std::vector<std::uint32_t> way;
  std::string frames;
  for (std::uint32_t i = 0; i < shapes.size(); ++i) {
    if (own[i] == 0) continue;
    way.clear();
    for (std::uint32_t step = i; step != 0; step = shapes[step].parent) way.push_back(step);
    frames = collapsedFrame(shapes[0], isRedacted);
    for (auto step = way.rbegin(); step != way.rend(); ++step) {
      frames += ';';
      frames += collapsedFrame(shapes[*step], isRedacted);
    }
    if (!visit(frames, own[i])) return;
  }
}

}  // namespace heapscape::engine
