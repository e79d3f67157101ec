// SPDX-License-Identifier: MIT
#include "views/overview/age_donut.h"

#include <QChart>
#include <QChartView>
#include <QEvent>
#include <QGraphicsLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QPieSeries>
#include <QPieSlice>
#include <QVBoxLayout>
#include <QtMath>
#include <algorithm>
#include <cmath>

#include "widgets/accessible/picture_items.h"
#include "widgets/bar_row.h"
#include "widgets/drawing/colours.h"
#include "widgets/drawing/picture_actions.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"

namespace heapscape::gui {

std::vector<AgeShare> ageShares(const std::vector<engine::GenerationRow>& rows,
                                const std::vector<engine::RetainedTotals>& reach) {
  std::vector<AgeShare> shares;
  AgeShare free;
  for (const engine::Generation generation : engine::kGenerations) {
    AgeShare share{.generation = generation};
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const engine::GenerationRow& row = rows[i];
      if (row.generation != generation) continue;
      if (i < reach.size()) share.garbageBytes += reach[i].garbageBytes();
      const HeapFigures figures = heapFigures(row.totals);
      share.objects += figures.objects;
      share.bytes += figures.bytes;
      free.objects += figures.freeObjects;
      free.bytes += figures.freeBytes;
    }
    if (share.bytes > 0) shares.push_back(share);
  }
  if (free.bytes > 0) shares.push_back(free);
  return shares;
}

QString ageShareName(const AgeShare& share) {
  return share.generation ? generationText(*share.generation) : u"free between"_s;
}

namespace {

QStringList garbageOf(const AgeShare& share) {
  if (share.garbageBytes == 0) return {};
  return {u"%1 of it garbage"_s.arg(bytesText(share.garbageBytes))};
}

// A line of the donut's legend.
BarLine lineOf(const AgeShare& share, std::uint64_t wholeBytes) {
  const QString counted = countedText(share.objects, share.generation ? u"object"_s : u"free object"_s);
  const QString bytes = bytesText(share.bytes);
  const QString percent = percentText(share.bytes, wholeBytes);
  return {
      .form = RowForm::Sample,
      .text = ageShareName(share),
      .textRoom = u"free between"_s,
      .figures = {{.text = percent, .room = u">99.9%"_s, .isDimmed = true}, {.text = bytes, .room = u"88.8 MB"_s}},
      .sample =
          [generation = share.generation](const Colours& colours) {
            return generation ? QBrush(colours.of(*generation)) : colours.freeSpaceBrush();
          },
      .isSampleOutlined = !share.generation,
      .tip = (QStringList{counted, exactBytesText(share.bytes)} + garbageOf(share)).join(QLatin1Char('\n')),
      .spoken = (QStringList{u"%1: %2"_s.arg(ageShareName(share), bytes), percent} + garbageOf(share)).join(u", "_s),
      .leads = share.generation.has_value()};
}

constexpr double kHole = 0.62;
constexpr double kRing = 0.94;
constexpr double kEmphasis = 0.04;
constexpr int kRingRows = 13;

}  // namespace

/// The ring, with the whole written into its hole.
class AgeDonut::RingView : public QChartView, public PictureItems {
 public:
  RingView(QChart* chart, AgeDonut* donut) : QChartView(chart, donut), PictureItems(this), m_donut(*donut) {}

  std::size_t itemCount() const override { return m_donut.m_shares.size(); }
  BubbleText itemText(std::size_t item) const override {
    const std::uint64_t bytes = m_donut.m_shares[item].bytes;
    return {
        .swatch = {},
        .title = ageShareName(m_donut.m_shares[item]),
        .facts = QStringList{exactBytesText(bytes), u"%1 of the heap"_s.arg(percentText(bytes, m_donut.m_wholeBytes))} +
                 garbageOf(m_donut.m_shares[item])};
  }
  QRectF itemRect(std::size_t item) const override {
    return mapFromScene(chart()->mapRectToScene(outlineOf(item).boundingRect())).boundingRect();
  }
  std::optional<std::size_t> currentItem() const override { return m_current; }
  void goToItem(std::size_t item) override {
    setCurrent(item);
    tellCurrent();
  }
  void pressItem(std::size_t item) override { m_donut.pick(item); }
  void tellOthers() {
    m_current.reset();
    tellItemsChanged();
  }

