// SPDX-License-Identifier: MIT
#pragma once

#include <QBrush>
#include <QColor>
#include <QPalette>
#include <QPen>
#include <QRectF>
#include <utility>

#include "base/palette.h"
#include "bridge/literals.h"
#include "heap/segment.h"
#include "layout/type_layout.h"

class QPainter;

namespace heapscape::gui {

/// As long as one lives, brushes that would be patterns are plain colours. Of the window's thread.
class PlainPatterns {
 public:
  PlainPatterns() { ++s_wanted; }
  ~PlainPatterns() { end(); }
  PlainPatterns(const PlainPatterns&) = delete;
  PlainPatterns& operator=(const PlainPatterns&) = delete;
  void end() {
    if (std::exchange(m_lasts, false)) --s_wanted;
  }

  static bool areWanted() { return s_wanted > 0; }

 private:
  inline static int s_wanted = 0;
  bool m_lasts = true;
};

/// The colours of engine::palette, in the variant of a theme, which follows from the palette given.
struct Colours {
  explicit Colours(const QPalette& palette);

  bool isDark;
  bool isContrast;  // high; dark as well
  QColor in(const engine::Shades& shades) const;
  QColor of(engine::Generation generation) const;
  QColor of(engine::FieldKind kind) const;
  QColor header() const;
  QColor methodTable() const;
  QColor padding() const;  // always together with paddingBrush's hatch
  QBrush paddingBrush() const;
  QColor freeSpace() const;
  QBrush freeSpaceBrush() const;  // dotted
  /// Hatched: of what the colour stands for, what is garbage.
  QBrush garbageBrush(const QColor& colour) const;
  QColor live() const;     // what roots lead to, of any generation; garbage is hatched in it
  QColor outline() const;  // committed, reserved: lines only
  QColor warning() const;
  QColor dimmedText() const;
  QColor gridLine() const;
  QColor surface() const;           // behind pictures
  QColor heatStep(int step) const;  // 0 … 4, one hue from pale to full
  /// Black or white, whichever reads better on it.
  static QColor textOn(const QColor& background);
};

/// The line around what has the focus.
QPen focusRing(const QPalette& palette);
/// The ring around a whole picture: it has the focus, and nothing in it is current.
void paintFocusRing(QPainter& painter, const QRectF& whole, const QPalette& palette);
/// The line around what is picked; thicker where the picture has the focus.
QPen markPen(const QPalette& palette, bool hasFocus);

/// Calm colours that are written on. What stands side by side is told apart with every kind of colour blindness, by how
/// light it is where its hue does not tell.
QColor fieldGround(engine::FieldKind kind, const Colours& colours);
QColor headerGround(const Colours& colours);
QColor methodTableGround(const Colours& colours);

/// Every other one of shapes that mean the same: narrow neighbours are two, and what means something else stays apart.
QColor everyOther(const QColor& colour, const Colours& colours);

}  // namespace heapscape::gui
