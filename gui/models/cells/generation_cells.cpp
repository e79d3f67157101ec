// SPDX-License-Identifier: MIT
#include "models/cells/generation_cells.h"

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "bridge/literals.h"
#include "models/cells/item_painting.h"
#include "models/cells/roles.h"
#include "widgets/drawing/colours.h"

namespace heapscape::gui {
namespace {

constexpr double kGenerationCellsGap = 2;
constexpr double kLeastHeight = 2;

}  // namespace

std::array<GenerationCell, engine::kGenerationCount> generationCells(const QRectF& area, const GenerationBytes& bytes) {
  std::array<GenerationCell, engine::kGenerationCount> cells;
  const double count = static_cast<double>(cells.size());
  const double pitch = std::floor(std::min((area.width() + kGenerationCellsGap) / count, area.height() * 1.1));
  const double whole = std::accumulate(bytes.begin(), bytes.end(), 0.0);
  for (std::size_t index = 0; index < cells.size(); ++index) {
    GenerationCell& cell = cells[index];
    cell.frame = {area.left() + pitch * static_cast<double>(index), area.top(),
                  std::max(1.0, pitch - kGenerationCellsGap), area.height()};
    if (bytes[index] == 0 || whole <= 0) continue;
    const double share = static_cast<double>(bytes[index]) / whole;
    const double height = std::max(kLeastHeight, std::round(share * area.height()));
    cell.fill = {cell.frame.left(), cell.frame.bottom() - height, cell.frame.width(), height};
  }
  return cells;
}

QString generationLetter(engine::Generation generation) {
  switch (generation) {
    case engine::Generation::Gen0:
      return u"0"_s;
    case engine::Generation::Gen1:
      return u"1"_s;
    case engine::Generation::Gen2:
      return u"2"_s;
    case engine::Generation::Large:
      return u"L"_s;
    case engine::Generation::Pinned:
      return u"P"_s;
    case engine::Generation::Frozen:
      return u"F"_s;
  }
  return {};
}

QRectF GenerationCellsDelegate::pictureArea(const QRect& cell) {
  return QRectF(cell).adjusted(kItemMargin, 5, -kItemMargin, -5);
}

void GenerationCellsDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                                    const QModelIndex& index) const {
  QStyleOptionViewItem item = option;
  initStyleOption(&item, index);
  paintItemWithoutText(painter, item);

  const QVariant generations = index.data(kGenerationsRole);
  if (!generations.isValid()) return;
  const Colours colours(item.palette);
  const auto cells = generationCells(pictureArea(item.rect), generations.value<GenerationBytes>());
  const bool isEnabled = item.state & QStyle::State_Enabled;
  painter->save();
  painter->setPen(Qt::NoPen);
  if (!isEnabled) painter->setOpacity(0.4);
  for (const engine::Generation generation : engine::kGenerations) {
    const GenerationCell& cell = cells[static_cast<std::size_t>(generation)];
    painter->fillRect(cell.frame, isSelected(item) ? item.palette.color(QPalette::Base) : colours.freeSpace());
    if (!cell.fill.isEmpty()) painter->fillRect(cell.fill, colours.of(generation));
  }
  painter->restore();
}

QSize GenerationCellsDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const {
  const int height = option.fontMetrics.height();
  return {height * 7, height};
}

}  // namespace heapscape::gui
