// SPDX-License-Identifier: MIT
#include "views/references/graph/graph_legend.h"

#include <QPainter>
#include <array>
#include <span>

#include "views/references/graph/cut_marker.h"
#include "widgets/drawing/colours.h"
#include "widgets/drawing/hatch.h"

namespace heapscape::gui {

namespace {

constexpr int kSample = 28;
constexpr int kGraphLegendGap = 6;
constexpr int kBetween = 20;
constexpr int kGraphLegendMargin = 12;

enum class Sample { Cut, Freed, Arrow, Dominator, Path, Bar, Doubtful };

struct Entry {
  Sample sample;
  const char* text;
};
constexpr std::size_t kOfCuts = 2;  // entries at the beginning that are about cuts
constexpr std::array kEntries{
    Entry{Sample::Cut, "cut"},
    Entry{Sample::Freed, "would be freed"},
    Entry{Sample::Arrow, "holds"},
    Entry{Sample::Dominator, "is the only way to (dominates)"},
    Entry{Sample::Path, "on a path from a root"},
    Entry{Sample::Bar, "retained, against the largest here"},
    Entry{Sample::Doubtful, "not exact, or held by nothing"},
};

void paintSample(QPainter& painter, const QPalette& palette, Sample sample, const QRectF& area) {
  const Colours colours(palette);
  const double middle = area.center().y();
  switch (sample) {
    case Sample::Cut: {
      painter.setPen(QPen(colours.outline(), 1.3));
      painter.drawLine(QPointF(area.left(), middle), QPointF(area.center().x() - 5, middle));
      painter.drawLine(QPointF(area.center().x() + 5, middle), QPointF(area.right(), middle));
      painter.setPen(QPen(colours.warning(), 2));
      for (const double x : {-4.0, 4.0})
        painter.drawLine(area.center() + QPointF(x - 2, 5), area.center() + QPointF(x + 2, -5));
      return;
    }
    case Sample::Freed:
      paintHatch(painter, QRectF(area.left(), middle - 6, area.width(), 12), colours);
      return;
    case Sample::Arrow:
      painter.setPen(QPen(colours.outline(), 1.3));
      break;
    case Sample::Dominator:
      painter.setPen(QPen(palette.color(QPalette::Text), 3));
      break;
    case Sample::Path: {
      QPen pen(palette.color(QPalette::Highlight), 2.2, Qt::SolidLine, Qt::FlatCap);
      pen.setDashPattern({4, 2});
      painter.setPen(pen);
      break;
    }
    case Sample::Bar:
      painter.setPen(Qt::NoPen);
      painter.setBrush(colours.gridLine());
      painter.drawRoundedRect(QRectF(area.left(), middle - 2.5, area.width(), 5), 2.5, 2.5);
      painter.setBrush(colours.heatStep(3));
      painter.drawRoundedRect(QRectF(area.left(), middle - 2.5, area.width() * 0.6, 5), 2.5, 2.5);
      return;
    case Sample::Doubtful:
      painter.setPen(QPen(colours.outline(), 1.2, Qt::DashLine));
      painter.setBrush(Qt::NoBrush);
      painter.drawRoundedRect(QRectF(area.left(), middle - 6, area.width(), 12), 6, 6);
      return;
  }
  painter.drawLine(QPointF(area.left(), middle), QPointF(area.right(), middle));
}

}  // namespace

GraphLegend::GraphLegend(CutMarker& marker, QWidget* parent) : QWidget(parent) {
  connect(&marker, &CutMarker::shown, this, &GraphLegend::setHasCuts);
  QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
  setAccessibleName(QStringLiteral("Legend"));
  QStringList texts;
  for (const Entry& entry : kEntries) texts << QString::fromUtf8(entry.text);
  setAccessibleDescription(texts.join(QStringLiteral(", ")));
}

void GraphLegend::setHasCuts(bool hasCuts) {
  m_hasCuts = hasCuts;
  updateGeometry();
  update();
}

int GraphLegend::lineHeight() const {
  return fontMetrics().height() * 8 / 5;
}

// What does not fit beside the others goes on to the next line.
std::vector<QRect> GraphLegend::placesIn(int width) const {
  std::vector<QRect> places;
  int left = kGraphLegendMargin;
  int top = 0;
  for (const Entry& entry : std::span(kEntries).subspan(m_hasCuts ? 0 : kOfCuts)) {
    const int needed = kSample + kGraphLegendGap + fontMetrics().horizontalAdvance(QString::fromUtf8(entry.text)) + 1;
    if (left > kGraphLegendMargin && left + needed > width - kGraphLegendMargin) {
      left = kGraphLegendMargin;
      top += lineHeight();
    }
    places.emplace_back(left, top, needed, lineHeight());
    left += needed + kBetween;
  }
  return places;
}

int GraphLegend::heightForWidth(int width) const {
  return placesIn(width).back().bottom() + 1;
}

QSize GraphLegend::sizeHint() const {
  const QRect last = placesIn(QWIDGETSIZE_MAX).back();
  return {last.right() + 1 + kGraphLegendMargin, lineHeight()};
}

QSize GraphLegend::minimumSizeHint() const {
  return {kSample, lineHeight()};
}

void GraphLegend::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Entry* entry = kEntries.data() + (m_hasCuts ? 0 : kOfCuts);
  for (const QRect& place : placesIn(width())) {
    paintSample(painter, palette(), entry->sample, QRectF(place.left(), place.top(), kSample, place.height()));
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(place.adjusted(kSample + kGraphLegendGap, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                     QString::fromUtf8(entry->text));
    ++entry;
  }
}

}  // namespace heapscape::gui
