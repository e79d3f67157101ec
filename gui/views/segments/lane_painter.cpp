// SPDX-License-Identifier: MIT
#include "views/segments/lane_painter.h"

#include <QImage>
#include <QPaintEngine>
#include <QPainterPath>
#include <QPixmap>
#include <QtMath>
#include <algorithm>
#include <map>

#include "widgets/drawing/marks.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"

namespace heapscape::gui {

namespace {

constexpr double kSeparatedFrom = 3;  // narrower boxes touch each other
constexpr double kTextMargin = 4;
constexpr double kTickLength = 5;

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
      paleFreeBrush(mixed(colours.freeSpace(), colours.surface(), 0.5)),
      unreadBrush(colours.paddingBrush()),
      text(palette.color(QPalette::Text)),
      accent(palette.color(QPalette::Highlight)),
      neutral(mixed(colours.outline(), colours.surface(), 0.5)),
      font(base),
      boldFont(scaledFont(base, 1, QFont::DemiBold)),
      smallFont(scaledFont(base, 0.85)),
      fixedFont(gui::fixedFont(base)) {}

void MapLook::setColours(std::shared_ptr<const engine::MapColours> of, const engine::Snapshot& snapshot) {
  map = std::move(of);
  shades = mapShades(map.get(), snapshot, colours);
}

std::vector<MapShade> shadesFor(const MapLook& look, const LaneContent& content, const engine::Snapshot& snapshot) {
  const auto& map = content.question.paint.colours;
  return map == look.map ? look.shades : mapShades(map.get(), snapshot, look.colours);
}

void LanePainter::paintUnwalked(const QRectF& bar, const AddressScale& scale, const engine::Segment& segment) {
  const double left = std::max(bar.left(), scale.xOf(segment.objects.start));
  const double right = std::min(bar.right(), scale.xOf(segment.objects.end));
  if (right > left)
    m_painter.fillRect(QRectF(left, bar.top(), std::max(right - left, 1.0), bar.height()), m_look.neutral);
}

namespace {

/// The parts of a run from the bottom up: so many pixels of each brush.
template <class Visit>
void forEachPart(const DensityRun& run, const MapLook& look, const std::vector<MapShade>& shades, bool hatchesUnknown,
                 Visit visit) {
  for (std::size_t colour = 0; colour < shades.size(); ++colour) visit(run.used[colour], shades[colour].brush);
  visit(run.free, look.freeBrush);
  for (std::size_t colour = 0; colour < shades.size(); ++colour) visit(run.pale[colour], shades[colour].pale);
  visit(run.paleFree, look.paleFreeBrush);
  if (hatchesUnknown) visit(run.unknown, look.unreadBrush);
}

/// A brush with a pattern, laid over an area.
QImage laidOut(const QBrush& brush, QSize pixels, double pixelRatio) {
  QImage image(pixels, QImage::Format_ARGB32_Premultiplied);
  image.setDevicePixelRatio(pixelRatio);
  QPainter(&image).fillRect(QRectF(QPointF(), QSizeF(pixels) / pixelRatio), brush);
  return image;
}

}  // namespace

// Where every column is another, as with many colours, a rectangle for each of their parts would take more than a frame
// has time for: on the screen they become one picture, pixel by pixel.
void LanePainter::paintDensity(const QRectF& bar, const std::vector<DensityRun>& runs,
                               const std::vector<MapShade>& shades, bool hatchesUnknown) {
  if (m_painter.paintEngine()->type() == QPaintEngine::Raster) {
    paintPixels(bar, runs, shades, hatchesUnknown);
    return;
  }
  const double pixel = 1 / m_look.pixelRatio;
  for (const DensityRun& run : runs) {
    double y = bar.bottom();
    forEachPart(run, m_look, shades, hatchesUnknown, [&](int height, const QBrush& brush) {
      if (height <= 0) return;
      m_painter.fillRect(QRectF(run.left, y - height * pixel, run.right - run.left, height * pixel), brush);
      y -= height * pixel;
    });
  }
}

void LanePainter::paintPixels(const QRectF& bar, const std::vector<DensityRun>& runs,
                              const std::vector<MapShade>& shades, bool hatchesUnknown) {
  const double ratio = m_look.pixelRatio;
  const QSize size(qCeil(bar.width() * ratio), static_cast<int>(bar.height() * ratio));
  if (size.isEmpty()) return;
  QImage image(size, QImage::Format_ARGB32_Premultiplied);
  image.setDevicePixelRatio(ratio);
  image.fill(Qt::transparent);
  std::map<qint64, QImage> patterns;  // by their textures
  auto* pixels = reinterpret_cast<QRgb*>(image.bits());
  const qsizetype stride = image.bytesPerLine() / static_cast<qsizetype>(sizeof(QRgb));
  for (const DensityRun& run : runs) {
    const int first = std::clamp(qRound((run.left - bar.left()) * ratio), 0, size.width());
    const int last = std::clamp(qRound((run.right - bar.left()) * ratio), first, size.width());
    int bottom = size.height();
    forEachPart(run, m_look, shades, hatchesUnknown, [&](int height, const QBrush& brush) {
      const int top = std::max(0, bottom - height);
      const bool isPattern = brush.style() == Qt::TexturePattern;
      const QImage* pattern = nullptr;
      if (isPattern && height > 0) {
        QImage& laid = patterns[brush.texture().cacheKey()];
        if (laid.isNull()) laid = laidOut(brush, size, ratio);
        pattern = &laid;
      }
      const QRgb plain = qPremultiply(brush.color().rgba());
      for (int y = top; y < bottom; ++y) {
        QRgb* line = pixels + y * stride;
        if (pattern) {
          const auto* from = reinterpret_cast<const QRgb*>(pattern->constScanLine(y));
          std::copy(from + first, from + last, line + first);
        } else {
          std::fill(line + first, line + last, plain);
        }
      }
      bottom = top;
    });
  }
  m_painter.drawImage(bar.topLeft(), image);
}

void LanePainter::paintObjects(const QRectF& bar, const AddressScale& scale, const LaneContent& content,
                               const std::vector<engine::TypeRow>& types, const std::vector<MapShade>& shades) {
  for (std::size_t i = 0; i < content.objects.size(); ++i) {
    const engine::ObjectRow& object = content.objects[i];
    const engine::MapMark mark = content.marks[i];
    const double left = std::max(bar.left(), scale.xOf(object.address));
    const double right = std::min(bar.right(), scale.xOf(object.address + object.alignedBytes));
    if (right <= bar.left() || left >= bar.right() || object.type.value >= types.size()) continue;
    if (mark.colour >= shades.size()) continue;
    paintObject(QRectF(left, bar.top(), right - left, bar.height()), object, types[object.type.value],
                shades[mark.colour], mark.isPale);
  }
}

void LanePainter::paintObject(const QRectF& box, const engine::ObjectRow& object, const engine::TypeRow& type,
                              const MapShade& shade, bool isPale) {
  const double gap = box.width() >= kSeparatedFrom ? 1 : 0;
  const QRectF inside = box.adjusted(0, 0, -gap, 0);
  const QBrush& full = type.isFree ? m_look.freeBrush : shade.brush;
  m_painter.fillRect(inside, !isPale ? full : type.isFree ? m_look.paleFreeBrush : shade.pale);

  const QFontMetrics metrics(m_look.smallFont);
  const double room = inside.width() - 2 * kTextMargin;
  if (room < metrics.averageCharWidth() * 4) return;
  const QString size = bytesText(type.isFree ? object.alignedBytes : object.sizeBytes);
  const QString name = type.isFree ? u"free"_s : shortTypeName(type.name);
  const QString text = metrics.elidedText(name, Qt::ElideRight, static_cast<int>(room));
  m_painter.setFont(m_look.smallFont);
  const bool isDimmed = type.isFree || isPale;
  m_painter.setPen(isDimmed ? m_look.colours.dimmedText() : Colours::textOn(shade.ground));
  const double left = inside.left() + kTextMargin;
  const auto write = [&](const QString& words, double top) {
    const QRectF place(left, top, metrics.horizontalAdvance(words) + 1, metrics.height());
    // Dots and lines would run through the letters.
    const bool hasPlate = !isPale && (type.isFree || shade.isPattern);
    if (hasPlate)
      m_painter.fillRect(place.adjusted(-1, 0, 1, 0), type.isFree ? m_look.colours.freeSpace() : shade.ground);
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

void LanePainter::paintPins(const QRectF& bar, const std::vector<double>& places) {
  for (const double x : places) {
    const double inside = std::clamp(x, bar.left() + kPinMarkSize.width() / 2, bar.right() - kPinMarkSize.width() / 2);
    paintPinMark(m_painter, QPointF(inside, bar.bottom()), m_look.text, m_look.colours.surface());
  }
}

void LanePainter::paintRuler(const QRectF& room, const AddressScale& scale, std::optional<engine::Address> pointer,
                             bool isBelow) {
  const QFontMetrics metrics(m_look.fixedFont);
  const int textWidth = metrics.horizontalAdvance(u"0x7f0000000000"_s);
  const std::vector<RulerTick> ticks = rulerTicks(scale, textWidth + 24);
  const auto tickAt = [&](double x, double width, double length, const QColor& colour) {
    m_painter.fillRect(QRectF(x, isBelow ? room.top() : room.bottom() - length, width, length), colour);
  };
  m_painter.setFont(m_look.fixedFont);
  QString before = ticks.empty() ? QString() : addressText(ticks.back().address);
  for (const RulerTick& tick : ticks) {
    tickAt(tick.x, 1, kTickLength, m_look.colours.outline());
    const QString text = addressText(tick.address);
    const double left = tick.x - metrics.horizontalAdvance(text) / 2.0;
    if (left < room.left() || left + textWidth > room.right()) continue;
    // Only what differs from the address before stands out.
    const int prefix = ticks.size() < 2 ? 0 : commonPrefix(text, before);
    const QRectF place(left, room.top() + (isBelow ? kTickLength : 0), textWidth + 8, room.height() - kTickLength);
    m_painter.setPen(m_look.colours.dimmedText());
    m_painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter, text.left(prefix));
    m_painter.setPen(m_look.text);
    m_painter.drawText(place.adjusted(metrics.horizontalAdvance(text.left(prefix)), 0, 0, 0),
                       Qt::AlignLeft | Qt::AlignVCenter, text.mid(prefix));
    before = text;
  }
  if (!pointer) return;
  const double x = scale.xOf(*pointer);
  if (x >= scale.left() && x <= scale.right()) tickAt(x, 1.5, kTickLength + 4, m_look.accent);
}

void LanePainter::paintBrushed(const QRectF& bar, const AddressScale& scale, engine::AddressRange range) {
  const double left = std::max(bar.left(), scale.xOf(range.start));
  const double right = std::min(bar.right(), scale.xOf(range.end));
  if (right < bar.left() || left > bar.right()) return;
  const QRectF box(left, bar.top(), std::max(right - left, 1.0), bar.height());
  QColor tint = m_look.accent;
  tint.setAlphaF(0.18F);
  m_painter.fillRect(box, tint);
  m_painter.fillRect(QRectF(box.left() - 1, bar.top() - 2, 2, bar.height() + 4), m_look.accent);
  m_painter.fillRect(QRectF(box.right() - 1, bar.top() - 2, 2, bar.height() + 4), m_look.accent);
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
