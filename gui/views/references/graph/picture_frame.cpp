// SPDX-License-Identifier: MIT
#include "views/references/graph/picture_frame.h"

#include <QAction>
#include <algorithm>
#include <optional>

#include "views/references/graph/graph_canvas.h"
#include "widgets/drawing/picture_actions.h"

namespace heapscape::gui {

namespace {

constexpr double kMostPixels = 8000;  // a side; a picture of more is made smaller

}  // namespace

PictureFrame::PictureFrame(GraphCanvas& canvas, QWidget* parent) : QWidget(parent) {
  setAccessibleName(QStringLiteral("Reference graph"));
  const auto paint = [&canvas](QPainter& painter, QSize size) {
    // A review dresses the frame for paper, and what it shows has its look from the canvas.
    std::optional<PaperLook> paper;
    if (PlainPatterns::areWanted()) paper.emplace(&canvas);
    canvas.paintAll(painter, QRectF(QPointF(), size));
  };
  addPictureActions(this, paint, QStringLiteral("references"), PictureContents::Hides);
  // Ctrl+C reaches the canvas, which has the focus.
  for (QAction* action : actions()) canvas.addAction(action);
  hide();
}

void PictureFrame::fitTo(const QSizeF& picture) {
  const double scale = std::min(1.0, kMostPixels / std::max({picture.width(), picture.height(), 1.0}));
  resize((picture * scale).toSize().expandedTo({1, 1}));
}

}  // namespace heapscape::gui
