// SPDX-License-Identifier: MIT
#pragma once

#include <QRectF>
#include <QStyledItemDelegate>
#include <array>

#include "heap/segment.h"

namespace heapscape::gui {

/// Bytes of each generation.
using GenerationBytes = std::array<std::uint64_t, engine::kGenerationCount>;

/// One cell of the miniature: where it stands is the second sign beside its colour.
struct GenerationCell {
  QRectF frame;
  QRectF fill;  // from the bottom up, its height the generation's share; empty for none
};

/// Six cells in a row, left-aligned in the area; any share above nothing shows.
std::array<GenerationCell, engine::kGenerationCount> generationCells(const QRectF& area, const GenerationBytes& bytes);

/// "0", "1", "2", "L", "P", "F".
QString generationLetter(engine::Generation generation);

/// The generations in miniature: six cells that fill with each generation's share of the row's bytes.
class GenerationCellsDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

  /// Where the miniature lies in a cell or a heading of the table.
  static QRectF pictureArea(const QRect& cell);
};

}  // namespace heapscape::gui
