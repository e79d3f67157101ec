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
  setAccessibleName(QStringLiteral("Legend"));
  QStringList texts;
  for (const Entry& entry : kEntries) texts << QString::fromUtf8(entry.text);
  setAccessibleDescription(texts.join(QStringLiteral(", ")));
}

void GraphLegend::setHasCuts(bool hasCuts) {
  m_hasCuts = hasCuts;
  update();
}

QSize GraphLegend::sizeHint() const {
  int width = 2 * 12;
  for (const Entry& entry : kEntries)
    width += kSample + kGraphLegendGap + fontMetrics().horizontalAdvance(QString::fromUtf8(entry.text)) + kBetween;
  return {width, fontMetrics().height() * 8 / 5};
}

void GraphLegend::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  int left = 12;
  for (const Entry& entry : std::span(kEntries).subspan(m_hasCuts ? 0 : kOfCuts)) {
    const int text = fontMetrics().horizontalAdvance(QString::fromUtf8(entry.text));
    if (left + kSample + kGraphLegendGap + text > width()) return;  // what does not fit whole is left out
    paintSample(painter, palette(), entry.sample, QRectF(left, 0, kSample, height()));
    left += kSample + kGraphLegendGap;
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(QRect(left, 0, text + 1, height()), Qt::AlignLeft | Qt::AlignVCenter,
                     QString::fromUtf8(entry.text));
    left += text + kBetween;
  }
}

}  // namespace heapscape::gui
