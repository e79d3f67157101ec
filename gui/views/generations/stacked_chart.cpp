// SPDX-License-Identifier: MIT
#include "views/generations/stacked_chart.h"

#include <QGraphicsLayout>
#include <QGraphicsSimpleTextItem>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QtCharts/QBarSet>
#include <QtCharts/QCategoryAxis>
#include <QtCharts/QChart>
#include <QtCharts/QHorizontalStackedBarSeries>
#include <QtCharts/QStackedBarSeries>
#include <cmath>

#include "widgets/drawing/colours.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"

namespace heapscape::gui {

namespace {

constexpr int kTotalGap = 8;
constexpr int kArrowRoom = 12;  // at the end of rows, for what lies further on
constexpr int kMostTicks = 5;
constexpr double kThinShare = 0.03;  // of the axis: a few pixels of a low chart

bool isThin(const QBarSet& set, double axis) {
  for (int slot = 0; slot < set.count(); ++slot) {
    if (set.at(slot) > 0 && set.at(slot) < axis * kThinShare) return true;
  }
  return false;
}

}  // namespace

StackedChart::StackedChart(Direction direction, QWidget* parent)
    : QChartView(new QChart, parent), PictureItems(this), m_direction(direction), m_bubble(new HoverBubble(this)) {
  setFrameShape(QFrame::NoFrame);
  setRenderHint(QPainter::Antialiasing);
  setMouseTracking(true);
  viewport()->setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  chart()->legend()->hide();
  chart()->setMargins(QMargins(0, 0, 0, 0));
  chart()->layout()->setContentsMargins(0, 0, 0, 0);
  chart()->setBackgroundVisible(false);
  chart()->setAnimationOptions(QChart::NoAnimation);
  connect(chart(), &QChart::plotAreaChanged, this, [this] {
    updateBarNames();
    placeTotals();
  });
  setBackgroundBrush(Colours(palette()).surface());
}

void StackedChart::setTable(const StackTable& table) {
  m_table = table;
  setCurrent(std::nullopt);
  rebuild();
  tellItemsChanged();
  updateGeometry();
}

void StackedChart::setBoundaryNames(const std::vector<QString>& names) {
  m_boundaryNames = names;
  rebuild();
}

void StackedChart::setMark(std::optional<double> place, const QString& meaning) {
  m_mark = place;
  m_markMeaning = meaning;
  setAccessibleDescription(place ? meaning : QString());
  viewport()->update();
}

QSize StackedChart::sizeHint() const {
  const int line = fontMetrics().height();
  const int rows = m_direction == Direction::Rows ? static_cast<int>(m_table.bars.size()) : 0;
  return {line * 24, std::max(line * 16, rows * line * 2 + line * 3)};
}

QSize StackedChart::minimumSizeHint() const {
  return {fontMetrics().height() * 16, sizeHint().height()};
}

std::size_t StackedChart::slotOf(std::size_t bar) const {
  return m_direction == Direction::Rows ? m_table.bars.size() - 1 - bar : bar;
}

void StackedChart::rebuild() {
  chart()->removeAllSeries();
  for (QAbstractAxis* axis : chart()->axes()) {
    chart()->removeAxis(axis);
    delete axis;
  }
  m_series = nullptr;
  m_names = nullptr;
  m_values = nullptr;
  m_namesEach = 0;
  for (QGraphicsSimpleTextItem* item : m_totals) delete item;
  m_totals.clear();
  if (m_table.bars.empty()) {
    colour();
    return;
  }
  // Half of the uppermost value's name stands above the columns.
  chart()->setMargins(QMargins(0, m_direction == Direction::Columns ? fontMetrics().height() / 2 : 0, 0, 0));
  buildSeries();
  buildAxes();
  colour();
  updateBarNames();
  placeTotals();
}

// Colours what is there: rebuilt axes would be laid out only later, and a pinned picture cannot wait for them.
void StackedChart::colour() {
  const Colours colours(palette());
  setBackgroundBrush(colours.surface());
  if (!m_series) return;
  const QList<QBarSet*> sets = m_series->barSets();
  for (std::size_t part = 0; part < m_table.parts.size(); ++part) {
    const auto& generation = m_table.parts[part].generation;
    QBarSet* set = sets[static_cast<qsizetype>(part)];
    set->setBrush(!generation                     ? colours.freeSpaceBrush()
                  : m_table.parts[part].isGarbage ? colours.garbageBrush(colours.of(*generation))
                                                  : QBrush(colours.of(*generation)));
    // Between parts of a column, but where it would hide one that is thin.
    const bool hasGaps = colours.isContrast && m_direction == Direction::Columns && !isThin(*set, m_values->max());
    const QPen gap = hasGaps ? QPen(colours.surface(), 1.5) : QPen(Qt::NoPen);
    set->setPen(generation ? gap : QPen(colours.outline(), 1));
  }
  for (QGraphicsSimpleTextItem* total : m_totals) total->setBrush(palette().color(QPalette::Text));
  for (QCategoryAxis* axis : {m_values, m_names}) {
    axis->setLabelsColor(colours.dimmedText());
    axis->setGridLineColor(colours.gridLine());
    axis->setLinePen(QPen(colours.outline(), 1));
  }
  if (m_direction == Direction::Rows) m_names->setLabelsColor(palette().color(QPalette::Text));
}

void StackedChart::buildSeries() {
  if (m_direction == Direction::Rows) {
    m_series = new QHorizontalStackedBarSeries;
  } else {
    m_series = new QStackedBarSeries;
  }
  m_series->setBarWidth(m_direction == Direction::Rows ? 0.62 : 0.86);
  for (const StackPart& part : m_table.parts) {
    auto* set = new QBarSet(partName(part));
    for (std::size_t slot = 0; slot < part.values.size(); ++slot)
      *set << static_cast<double>(part.values[slotOf(slot)]);
    m_series->append(set);
  }
  chart()->addSeries(m_series);
  if (m_direction == Direction::Columns) return;
  for (std::size_t bar = 0; bar < m_table.bars.size(); ++bar) {
    auto* total = new QGraphicsSimpleTextItem(measureText(m_table.barTotal(bar), m_table.measure), chart());
    total->setFont(font());
    m_totals.push_back(total);
  }
}

void StackedChart::buildAxes() {
  const bool isRows = m_direction == Direction::Rows;
  const auto setUp = [this](QCategoryAxis* axis) {
    axis->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
    axis->setLabelsFont(scaledFont(font(), 0.9));
    axis->setTruncateLabels(false);
  };
  m_values = new QCategoryAxis;
  setUp(m_values);
  m_values->setLineVisible(false);
  m_values->setGridLineVisible(!isRows);  // rows say their figure themselves
  const double longest = longestBar();
  std::vector<double> ticks = niceTicks(longest, kMostTicks, m_table.measure);
  if (!isRows && ticks.size() > 1 && ticks.back() < longest) ticks.push_back(ticks.back() + ticks[1]);
  m_values->setRange(0, isRows ? longest : std::max(ticks.back(), longest));
  for (const double tick : ticks) m_values->append(tickText(tick, m_table.measure), tick);
  m_names = new QCategoryAxis;
  setUp(m_names);
  m_names->setGridLineVisible(false);
  m_names->setLineVisible(!isRows);
  m_names->setStartValue(-0.5);
  m_names->setRange(-0.5, static_cast<double>(m_table.bars.size()) - 0.5);
  chart()->addAxis(m_values, isRows ? Qt::AlignBottom : Qt::AlignLeft);
  chart()->addAxis(m_names, isRows ? Qt::AlignLeft : Qt::AlignBottom);
  m_series->attachAxis(m_values);
  m_series->attachAxis(m_names);
}

// As many names as there is room for: of columns each one, each second, each fourth …
void StackedChart::updateBarNames() {
  if (!m_names) return;
  const bool isRows = m_direction == Direction::Rows;
  const std::size_t bars = m_table.bars.size();
  std::size_t each = 1;
  if (!isRows) {
    int widest = 1;
    const QFontMetrics metrics(m_names->labelsFont());
    for (const QString& name : m_boundaryNames) widest = std::max(widest, metrics.horizontalAdvance(name));
    const double room = chart()->plotArea().width() / static_cast<double>(bars);
    while (static_cast<double>(each) * room < widest + 12 && each < bars) each *= 2;
  }
  if (each == m_namesEach) return;
  m_namesEach = each;
  for (const QString& label : m_names->categoriesLabels()) m_names->remove(label);
  for (std::size_t slot = 0; slot < bars; slot += each) {
    const bool isBoundary = !isRows && slot < m_boundaryNames.size();
    const QString name = isBoundary ? m_boundaryNames[slot] : m_table.bars[slotOf(slot)].name;
    m_names->append(name, static_cast<double>(slot) - (isBoundary ? 0.5 : 0.0));
  }
}

void StackedChart::placeTotals() {
  if (!m_series || m_totals.empty()) return;
  double widest = 0;
  for (const QGraphicsSimpleTextItem* total : m_totals) widest = std::max(widest, total->boundingRect().width());
  const double width = chart()->plotArea().width();
  // A tick that would go through a figure has it behind itself.
  const double behindBars = m_table.spaces.empty() ? widest : 2 * widest + kTotalGap + kArrowRoom;
  const double room = std::max(width - behindBars - 2 * kTotalGap, width / 4);
  const double end = longestBar() * width / std::max(room, 1.0);
  if (width > 0 && std::abs(m_values->max() - end) > end * 1e-3) m_values->setRange(0, end);
  for (std::size_t bar = 0; bar < m_totals.size(); ++bar) {
    // Behind all that is drawn of it.
    std::uint64_t behind = m_table.barTotal(bar);
    if (bar < m_table.spaces.size()) behind = std::max(behind, m_table.spaces[bar].committed);
    const QPointF end(static_cast<double>(behind), static_cast<double>(slotOf(bar)));
    const QPointF at = chart()->mapToPosition(end, m_series);
    const QRectF figure = m_totals[bar]->boundingRect();
    double left = at.x() + kTotalGap;
    if (bar < m_table.spaces.size() && m_table.spaces[bar].due) {
      const double due =
          chart()->mapToPosition(QPointF(static_cast<double>(*m_table.spaces[bar].due), 0), m_series).x();
      if (due > left - kTotalGap && due < left + figure.width() + kTotalGap) left = due + kTotalGap;
    }
    m_totals[bar]->setPos(left, at.y() - figure.height() / 2);
  }
}

std::optional<StackedChart::Spot> StackedChart::spotAt(QPoint point) const {
  if (!m_series || m_table.bars.empty()) return std::nullopt;
  const QPointF inChart = chart()->mapFromScene(mapToScene(point));
  const QRectF area = chart()->plotArea();
  const bool isRows = m_direction == Direction::Rows;
  // The names beside the bars belong to them.
  const bool isInside = isRows
                            ? inChart.y() >= area.top() && inChart.y() <= area.bottom() && inChart.x() <= area.right()
                            : inChart.x() >= area.left() && inChart.x() <= area.right() && inChart.y() >= area.top();
  if (!isInside) return std::nullopt;
  const QPointF value = chart()->mapToValue(inChart, m_series);
  const double along = isRows ? value.y() : value.x();
  const auto slot =
      static_cast<std::size_t>(std::clamp(std::lround(along), 0L, static_cast<long>(m_table.bars.size()) - 1));
  return Spot{slotOf(slot), m_table.partAt(slotOf(slot), isRows ? value.x() : value.y())};
}

QRectF StackedChart::bandOf(std::size_t bar) const {
  const QRectF area = chart()->plotArea();
  const double count = static_cast<double>(m_table.bars.size());
  if (m_direction == Direction::Rows) {
    const double height = area.height() / count;
    return {area.left(), area.top() + height * static_cast<double>(bar), area.width(), height};
  }
  const double width = area.width() / count;
  return {area.left() + width * static_cast<double>(bar), area.top(), width, area.height()};
}

QPoint StackedChart::middleOf(std::size_t bar) const {
  return mapFromScene(chart()->mapToScene(bandOf(bar).center()));
}

void StackedChart::tellPicked(const Spot& spot) {
  const bool isOfGarbage = m_table.measure == Measure::Garbage || (spot.part && m_table.parts[*spot.part].isGarbage);
  Q_EMIT picked(m_table.scopeOf(spot.bar, spot.part), isOfGarbage);
}

double StackedChart::longestBar() const {
  std::uint64_t longest = std::max<std::uint64_t>(m_table.largestBar(), 1);
  // What is committed is memory as well; a budget may be a hundred times what is used, and is only pointed at then.
  for (const StackSpace& space : m_table.spaces) longest = std::max(longest, space.committed);
  return static_cast<double>(longest);
}

// Around each bar what is committed for it, and a tick where it is due to be collected; an arrow where that lies
// further on than the axis goes.
void StackedChart::paintSpaces(QPainter& painter) const {
  if (!m_series || m_table.spaces.empty() || m_direction != Direction::Rows) return;
  const Colours colours(palette());
  const QRectF area = chart()->plotArea();
  for (std::size_t bar = 0; bar < m_table.spaces.size(); ++bar) {
    const StackSpace& space = m_table.spaces[bar];
    const QRectF band = bandOf(bar);
    const double half = band.height() * m_series->barWidth() / 2;
    const auto placeOf = [&](std::uint64_t bytes) {
      return area.left() + static_cast<double>(bytes) / m_values->max() * area.width();
    };
    const QRectF whole(QPointF(area.left(), band.center().y() - half),
                       QPointF(std::min(placeOf(space.committed), area.right()), band.center().y() + half));
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colours.outline(), 1));
    painter.drawRect(chart()->mapRectToScene(whole));
    if (!space.due) continue;
    painter.setPen(QPen(palette().color(QPalette::Text), 2));
    const double at = placeOf(*space.due);
    constexpr double kOver = 3;
    if (at <= area.right()) {
      painter.drawLine(chart()->mapToScene(QPointF(at, whole.top() - kOver)),
                       chart()->mapToScene(QPointF(at, whole.bottom() + kOver)));
    } else {
      const QPointF tip = chart()->mapToScene(QPointF(area.right(), band.center().y()));
      painter.drawLine(tip, tip + QPointF(-5, -4));
      painter.drawLine(tip, tip + QPointF(-5, 4));
    }
  }
}

