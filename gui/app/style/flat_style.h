// SPDX-License-Identifier: MIT
#pragma once

#include <QProxyStyle>

#include "app/theme.h"

namespace heapscape::gui {

/// Flat controls on Fusion's bones. A style and not a style sheet: a sheet of the application is matched against every
/// widget each time one is made, shown or given another palette, which took a second for a window of 2,500 widgets.
class FlatStyle : public QProxyStyle {
  Q_OBJECT

 public:
  /// `tones` are kept by reference.
  explicit FlatStyle(const Tones& tones);

  const Tones& tones() const { return *m_tones; }
  /// Sets the tones that are drawn from now on; the caller gives the application standardPalette(), which repaints it.
  void setTones(const Tones& tones) { m_tones = &tones; }
  /// Nothing moves any more: the desktop asks for less motion.
  void setStill(bool isStill) { m_isStill = isStill; }

  using QProxyStyle::polish;
  void polish(QWidget* widget) override;
  bool eventFilter(QObject* watched, QEvent* event) override;
  QPalette standardPalette() const override;
  int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;
  int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                QStyleHintReturn* answer) const override;
  QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& contents,
                         const QWidget* widget) const override;
  QRect subElementRect(SubElement element, const QStyleOption* option, const QWidget* widget) const override;
  QRect subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                       const QWidget* widget) const override;
  void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
  void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                   const QWidget* widget) const override;
  void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                          const QWidget* widget) const override;

 private:
  /// Draws with the base style, the text in this colour unless it is disabled.
  void drawTinted(ControlElement element, const QStyleOption* option, QRgb colour, QPainter* painter,
                  const QWidget* widget) const;

  const Tones* m_tones;
  bool m_isStill = false;
};

}  // namespace heapscape::gui
