// SPDX-License-Identifier: MIT
#include "widgets/drawing/colours.h"

#include <QPainter>
#include <QPixmap>
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "widgets/drawing/hatch.h"
#include "widgets/drawing/plain_patterns.h"

namespace heapscape::gui {

namespace {

struct Pair {
  QRgb light;
  QRgb dark;
};

// Index: engine::Generation.
constexpr std::array<Pair, engine::kGenerationCount> kGenerationColours{{
    {0xff56B4E9, 0xff6CC3F2},
    {0xff009E73, 0xff2DB88F},
    {0xff0072B2, 0xff3F9BD8},
    {0xffCC79A7, 0xffDA93BC},
    {0xffE69F00, 0xffF0B33A},
    {0xff8A94A6, 0xffA3ADBD},
}};

// One hue, from pale to full; dark surfaces need the full end to be the lighter one.
constexpr std::array<Pair, 5> kHeatSteps{{
    {0xffDCE9F4, 0xff1F3443},
    {0xffADCFE6, 0xff234F6E},
    {0xff74AED4, 0xff2C6F9C},
    {0xff358AC0, 0xff3F93CC},
    {0xff005D96, 0xff7CC4F5},
}};

QColor pick(Pair pair, bool isDark) {
  return QColor::fromRgb(isDark ? pair.dark : pair.light);
}

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

double linear(double channel) {
  return channel <= 0.03928 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

// As WCAG has it.
double luminance(const QColor& colour) {
  return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

}  // namespace

Colours::Colours(const QPalette& palette) : isDark(palette.color(QPalette::Window).lightness() < 128) {}

QColor Colours::of(engine::Generation generation) const {
  return pick(kGenerationColours[static_cast<std::size_t>(generation)], isDark);
}

QColor Colours::of(engine::FieldKind kind) const {
  switch (kind) {
    case engine::FieldKind::Reference:
      return pick({0xff0072B2, 0xff3F9BD8}, isDark);
    case engine::FieldKind::ValueType: {
      QColor colour = pick({0xffE69F00, 0xffF0B33A}, isDark);
      colour.setAlphaF(0.35F);
      return colour;
    }
    case engine::FieldKind::Pointer:
    case engine::FieldKind::Primitive:
      break;
  }
  return pick({0xff009E73, 0xff2DB88F}, isDark);
}

QColor Colours::header() const {
  return pick({0xffC3C8D0, 0xff474D57}, isDark);
}
QColor Colours::methodTable() const {
  return pick({0xffAEB5C0, 0xff565D69}, isDark);
}
QColor Colours::padding() const {
  return pick({0xffD55E00, 0xffF07B2B}, isDark);
}
QColor Colours::freeSpace() const {
  return pick({0xffECEEF1, 0xff2A2E35}, isDark);
}
QColor Colours::outline() const {
  return pick({0xffA9B0BA, 0xff5C6470}, isDark);
}
QColor Colours::warning() const {
  return padding();
}
QColor Colours::dimmedText() const {
  return pick({0xff636B75, 0xff9AA3AF}, isDark);
}
QColor Colours::gridLine() const {
  return pick({0xffE4E7EB, 0xff30353D}, isDark);
}
QColor Colours::surface() const {
  return pick({0xffFFFFFF, 0xff1B1E23}, isDark);
}

QBrush Colours::paddingBrush() const {
  constexpr int kSize = 6;
  if (PlainPatterns::areWanted()) return mixed(padding(), surface(), 0.35);
  return tile(kSize, surface(), [this](QPainter& painter) {
    painter.setPen(QPen(padding(), 1.3));
    for (const int shift : {-kSize, 0, kSize}) painter.drawLine(QPointF(shift, kSize), QPointF(shift + kSize, 0));
  });
}

QBrush Colours::freeSpaceBrush() const {
  constexpr int kSize = 5;
  if (PlainPatterns::areWanted()) return freeSpace();
  return tile(kSize, freeSpace(), [this](QPainter& painter) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(pick({0xffBCC2CA, 0xff4A515B}, isDark));
    painter.drawEllipse(QPointF(kSize / 2.0, kSize / 2.0), 0.7, 0.7);
  });
}

QColor Colours::heatStep(int step) const {
  const int last = static_cast<int>(kHeatSteps.size()) - 1;
  return pick(kHeatSteps[static_cast<std::size_t>(std::clamp(step, 0, last))], isDark);
}

QColor Colours::textOn(const QColor& background) {
  const double light = luminance(background);
  const double contrastWithWhite = 1.05 / (light + 0.05);
  const double contrastWithBlack = (light + 0.05) / 0.05;
  return contrastWithWhite >= contrastWithBlack ? QColor(Qt::white) : QColor(Qt::black);
}

}  // namespace heapscape::gui
