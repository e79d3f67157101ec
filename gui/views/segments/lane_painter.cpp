// SPDX-License-Identifier: MIT
#include "views/segments/lane_painter.h"

#include <QPainterPath>
#include <algorithm>

#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"

namespace heapscape::gui {

namespace {

constexpr double kSeparatedFrom = 3;  // narrower boxes touch each other
constexpr double kTextMargin = 4;

QColor blend(const QColor& over, const QColor& under, double share) {
  return QColor::fromRgbF(static_cast<float>(over.redF() * share + under.redF() * (1 - share)),
                          static_cast<float>(over.greenF() * share + under.greenF() * (1 - share)),
                          static_cast<float>(over.blueF() * share + under.blueF() * (1 - share)));
}

// The outline of a box as far as it lies in the bar, open where the bar's ends cut it. Without clipping, which vector
// files do not know.
QPainterPath outlineIn(const QRectF& bar, const QRectF& box) {
  QPainterPath outline;
  const double left = std::max(box.left(), bar.left());
  const double right = std::min(box.right(), bar.right());
  if (right < left) return outline;
  const bool hasLeft = box.left() >= bar.left();
  const bool hasRight = box.right() <= bar.right();
  outline.moveTo(left, box.bottom());
  if (hasLeft) {
    outline.lineTo(left, box.top());
  } else {
    outline.moveTo(left, box.top());
  }
  outline.lineTo(right, box.top());
  if (hasRight) {
    outline.lineTo(right, box.bottom());
  } else {
    outline.moveTo(right, box.bottom());
  }
  outline.lineTo(left, box.bottom());
  return outline;
}

}  // namespace

MapLook::MapLook(const QPalette& palette, const QFont& base)
    : colours(palette),
      freeBrush(colours.freeSpaceBrush()),
      unreadBrush(colours.paddingBrush()),
      text(palette.color(QPalette::Text)),
      accent(palette.color(QPalette::Highlight)),
      neutral(blend(colours.outline(), colours.surface(), 0.5)),
      font(base),
      boldFont(scaledFont(base, 1, QFont::DemiBold)),
      smallFont(scaledFont(base, 0.85)),
      fixedFont(gui::fixedFont(base)) {}

void LanePainter::paintUnwalked(const QRectF& bar, const AddressScale& scale, const engine::Segment& segment) {
  const double left = std::max(bar.left(), scale.xOf(segment.objects.start));
  const double right = std::min(bar.right(), scale.xOf(segment.objects.end));
  if (right > left)
    m_painter.fillRect(QRectF(left, bar.top(), std::max(right - left, 1.0), bar.height()), m_look.neutral);
}

void LanePainter::paintDensity(const QRectF& bar, const std::vector<DensityRun>& runs, bool hatchesUnknown) {
  const double pixel = 1 / m_look.pixelRatio;
  for (const DensityRun& run : runs) {
    double y = bar.bottom();
    const auto fill = [&](int height, const QBrush& brush) {
      if (height <= 0) return;
      const QRectF rect(run.left, y - height * pixel, run.right - run.left, height * pixel);
      m_painter.fillRect(rect, brush);
      y -= height * pixel;
    };
    for (const engine::Generation generation : engine::kGenerations) {
      fill(run.used[static_cast<std::size_t>(generation)], m_look.colours.of(generation));
    }
    fill(run.free, m_look.freeBrush);
    if (hatchesUnknown) fill(run.unknown, m_look.unreadBrush);
  }
}

void LanePainter::paintObjects(const QRectF& bar, const AddressScale& scale, const LaneContent& content,
                               const std::vector<engine::TypeRow>& types) {
  for (const engine::ObjectRow& object : content.objects) {
    const double left = std::max(bar.left(), scale.xOf(object.address));
    const double right = std::min(bar.right(), scale.xOf(object.address + object.alignedBytes));
    if (right <= bar.left() || left >= bar.right() || object.type.value >= types.size()) continue;
    paintObject(QRectF(left, bar.top(), right - left, bar.height()), object, types[object.type.value]);
  }
}

void LanePainter::paintObject(const QRectF& box, const engine::ObjectRow& object, const engine::TypeRow& type) {
  const double gap = box.width() >= kSeparatedFrom ? 1 : 0;
  const QRectF inside = box.adjusted(0, 0, -gap, 0);
  const QColor colour = m_look.colours.of(object.generation);
  m_painter.fillRect(inside, type.isFree ? m_look.freeBrush : QBrush(colour));

  const QFontMetrics metrics(m_look.smallFont);
  const double room = inside.width() - 2 * kTextMargin;
  if (room < metrics.averageCharWidth() * 4) return;
  const QString size = bytesText(type.isFree ? object.alignedBytes : object.sizeBytes);
  const QString name = type.isFree ? u"free"_s : shortTypeName(type.name);
  const QString text = metrics.elidedText(name, Qt::ElideRight, static_cast<int>(room));
  m_painter.setFont(m_look.smallFont);
  m_painter.setPen(type.isFree ? m_look.colours.dimmedText() : Colours::textOn(colour));
  const double left = inside.left() + kTextMargin;
  const auto write = [&](const QString& words, double top) {
    const QRectF place(left, top, metrics.horizontalAdvance(words) + 1, metrics.height());
    // Dots would run through the letters.
    if (type.isFree) m_painter.fillRect(place.adjusted(-1, 0, 1, 0), m_look.colours.freeSpace());
    m_painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter, words);
  };
  const double middle = inside.center().y();
  if (inside.height() >= metrics.height() * 2.2 && metrics.horizontalAdvance(size) <= room) {
    write(text, middle - metrics.height());
    write(size, middle);
  } else {
    const QString both = name + QLatin1Char(' ') + size;
    write(type.isFree && metrics.horizontalAdvance(both) <= room ? both : text, middle - metrics.height() / 2.0);
  }
}

