// SPDX-License-Identifier: MIT
#include "widgets/treemap/treemap_painter.h"

#include <QPainter>
#include <algorithm>

#include "widgets/drawing/colours.h"
#include "widgets/drawing/hatch.h"
#include "widgets/text/figures.h"
#include "widgets/text/hidden_contents.h"

namespace heapscape::gui {

namespace {

constexpr double kMargin = 5;
constexpr qsizetype kFewestLetters = 9;
constexpr qsizetype kFewestOfAWord = 4;  // of one of several
constexpr double kLeastLined = 3;        // smaller tiles have no line around them

// A few letters and dots tell nothing.
QString fitting(const QString& name, double width, const QFontMetricsF& metrics) {
  const QString shown = metrics.elidedText(name, Qt::ElideMiddle, width);
  return shown == name || shown.size() >= kFewestLetters ? shown : QString();
}

QString nameOf(const TreemapPart& part) {
  return givenNameText(part.name.toStdString());
}

void paintHeading(QPainter& painter, const TreemapPart& group, const QRectF& heading, const QPalette& palette) {
  const QFontMetricsF metrics(painter.font());
  const QRectF room = heading.adjusted(0, 0, -kMargin, 0);
  const QString bytes = bytesText(group.bytes);
  const double bytesWidth = metrics.horizontalAdvance(bytes);
  const QString name = fitting(nameOf(group), room.width() - bytesWidth - 2 * kMargin, metrics);
  painter.setPen(palette.color(QPalette::WindowText));
  if (name.isEmpty()) {
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, fitting(nameOf(group), room.width(), metrics));
    return;
  }
  painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, name);
  painter.setPen(Colours(palette).dimmedText());
  painter.drawText(room, Qt::AlignRight | Qt::AlignVCenter, bytes);
}

QColor textColour(const ChipSample& sample, const QPalette& palette) {
  const bool isPlain = sample.fill.style() == Qt::SolidPattern && sample.fill.color().alphaF() > 0.99F;
  return isPlain ? Colours::textOn(sample.fill.color()) : palette.color(QPalette::WindowText);
}

/// The name on as few lines as it fits on by its words, long ones cut; the last line that there is room for has all
/// that is left, cut. If that leaves too few letters, the name on one line.
QStringList labelLines(const QString& name, double width, int mostLines, const QFontMetricsF& metrics) {
  QStringList lines;
  for (const QString& word : name.split(QLatin1Char(' '))) {
    const QString longer = lines.isEmpty() ? word : lines.last() + QLatin1Char(' ') + word;
    const bool isLast = lines.size() == mostLines;
    if (!lines.isEmpty() && (isLast || metrics.horizontalAdvance(longer) <= width)) {
      lines.last() = longer;
    } else {
      lines << word;
    }
    const QString shown = metrics.elidedText(lines.last(), Qt::ElideRight, width);
    const bool isOnly = word == name || mostLines == 1;
    if (shown != lines.last() && (isOnly || shown.size() < kFewestOfAWord)) return {fitting(name, width, metrics)};
  }
  for (QString& line : lines) line = metrics.elidedText(line, Qt::ElideRight, width);
  return lines;
}

void paintLabel(QPainter& painter, const TreemapPart& part, const QRectF& rect, const QColor& colour,
                const QColor& plate) {
  const QFontMetricsF metrics(painter.font());
  QRectF room = rect.adjusted(kMargin, kMargin / 2, -kMargin, -kMargin / 2);
  if (room.height() < metrics.height() || room.width() < 2 * metrics.averageCharWidth()) return;
  const int lines = 1 + static_cast<int>((room.height() - metrics.height()) / metrics.lineSpacing());
  QStringList label = labelLines(nameOf(part), room.width(), std::max(1, lines - 1), metrics);
  if (label.first().isEmpty()) return;
  const QString bytes = bytesText(part.bytes);
  if (label.size() < lines && metrics.horizontalAdvance(bytes) <= room.width()) label << bytes;
  painter.setPen(colour);
  for (const QString& line : label) {
    paintOnPlate(painter, room, Qt::AlignLeft | Qt::AlignTop, line, plate);
    room.setTop(room.top() + metrics.lineSpacing());
  }
}

// Between a tile and the next one: a tile that is small one way keeps in line with its neighbours the other way.
double gapOf(double extent) {
  return std::min(1.0, extent / 3);
}

void paintTile(QPainter& painter, const TreemapPart& part, const QRectF& rect, const QPalette& palette) {
  const Colours colours(palette);
  const ChipSample sample = part.sample ? part.sample(colours) : ChipSample{.fill = colours.freeSpaceBrush()};
  const bool isLined = rect.width() >= kLeastLined && rect.height() >= kLeastLined;
  const QRectF inner = rect.adjusted(0, 0, -gapOf(rect.width()), -gapOf(rect.height()));
  painter.fillRect(inner, sample.fill);
  if (sample.line.style() != Qt::NoPen && isLined) {
    painter.setPen(sample.line);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(inner.adjusted(0.5, 0.5, -0.5, -0.5));
  }
  const bool hasDots = sample.fill.style() == Qt::TexturePattern;
  paintLabel(painter, part, inner, textColour(sample, palette), hasDots ? colours.freeSpace() : QColor());
}

}  // namespace

void paintTreemap(QPainter& painter, const std::vector<TreemapPart>& groups, const std::vector<TreemapTile>& tiles,
                  const QPalette& palette) {
  for (const TreemapTile& tile : tiles) {
    const TreemapPart& group = groups[tile.spot.group];
    if (!tile.spot.isGroup()) {
      paintTile(painter, group.parts[tile.spot.part], tile.rect, palette);
    } else if (group.parts.empty()) {
      paintTile(painter, group, tile.rect, palette);
    } else if (!tile.heading.isEmpty()) {
      paintHeading(painter, group, tile.heading, palette);
    }
  }
}

}  // namespace heapscape::gui
