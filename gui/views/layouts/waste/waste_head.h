// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

#include "session/layouts/waste_query.h"

namespace heapscape::gui {

class ElidedText;
class FigureTile;

/// The heap's padding and what could be saved of it, in large figures.
class WasteHead : public QWidget {
  Q_OBJECT

 public:
  explicit WasteHead(QWidget* parent = nullptr);

  void show(const engine::Waste& waste);

 private:
  FigureTile* m_padding;
  FigureTile* m_saving;
  FigureTile* m_ends;
  ElidedText* m_note;
};

}  // namespace heapscape::gui
