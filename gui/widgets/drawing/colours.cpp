// SPDX-License-Identifier: MIT
#include "widgets/drawing/colours.h"

#include <QPainter>
#include <QPixmap>
#include <algorithm>
#include <array>
#include <functional>

#include "widgets/drawing/marks.h"

namespace heapscape::gui {
namespace {

// Index: engine::Generation.
constexpr std::array<engine::Shades, engine::kGenerationCount> kGenerationColours{
    engine::palette::kGen0,  engine::palette::kGen1,   engine::palette::kGen2,
    engine::palette::kLarge, engine::palette::kPinned, engine::palette::kFrozen,
};

// One hue, from pale to full; dark surfaces need the full end to be the lighter one.
constexpr std::array<engine::Shades, 5> kHeatSteps{{
    {0xffDCE9F4, 0xff1F3443, 0xff3F6F9F},
    {0xffADCFE6, 0xff234F6E, 0xff5C93C7},
    {0xff74AED4, 0xff2C6F9C, 0xff7DB4E6},
    {0xff358AC0, 0xff3F93CC, 0xffA5D2F7},
    {0xff005D96, 0xff7CC4F5, 0xffD6ECFF},
}};

// A pattern drawn once per brush: device-independent, and unlike Qt's own patterns on an opaque ground of its own.
QBrush tile(int size, const QColor& ground, const std::function<void(QPainter&)>& draw) {
  constexpr int kScale = 2;  // so that it stays crisp on dense screens
  QPixmap pixmap(size * kScale, size * kScale);
  pixmap.fill(ground);
  QPainter painter(&pixmap);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.scale(kScale, kScale);
  draw(painter);
  painter.end();
  QBrush brush(pixmap);
  brush.setTransform(QTransform::fromScale(1.0 / kScale, 1.0 / kScale));
  return brush;
}

constexpr double kEveryOther = 0.92;

/// How much of a colour its ground has, in each theme.
struct Share {
  double light;
  double dark;
  double contrast;
};

QColor ground(QColor colour, const Share& share, const Colours& colours) {
  colour.setAlpha(255);
  return mixed(colour, colours.surface(),
               colours.isContrast ? share.contrast
               : colours.isDark   ? share.dark
                                  : share.light);
}

}  // namespace

// Nothing but the theme of high contrast stands on black throughout.
Colours::Colours(const QPalette& palette)
    : isDark(palette.color(QPalette::Window).lightness() < 128),
      isContrast(palette.color(QPalette::Window) == Qt::black && palette.color(QPalette::Base) == Qt::black) {}

QColor Colours::in(const engine::Shades& shades) const {
  return QColor::fromRgb(isContrast ? shades.contrast : isDark ? shades.dark : shades.light);
}

QColor Colours::of(engine::Generation generation) const {
  return in(kGenerationColours[static_cast<std::size_t>(generation)]);
}

QColor Colours::of(engine::FieldKind kind) const {
  switch (kind) {
    case engine::FieldKind::Reference:
      return of(engine::Generation::Gen2);
    case engine::FieldKind::ValueType: {
      QColor colour = of(engine::Generation::Pinned);
      colour.setAlphaF(0.35F);
      return colour;
    }
    case engine::FieldKind::Pointer:
    case engine::FieldKind::Primitive:
      break;
  }
  return of(engine::Generation::Gen1);
}

QColor Colours::header() const {
  return in(engine::palette::kHeader);
}
QColor Colours::methodTable() const {
  return in(engine::palette::kMethodTable);
}
QColor Colours::padding() const {
  return in(engine::palette::kPadding);
}
QColor Colours::freeSpace() const {
  return in(engine::palette::kFree);
}
QColor Colours::live() const {
  return heatStep(3);
}
QColor Colours::outline() const {
  return in(engine::palette::kOutline);
}
QColor Colours::warning() const {
  return padding();
}
QColor Colours::dimmedText() const {
  return in(engine::palette::kDimmedText);
}
QColor Colours::gridLine() const {
  return in(engine::palette::kGridLine);
}
QColor Colours::surface() const {
  return in(engine::palette::kSurface);
}

QBrush Colours::paddingBrush() const {
  constexpr int kSize = 6;
  if (PlainPatterns::areWanted()) return mixed(padding(), surface(), 0.35);
  return tile(kSize, surface(), [this](QPainter& painter) {
    painter.setPen(QPen(padding(), isContrast ? 2 : 1.3));
    for (const int shift : {-kSize, 0, kSize}) painter.drawLine(QPointF(shift, kSize), QPointF(shift + kSize, 0));
  });
}

QBrush Colours::garbageBrush(const QColor& colour) const {
  constexpr int kSize = 6;
  const QColor ground = mixed(colour, surface(), 0.18);
  if (PlainPatterns::areWanted()) return mixed(colour, surface(), 0.4);
  // Down to the right, where the hatch of padding goes up.
  return tile(kSize, ground, [&](QPainter& painter) {
    painter.setPen(QPen(colour, isContrast ? 2 : 1.4));
    for (const int shift : {-kSize, 0, kSize}) painter.drawLine(QPointF(shift, 0), QPointF(shift + kSize, kSize));
  });
}

QBrush Colours::freeSpaceBrush() const {
  constexpr int kSize = 5;
  if (PlainPatterns::areWanted()) return freeSpace();
  return tile(kSize, freeSpace(), [this](QPainter& painter) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(in(engine::palette::kFreeDots));
    painter.drawEllipse(QPointF(kSize / 2.0, kSize / 2.0), 0.7, 0.7);
  });
}

