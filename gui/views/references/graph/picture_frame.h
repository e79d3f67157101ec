// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

namespace heapscape::gui {

class GraphCanvas;

/// Never shown: has the size of the whole graph, so that copying and saving take along all of it and not what the view
/// shows of it. Its actions are Copy, Save as PNG and Save as SVG.
class PictureFrame : public QWidget {
  Q_OBJECT

 public:
  PictureFrame(GraphCanvas& canvas, QWidget* parent);

  void fitTo(const QSizeF& picture);
};

}  // namespace heapscape::gui