  void setWhole(const QString& figure, const QString& label) {
    m_figure = figure;
    m_label = label;
    viewport()->update();
  }

 protected:
  // QChartView asks who has grabbed the mouse, and nobody has once a press on a slice has led to another place.
  void mousePressEvent(QMouseEvent* event) override { QGraphicsView::mousePressEvent(event); }

  void keyPressEvent(QKeyEvent* event) override {
    if (m_donut.m_shares.empty() || !takesKey(event->key())) QChartView::keyPressEvent(event);
  }
  void focusInEvent(QFocusEvent* event) override {
    QChartView::focusInEvent(event);
    setCurrent(m_current);
  }
  void focusOutEvent(QFocusEvent* event) override {
    QChartView::focusOutEvent(event);
    if (m_current) m_donut.emphasise(*m_current, false);
  }

  void drawForeground(QPainter* painter, const QRectF&) override {
    const QRectF hole = chart()->plotArea();
    painter->setFont(scaledFont(font(), 1.5, QFont::DemiBold));
    painter->setPen(palette().color(QPalette::WindowText));
    const double line = painter->fontMetrics().height();
    painter->drawText(QRectF(hole.x(), hole.center().y() - line, hole.width(), line), Qt::AlignCenter, m_figure);
    painter->setFont(font());
    painter->setPen(Colours(palette()).dimmedText());
    painter->drawText(QRectF(hole.x(), hole.center().y(), hole.width(), fontMetrics().lineSpacing()), Qt::AlignCenter,
                      m_label);
    if (!hasFocus() || !m_current) return;
    painter->setPen(focusRing(palette()));
    painter->setBrush(Qt::NoBrush);
    painter->drawPath(outlineOf(*m_current));
  }

 private:
  // The current slice stands out as one under the pointer does.
  void setCurrent(std::optional<std::size_t> item) {
    if (m_current) m_donut.emphasise(*m_current, false);
    m_current = item;
    if (item) m_donut.emphasise(*item, true);
  }
  // In the chart's coordinates.
  QPainterPath outlineOf(std::size_t item) const {
    QPainterPath outline;
    const QList<QPieSlice*> slices = m_donut.m_series->slices();
    for (qsizetype i = 0; i < slices.size(); ++i)
      if (m_donut.m_shareOf[static_cast<std::size_t>(i)] == item) outline.addPath(outlineOf(*slices[i]));
    return outline;
  }
  QPainterPath outlineOf(const QPieSlice& slice) const {
    const QRectF plot = chart()->plotArea();
    const double side = std::min(plot.width(), plot.height()) * kRing;
    const QRectF ring(plot.center() - QPointF(side, side) / 2, QSizeF(side, side));
    const QRectF hole(ring.center() - QPointF(side, side) * kHole / 2, ring.size() * kHole);
    // Qt Charts counts degrees clockwise from the top, paths from the right and the other way round.
    QPainterPath path;
    path.arcMoveTo(ring, 90 - slice.startAngle());
    path.arcTo(ring, 90 - slice.startAngle(), -slice.angleSpan());
    path.arcTo(hole, 90 - slice.startAngle() - slice.angleSpan(), slice.angleSpan());
    path.closeSubpath();
    if (slice.isExploded()) {
      const double middle = qDegreesToRadians(slice.startAngle() + slice.angleSpan() / 2);
      path.translate(QPointF(std::sin(middle), -std::cos(middle)) * side / 2 * kEmphasis);
    }
    return path;
  }

  AgeDonut& m_donut;
  std::optional<std::size_t> m_current;
  QString m_figure;
  QString m_label;
};

AgeDonut::AgeDonut(QWidget* parent)
    : QWidget(parent),
      m_chart(new QChart),
      m_series(new QPieSeries),
      m_view(new RingView(m_chart, this)),
      m_legend(new QWidget(this)),
      m_legendLayout(new QVBoxLayout(m_legend)) {
  buildChart();
  m_legendLayout->setContentsMargins(0, 0, 0, 0);
  m_legendLayout->setSpacing(0);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(16);
  layout->addWidget(m_view);
  layout->addWidget(m_legend, 1, Qt::AlignVCenter);
}