QColor Colours::heatStep(int step) const {
  const int last = static_cast<int>(kHeatSteps.size()) - 1;
  return in(kHeatSteps[static_cast<std::size_t>(std::clamp(step, 0, last))]);
}

QColor Colours::textOn(const QColor& background) {
  const double light = engine::luminanceOf(background.rgb() & RGB_MASK);
  const double contrastWithWhite = 1.05 / (light + 0.05);
  const double contrastWithBlack = (light + 0.05) / 0.05;
  return contrastWithWhite >= contrastWithBlack ? QColor(Qt::white) : QColor(Qt::black);
}

QPen focusRing(const QPalette& palette) {
  return {palette.color(QPalette::Highlight), Colours(palette).isContrast ? 4.0 : 2.0};
}

void paintFocusRing(QPainter& painter, const QRectF& whole, const QPalette& palette) {
  const QPen ring = focusRing(palette);
  const double inset = ring.widthF() / 2;
  painter.setPen(ring);
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(whole.adjusted(inset, inset, -inset, -inset));
}

QPen markPen(const QPalette& palette, bool hasFocus) {
  QPen pen = focusRing(palette);
  if (hasFocus) pen.setWidthF(pen.widthF() + 1);
  return pen;
}

QColor fieldGround(engine::FieldKind kind, const Colours& colours) {
  switch (kind) {
    case engine::FieldKind::Reference:
      return ground(colours.of(kind), {0.5, 0.34, 0.5}, colours);
    case engine::FieldKind::ValueType:
      return ground(colours.of(kind), {0.4, 0.24, 0.42}, colours);
    case engine::FieldKind::Pointer:
    case engine::FieldKind::Primitive:
      break;
  }
  return ground(colours.of(kind), {0.34, 0.5, 0.34}, colours);
}

QColor headerGround(const Colours& colours) {
  return ground(colours.header(), {0.25, 0.7, 0.25}, colours);
}

QColor methodTableGround(const Colours& colours) {
  return ground(colours.methodTable(), {0.85, 0.9, 0.42}, colours);
}

QColor everyOther(const QColor& colour, const Colours& colours) {
  return mixed(colour, colours.surface(), kEveryOther);
}

}  // namespace heapscape::gui
