// SPDX-License-Identifier: MIT
#pragma once

#include <QStyleOption>

#include "app/theme.h"

class QPainter;

namespace heapscape::gui {

/// How the parts of FlatStyle look: one function a part, which leaves the painter as it was.
class FlatPainter {
 public:
  FlatPainter(const Tones& tones, QPainter& painter) : m_tones(tones), m_painter(painter) {}

  void button(const QStyleOptionButton& option) const;
  void toolButton(const QStyleOption& option) const;
  /// What is switched on and off by itself: a chip with an edge even at rest, so that nobody takes it for text.
  void toggle(const QStyleOption& option) const;
  /// A box that text is written into: a line, several, a choice.
  void field(const QStyleOption& option) const;
  /// Around what has the focus in a list.
  void ring(const QRect& rect) const;
  void popup(const QRect& rect) const;
  void tip(const QRect& rect) const;
  void dialogEdge(const QRect& rect) const;
  void checkBox(const QStyleOption& option, bool isExclusive = false) const;
  void chevronDown(const QRect& rect, bool isEnabled) const;
  void headerSection(const QStyleOption& option) const;
  void tab(const QStyleOption& option) const;
  void splitter(const QStyleOption& option) const;
  void scrollHandle(const QRect& handle, bool isHovered) const;
  void progressGroove(const QRect& rect) const;
  /// Once around every second if it is not known how far it is.
  void progress(const QStyleOptionProgressBar& option) const;
  void menuBarItem(const QStyleOption& option) const;
  void menuSeparator(const QRect& rect) const;
  void menuGround(const QStyleOptionMenuItem& option) const;
  void fill(const QRect& rect, QRgb colour) const;

 private:
  void rounded(const QRect& rect, double radius, QRgb ground, QRgb border, int width = 1) const;
  /// Width of the line around something.
  int widthOfEdge(const QStyleOption& option) const;

  const Tones& m_tones;
  QPainter& m_painter;
};

/// A progress bar is this high, within whatever it is given.
inline constexpr int kProgressHeight = 6;

}  // namespace heapscape::gui
