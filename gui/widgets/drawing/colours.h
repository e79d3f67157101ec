// SPDX-License-Identifier: MIT
#pragma once

#include <QBrush>
#include <QColor>
#include <QPalette>

#include "heap/segment.h"
#include "layout/type_layout.h"

namespace heapscape::gui {

/// One meaning per colour throughout the window, in a light and a dark variant; which one follows from the palette
/// given. The set is Okabe and Ito's, which the colour-blind can tell apart.
struct Colours {
  explicit Colours(const QPalette& palette);

  bool isDark;
  QColor of(engine::Generation generation) const;
  QColor of(engine::FieldKind kind) const;
  QColor header() const;
  QColor methodTable() const;
  QColor padding() const;  // always together with paddingBrush's hatch
  QBrush paddingBrush() const;
  QColor freeSpace() const;
  QBrush freeSpaceBrush() const;  // dotted
  QColor outline() const;         // committed, reserved: lines only
  QColor warning() const;
  QColor dimmedText() const;
  QColor gridLine() const;
  QColor surface() const;           // behind pictures
  QColor heatStep(int step) const;  // 0 … 4, one hue from pale to full
  /// Black or white, whichever reads better on it.
  static QColor textOn(const QColor& background);
};

}  // namespace heapscape::gui
