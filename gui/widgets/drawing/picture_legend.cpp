// SPDX-License-Identifier: MIT
#include "widgets/drawing/picture_legend.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPalette>
#include <QPointer>
#include <QVariant>
#include <QWidget>
#include <algorithm>
#include <utility>
#include <vector>

#include "widgets/drawing/colours.h"
#include "widgets/legend_chip.h"

namespace heapscape::gui {
namespace {

constexpr const char* kLegendProperty = "pictureLegend";
constexpr const char* kFootProperty = "pictureFoot";
constexpr double kLegendMargin = 8;
constexpr double kLegendGap = 16;

/// Of the picture or of the nearest widget around it that has one, in the same window.
QWidget* legendOf(const QWidget& picture) {
  for (const QWidget* around = &picture; around; around = around->parentWidget()) {
    QWidget* legend = around->property(kLegendProperty).value<QPointer<QWidget>>();
    if (legend) return legend->isVisibleTo(legend->parentWidget()) ? legend : nullptr;
    if (around->isWindow()) break;
  }
  return nullptr;
}

/// Of the picture or of the nearest widget around it that has one, in the same window; it may have a height of 0.
PictureFoot footOf(const QWidget& picture) {
  for (const QWidget* around = &picture; around; around = around->parentWidget()) {
    const QVariant foot = around->property(kFootProperty);
    if (foot.isValid()) return foot.value<PictureFoot>();
    if (around->isWindow()) break;
  }
  return {};
}

/// The entries that hold for what is shown.
std::vector<const LegendChip*> entriesOf(const QWidget& legend) {
  std::vector<const LegendChip*> entries;
  for (const auto* chip : legend.findChildren<LegendChip*>()) {
    if (chip->explains() && chip->isVisibleTo(&legend)) entries.push_back(chip);
  }
  // As they stand, which may not be as they were made.
  std::ranges::stable_sort(entries, {}, [&](const LegendChip* chip) {
    const QPoint place = chip->mapTo(&legend, QPoint());
    return std::pair(place.y(), place.x());
  });
  return entries;
}

struct PlacedEntry {
  const LegendChip* chip;
  QRectF place;
};

std::vector<PlacedEntry> placed(const QWidget& picture, const QWidget& legend, double width) {
  std::vector<PlacedEntry> entries;
  const QFontMetricsF metrics(picture.font());
  const double line = metrics.height() * 1.4;
  QPointF next(kLegendMargin, kLegendMargin);
  for (const LegendChip* chip : entriesOf(legend)) {
    const double wanted = metrics.height() + metrics.horizontalAdvance(chip->text());
    if (next.x() > kLegendMargin && next.x() + wanted > width - kLegendMargin)
      next = QPointF(kLegendMargin, next.y() + line);
    entries.push_back({chip, QRectF(next, QSizeF(wanted, line))});
    next.rx() += wanted + kLegendGap;
  }
  return entries;
}

}  // namespace

void setPictureLegend(QWidget* picture, QWidget* legend) {
  picture->setProperty(kLegendProperty, QVariant::fromValue(QPointer<QWidget>(legend)));
}

void setPictureFoot(QWidget* picture, const PictureFoot& foot) {
  picture->setProperty(kFootProperty, QVariant::fromValue(foot));
}

double heightBelowPicture(const QWidget& picture, double width) {
  const PictureFoot foot = footOf(picture);
  const double footHeight = foot.height ? foot.height(width) : 0;
  const QWidget* legend = legendOf(picture);
  if (!legend) return footHeight;
  const std::vector<PlacedEntry> entries = placed(picture, *legend, width);
  return footHeight + (entries.empty() ? 0 : entries.back().place.bottom() + kLegendMargin);
}

void paintBelowPicture(QPainter& painter, QWidget& picture, const QRectF& wholeRoom) {
  QRectF room = wholeRoom;
  const PictureFoot foot = footOf(picture);
  if (const double height = foot.height ? foot.height(room.width()) : 0; height > 0) {
    painter.save();
    painter.setFont(picture.font());
    foot.paint(painter, {room.topLeft(), QSizeF(room.width(), height)});
    painter.restore();
    room.setTop(room.top() + height);
  }
  QWidget* legend = legendOf(picture);
  if (!legend) return;
  const Colours colours(picture.palette());
  const QFontMetricsF metrics(picture.font());
  const double side = metrics.height() * 3 / 4;
  painter.save();
  painter.setFont(picture.font());
  for (const PlacedEntry& entry : placed(picture, *legend, room.width())) {
    const QRectF place = entry.place.translated(room.topLeft());
    paintChipSample(painter, QRectF(place.left(), place.center().y() - side / 2, side, side),
                    entry.chip->sample(colours), colours);
    painter.setPen(colours.in(engine::palette::kText));
    painter.drawText(
        QPointF(place.left() + metrics.height(), place.center().y() + (metrics.ascent() - metrics.descent()) / 2),
        entry.chip->text());
  }
  painter.restore();
}

}  // namespace heapscape::gui