void StackedChart::paintMark(QPainter& painter) const {
  if (!m_series || !m_mark || m_direction != Direction::Columns || m_table.bars.empty()) return;
  const QRectF area = chart()->plotArea();
  const double x = area.left() + *m_mark * area.width() / static_cast<double>(m_table.bars.size());
  painter.setPen(QPen(palette().color(QPalette::Text), 1, Qt::DashLine));
  painter.drawLine(chart()->mapToScene(QPointF(x, area.top())), chart()->mapToScene(QPointF(x, area.bottom())));
  // On the side where there is more room.
  constexpr double kGap = 4;
  const bool isLeft = x - area.left() > area.right() - x;
  const QRectF room = isLeft ? QRectF(area.left(), area.top(), x - area.left() - kGap, fontMetrics().height())
                             : QRectF(x + kGap, area.top(), area.right() - x - kGap, fontMetrics().height());
  painter.setPen(palette().color(QPalette::Text));
  painter.drawText(chart()->mapRectToScene(room), (isLeft ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter,
                   m_markMeaning);
}

void StackedChart::drawForeground(QPainter* painter, const QRectF& rect) {
  QChartView::drawForeground(painter, rect);
  paintSpaces(*painter);
  paintMark(*painter);
  if (!m_current || m_current->bar >= m_table.bars.size()) return;
  QColor tint = palette().color(QPalette::Highlight);
  const QRectF band = chart()->mapRectToScene(bandOf(m_current->bar));
  tint.setAlphaF(0.10F);
  painter->fillRect(band, tint);
  if (hasFocus()) {
    painter->setPen(focusRing(palette()));
    painter->setBrush(Qt::NoBrush);
    painter->drawRect(mapToScene(rectOf(*m_current).toAlignedRect()).boundingRect().adjusted(1, 1, -1, -1));
  }
}

void StackedChart::setCurrent(std::optional<Spot> spot) {
  m_current = spot;
  if (!spot) m_bubble->hide();
  viewport()->setCursor(spot ? Qt::PointingHandCursor : Qt::ArrowCursor);
  viewport()->update();
}

void StackedChart::tell(const Spot& spot, QPoint at) {
  m_bubble->showAt(at, stackText(m_table, spot.bar, spot.part, Colours(palette())));
}

std::vector<StackedChart::Spot> StackedChart::spots() const {
  std::vector<Spot> spots;
  for (std::size_t bar = 0; bar < m_table.bars.size(); ++bar) {
    spots.push_back({bar, std::nullopt});
    for (std::size_t part = 0; part < m_table.parts.size(); ++part) {
      if (m_table.parts[part].values[bar] > 0) spots.push_back({bar, part});
    }
  }
  return spots;
}

QRectF StackedChart::rectOf(const Spot& spot) const {
  const QRectF band = bandOf(spot.bar);
  if (!spot.part || !m_series) return mapFromScene(chart()->mapRectToScene(band)).boundingRect();
  std::uint64_t below = 0;
  for (std::size_t part = 0; part < *spot.part; ++part) below += m_table.parts[part].values[spot.bar];
  const auto at = [&](std::uint64_t value) {
    const double along = static_cast<double>(slotOf(spot.bar));
    const QPointF end = m_direction == Direction::Rows ? QPointF(static_cast<double>(value), along)
                                                       : QPointF(along, static_cast<double>(value));
    return chart()->mapToPosition(end, m_series);
  };
  const QPointF from = at(below), to = at(below + m_table.parts[*spot.part].values[spot.bar]);
  QRectF rect = band;
  if (m_direction == Direction::Rows) {
    rect.setLeft(from.x());
    rect.setRight(std::max(to.x(), from.x() + 1));
  } else {
    rect.setBottom(from.y());
    rect.setTop(std::min(to.y(), from.y() - 1));
  }
  return mapFromScene(chart()->mapRectToScene(rect)).boundingRect();
}

BubbleText StackedChart::itemText(std::size_t item) const {
  const Spot spot = spots()[item];
  return stackText(m_table, spot.bar, spot.part, Colours(palette()));
}

std::optional<std::size_t> StackedChart::currentItem() const {
  const std::vector<Spot> all = spots();
  const auto found = std::ranges::find(all, m_current);
  return found == all.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - all.begin()));
}