void AgeDonut::buildChart() {
  m_series->setHoleSize(kHole);
  m_series->setPieSize(kRing);
  m_chart->addSeries(m_series);
  m_chart->legend()->hide();
  m_chart->setMargins(QMargins());
  m_chart->setBackgroundRoundness(0);
  m_chart->setBackgroundBrush(Qt::NoBrush);
  m_chart->layout()->setContentsMargins(0, 0, 0, 0);
  const int side = fontMetrics().height() * kRingRows;
  m_view->setFixedSize(side, side);
  m_view->setRenderHint(QPainter::Antialiasing);
  m_view->setFrameShape(QFrame::NoFrame);
  m_view->setFocusPolicy(Qt::StrongFocus);
  m_view->setAccessibleName(u"Bytes by generation"_s);
  connect(m_series, &QPieSeries::clicked, this, [this](QPieSlice* slice) { pick(shareOf(slice)); });
  connect(m_series, &QPieSeries::hovered, this,
          [this](QPieSlice* slice, bool isHovered) { emphasise(shareOf(slice), isHovered); });
  addPictureActions(
      this, [this](QPainter& painter, QSize) { render(&painter, QPoint(), QRegion(), QWidget::DrawChildren); },
      u"generations"_s, PictureContents::None);
}

void AgeDonut::setShares(const std::vector<AgeShare>& shares) {
  m_shares = shares;
  fill();
}

std::size_t AgeDonut::shareOf(QPieSlice* slice) const {
  return m_shareOf[static_cast<std::size_t>(m_series->slices().indexOf(slice))];
}

void AgeDonut::fill() {
  m_wholeBytes = 0;
  std::uint64_t inObjects = 0, garbage = 0;
  for (const AgeShare& share : m_shares) {
    m_wholeBytes += share.bytes;
    if (share.generation) inObjects += share.bytes;
    garbage += share.garbageBytes;
  }
  m_series->clear();
  m_shareOf.clear();
  while (QLayoutItem* item = m_legendLayout->takeAt(0)) {
    delete item->widget();
    delete item;
  }
  for (std::size_t i = 0; i < m_shares.size(); ++i) {
    const AgeShare& share = m_shares[i];
    m_series->append(ageShareName(share), static_cast<double>(share.bytes - share.garbageBytes));
    m_shareOf.push_back(i);
    if (share.garbageBytes > 0) {
      m_series->append(u"%1, garbage"_s.arg(ageShareName(share)), static_cast<double>(share.garbageBytes));
      m_shareOf.push_back(i);
    }
    auto* row = new BarRow(lineOf(share, m_wholeBytes), m_legend);
    row->setMaximumWidth(row->sizeHint().width() * 3 / 2);  // figures stay near their name
    connect(row, &BarRow::hovered, this, [this, i](bool isHovered) { emphasise(i, isHovered); });
    connect(row, &BarRow::clicked, this, [this, i] { pick(i); });
    m_legendLayout->addWidget(row);
  }
  m_view->setWhole(bytesText(inObjects),
                   garbage == 0 ? u"in objects"_s : u"%1 garbage"_s.arg(percentText(garbage, inObjects)));
  m_view->tellOthers();
  colour();
}

void AgeDonut::pick(std::size_t share) {
  if (const auto generation = m_shares[share].generation) Q_EMIT generationPicked(*generation);
}

void AgeDonut::colour() {
  const Colours colours(palette());
  m_view->setBackgroundBrush(colours.surface());
  const QList<QPieSlice*> slices = m_series->slices();
  for (qsizetype i = 0; i < slices.size(); ++i) {
    const auto slice = static_cast<std::size_t>(i);
    const AgeShare& share = m_shares[m_shareOf[slice]];
    const bool isGarbage = slice > 0 && m_shareOf[slice - 1] == m_shareOf[slice];
    slices[i]->setBrush(!share.generation ? colours.freeSpaceBrush()
                        : isGarbage       ? colours.garbageBrush(colours.of(*share.generation))
                                          : QBrush(colours.of(*share.generation)));
    slices[i]->setPen(QPen(colours.surface(), 1.5));
    slices[i]->setExplodeDistanceFactor(kEmphasis);
    slices[i]->setLabelVisible(false);
  }
}

void AgeDonut::emphasise(std::size_t share, bool isHovered) {
  const QList<QPieSlice*> slices = m_series->slices();
  for (qsizetype i = 0; i < slices.size(); ++i)
    if (m_shareOf[static_cast<std::size_t>(i)] == share) slices[i]->setExploded(isHovered);
}

void AgeDonut::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) colour();
}

}  // namespace heapscape::gui
