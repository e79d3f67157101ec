// SPDX-License-Identifier: MIT
#include "views/runtime/type_anatomy_geometry.h"

#include <algorithm>
#include <numeric>

namespace heapscape::gui {

namespace {

// Parts so close to each other were allocated together.
constexpr std::uint64_t kMostBetween = 16;

using Block = std::vector<std::size_t>;

// The block of the method table first, the others by address.
std::vector<Block> blocksOf(const engine::TypeDetails& type) {
  std::vector<std::size_t> order(type.parts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t part) { return type.parts[part].address; });
  std::vector<Block> blocks;
  std::uint64_t end = 0;
  for (const std::size_t part : order) {
    const std::uint64_t start = type.parts[part].address.value;
    if (blocks.empty() || start > end + std::min(kMostBetween, UINT64_MAX - end)) blocks.emplace_back();
    blocks.back().push_back(part);
    end = std::max(end, start + type.parts[part].sizeBytes);
  }
  const auto own = std::ranges::find_if(blocks, [&](const Block& block) {
    return std::ranges::any_of(block, [&](std::size_t part) { return type.parts[part].address == type.methodTable; });
  });
  if (own != blocks.end()) std::rotate(blocks.begin(), own, own + 1);
  return blocks;
}

TypeAnatomyBlock placeBlock(const engine::TypeDetails& type, const Block& parts, double left, double top,
                            const TypeAnatomyScale& scale) {
  TypeAnatomyBlock block;
  double y = top;
  for (const std::size_t part : parts) {
    TypeAnatomyPart placed;
    placed.part = part;
    const bool hasNote = !type.parts[part].note.empty();
    placed.box = QRectF(left, y, scale.width, (hasNote ? 3 : 2) * scale.line + 8);
    placed.title = QRectF(left + 10, y + 4, scale.width - 20, scale.line);
    placed.address = placed.title.translated(0, scale.line);
    if (hasNote) placed.note = placed.address.translated(0, scale.line);
    block.parts.push_back(placed);
    y = placed.box.bottom();
  }
  block.box = QRectF(left, top, scale.width, y - top);
  return block;
}

// Out of the right side of one box, halfway across, and into the left side of the other.
QPolygonF arrowBetween(QPointF from, QPointF to) {
  const double middle = (from.x() + to.x()) / 2;
  return QPolygonF{from, QPointF(middle, from.y()), QPointF(middle, to.y()), to};
}

const TypeAnatomyPart* partOf(const TypeAnatomyBlock& block, const engine::TypeDetails& type) {
  for (const TypeAnatomyPart& part : block.parts) {
    if (type.parts[part.part].address == type.methodTable) return &part;
  }
  return nullptr;
}

}  // namespace

TypeAnatomyGeometry layOutTypeAnatomy(const engine::TypeDetails& type, bool hasObject, const TypeAnatomyScale& scale) {
  TypeAnatomyGeometry geometry;
  double left = scale.margin;
  if (hasObject) {
    const double width = scale.width * 0.75;
    geometry.object = QRectF(left, scale.margin, width, 4 * scale.line + 8);
    geometry.objectPointer = QRectF(left, scale.margin + 4 + 2 * scale.line, width, scale.line);
    geometry.objectFields = geometry.objectPointer.translated(0, scale.line);
    left = geometry.object.right() + scale.between;
  }
  const double rightColumn = left + scale.width + scale.between;
  double top = scale.margin;
  for (const Block& parts : blocksOf(type)) {
    const bool isFirst = geometry.blocks.empty();
    geometry.blocks.push_back(placeBlock(type, parts, isFirst ? left : rightColumn, top, scale));
    top = isFirst ? scale.margin : geometry.blocks.back().box.bottom() + scale.gap;
  }
  QRectF all = geometry.object;
  for (const TypeAnatomyBlock& block : geometry.blocks) all = all.united(block.box);
  geometry.size = QSizeF(all.right() + scale.margin, all.bottom() + scale.margin);

  const TypeAnatomyPart* own = geometry.blocks.empty() ? nullptr : partOf(geometry.blocks.front(), type);
  if (!own) return geometry;
  const QPointF in(own->box.left(), own->title.center().y());
  const QPointF out(own->box.right(), own->title.center().y());
  if (hasObject) {
    geometry.arrows.push_back(arrowBetween({geometry.object.right(), geometry.objectPointer.center().y()}, in));
  }
  for (std::size_t block = 1; block < geometry.blocks.size(); ++block) {
    const TypeAnatomyPart& first = geometry.blocks[block].parts.front();
    geometry.arrows.push_back(arrowBetween(out, {first.box.left(), first.title.center().y()}));
  }
  return geometry;
}

std::optional<std::size_t> typeAnatomyPartAt(const TypeAnatomyGeometry& geometry, QPointF point) {
  for (const TypeAnatomyBlock& block : geometry.blocks) {
    for (const TypeAnatomyPart& part : block.parts) {
      if (part.box.contains(point)) return part.part;
    }
  }
  return std::nullopt;
}

}  // namespace heapscape::gui