void StackedChart::pressItem(std::size_t item) {
  const Spot spot = spots()[item];
  tellPicked(spot);
}

void StackedChart::goTo(const Spot& spot) {
  setCurrent(spot);
  tell(spot, rectOf(spot).center().toPoint());
  tellCurrent();
}

void StackedChart::goAlong(bool isForward) {
  const std::size_t last = m_table.bars.size() - 1;
  if (!m_current) {
    goTo({isForward ? 0 : last, std::nullopt});
    return;
  }
  const std::size_t bar = m_current->bar;
  goTo({isForward ? std::min(last, bar + 1) : bar - std::min<std::size_t>(bar, 1), std::nullopt});
}

// To the bar's own parts; before the first of them is the bar as a whole.
void StackedChart::goAcross(bool isForward) {
  const auto item = currentItem();
  if (!item) {
    goAlong(isForward);
    return;
  }
  const std::vector<Spot> all = spots();
  const std::size_t next = isForward ? *item + 1 : *item - 1;
  if (next < all.size() && all[next].bar == m_current->bar) goTo(all[next]);
}

void StackedChart::mouseMoveEvent(QMouseEvent* event) {
  const std::optional<Spot> spot = spotAt(event->position().toPoint());
  setCurrent(spot);
  if (spot) tell(*spot, event->position().toPoint());
}