void LanePainter::paintGenerationNames(const QRectF& bar, const AddressScale& scale, const engine::Segment& segment) {
  if (segment.generations.size() < 2) return;
  const QFontMetrics metrics(m_look.smallFont);
  m_painter.setFont(m_look.smallFont);
  for (const engine::GenerationRange& part : segment.generations) {
    const double left = std::max(bar.left(), scale.xOf(part.range.start));
    const double right = std::min(bar.right(), scale.xOf(part.range.end));
    const QString name = generationText(part.generation);
    const double width = metrics.horizontalAdvance(name) + 2 * kTextMargin;
    if (right - left < width + 4) continue;
    const QRectF tag(left + 2, bar.top() + 2, width, metrics.height());
    m_painter.fillRect(tag, m_look.colours.surface());
    m_painter.setPen(m_look.text);
    m_painter.drawText(tag, Qt::AlignCenter, name);
    m_painter.fillRect(QRectF(left, bar.top(), 1, bar.height()), m_look.text);
  }
}

void LanePainter::paintOutside(const QRectF& bar, const AddressScale& scale, const engine::Segment& segment,
                               int tailWidth) {
  const double start = scale.xOf(segment.objects.start);
  const double committedEnd = scale.xOf(segment.objects.start + committedSpan(segment));
  m_painter.setBrush(Qt::NoBrush);
  if (committedEnd - start >= 2 && committedEnd > bar.left() && start < bar.right()) {
    const QRectF committed =
        QRectF(start, bar.top(), committedEnd - start, bar.height()).adjusted(0.5, 0.5, -0.5, -0.5);
    m_painter.setPen(QPen(m_look.colours.outline(), 1));
    m_painter.drawPath(outlineIn(bar, committed));
  }
  const std::uint64_t reserved = reservedBytes(segment);
  if (reserved == 0 || committedEnd >= bar.right()) return;
  const QRectF tail = QRectF(committedEnd + 2, bar.top(), tailWidth - 2, bar.height()).adjusted(0.5, 0.5, -0.5, -0.5);
  const QRectF seen = tail.intersected(bar);
  if (seen.isEmpty()) return;
  m_painter.setPen(QPen(m_look.colours.outline(), 1, Qt::DashLine));
  m_painter.drawLine(seen.topLeft(), seen.topRight());
  m_painter.drawLine(seen.bottomLeft(), seen.bottomRight());
  if (tail.right() <= bar.right()) m_painter.drawLine(tail.topRight(), tail.bottomRight());
  const QString text = bytesText(reserved);
  if (QFontMetricsF(m_look.smallFont).horizontalAdvance(text) > seen.width()) return;
  m_painter.setFont(m_look.smallFont);
  m_painter.setPen(m_look.colours.dimmedText());
  m_painter.drawText(seen, Qt::AlignCenter, text);
}

void LanePainter::paintSelection(const QRectF& bar, const AddressScale& scale, const engine::ObjectRow& object) {
  const double left = scale.xOf(object.address);
  const double right = scale.xOf(object.address + object.alignedBytes);
  if (right < bar.left() || left > bar.right()) return;
  constexpr double kLeastWidth = 6;
  const bool isSmall = right - left < kLeastWidth;
  QRectF box(left, bar.top(), right - left, bar.height());
  if (isSmall) box = QRectF((left + right - kLeastWidth) / 2, bar.top(), kLeastWidth, bar.height());
  m_painter.save();
  m_painter.setRenderHint(QPainter::Antialiasing);
  const QPainterPath outline = outlineIn(bar.adjusted(-4, -4, 4, 4), box);
  // A thin line of the surface's colour keeps the accent apart from boxes of a like hue.
  m_painter.setBrush(Qt::NoBrush);
  m_painter.setPen(QPen(m_look.colours.surface(), 4));
  m_painter.drawPath(outline);
  m_painter.setPen(QPen(m_look.accent, 2));
  m_painter.drawPath(outline);
  if (isSmall) {
    const QPointF tip(box.center().x(), bar.top() + 2);
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(m_look.accent);
    m_painter.drawPolygon(QPolygonF{tip, tip + QPointF(-5, -6), tip + QPointF(5, -6)});
  }
  m_painter.restore();
}

}  // namespace heapscape::gui