void StackedChart::mousePressEvent(QMouseEvent* event) {
  event->accept();
}

void StackedChart::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  const std::optional<Spot> spot = spotAt(event->position().toPoint());
  if (spot) tellPicked(*spot);
}

void StackedChart::leaveEvent(QEvent* event) {
  QChartView::leaveEvent(event);
  setCurrent(std::nullopt);
}

void StackedChart::focusOutEvent(QFocusEvent* event) {
  QChartView::focusOutEvent(event);
  setCurrent(std::nullopt);
}

void StackedChart::keyPressEvent(QKeyEvent* event) {
  if (m_table.bars.empty()) {
    QChartView::keyPressEvent(event);
    return;
  }
  const bool isRows = m_direction == Direction::Rows;
  switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
      if (isRows) {
        goAlong(event->key() == Qt::Key_Down);
      } else {
        goAcross(event->key() == Qt::Key_Up);
      }
      return;
    case Qt::Key_Left:
    case Qt::Key_Right:
      if (isRows) {
        goAcross(event->key() == Qt::Key_Right);
      } else {
        goAlong(event->key() == Qt::Key_Right);
      }
      return;
    default:
      if (!takesKey(event->key())) QChartView::keyPressEvent(event);
  }
}

void StackedChart::changeEvent(QEvent* event) {
  QChartView::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) colour();
  if (event->type() == QEvent::FontChange) rebuild();
}

}  // namespace heapscape::gui
