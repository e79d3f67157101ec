// SPDX-License-Identifier: MIT
#include "views/segments/segments_toolbar.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QToolButton>
#include <algorithm>

#include "widgets/arranging/flow_layout.h"
#include "widgets/drawing/colours.h"
#include "widgets/legend_chip.h"
#include "widgets/text/heap_figures.h"

namespace heapscape::gui {

namespace {

constexpr int kSpacing = 8;
constexpr double kSegmentsToolbarZoomStep = 2;

int leastHeight(const QWidget* widget) {
  return std::max(24, widget->fontMetrics().height() * 16 / 10);
}

}  // namespace

SegmentsToolbar::SegmentsToolbar(QWidget* parent)
    : QWidget(parent),
      m_heap(new QComboBox),
      m_order(new QComboBox),
      m_hideEmpty(new QCheckBox(QStringLiteral("Hide empty"))),
      m_fillsWidth(new QCheckBox(QStringLiteral("Fill the width"))) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(12, 8, 12, 8);
  row->setSpacing(12);
  auto* flow = new FlowLayout(nullptr, kSpacing);
  addLegend(flow);
  addFilters(flow);
  row->addLayout(flow, 1);
  addZoom(row);
}

void SegmentsToolbar::addLegend(FlowLayout* flow) {
  for (const engine::Generation generation : engine::kGenerations) {
    auto* chip = new LegendChip(generationText(generation),
                                [generation](const Colours& colours) { return ChipSample{colours.of(generation)}; });
    chip->setCheckable(true);
    chip->setChecked(true);
    chip->setFocusPolicy(Qt::TabFocus);
    chip->setToolTip(QStringLiteral("Show or hide the segments of %1").arg(chip->text()));
    connect(chip, &QAbstractButton::toggled, this, &SegmentsToolbar::readFilter);
    m_generations[static_cast<std::size_t>(generation)] = chip;
    flow->addWidget(chip);
  }
  auto* freeSpace = new LegendChip(QStringLiteral("free"), [](const Colours& colours) {
    return ChipSample{colours.freeSpaceBrush(), QPen(colours.outline(), 1)};
  });
  freeSpace->setToolTip(QStringLiteral("Gaps between objects, which the collector has made into free objects"));
  auto* committed = new LegendChip(QStringLiteral("Committed"), [](const Colours& colours) {
    return ChipSample{Qt::NoBrush, QPen(colours.outline(), 1)};
  });
  committed->setToolTip(QStringLiteral("Memory that the process has, but no object has used yet"));
  auto* reserved = new LegendChip(QStringLiteral("Reserved"), [](const Colours& colours) {
    return ChipSample{Qt::NoBrush, QPen(colours.outline(), 1, Qt::DashLine)};
  });
  reserved->setToolTip(
      QStringLiteral("Address space kept for the segment without memory behind it; not drawn to scale"));
  for (LegendChip* chip : {freeSpace, committed, reserved}) flow->addWidget(chip);
}

void SegmentsToolbar::addFilters(FlowLayout* flow) {
  auto* group = new QWidget;  // so that they stay together where the line is too short for all
  auto* row = new QHBoxLayout(group);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(kSpacing);
  m_heap->setAccessibleName(QStringLiteral("Heap"));
  m_order->setAccessibleName(QStringLiteral("Order of the segments in a heap"));
  m_order->addItem(QStringLiteral("By generation"), static_cast<int>(LaneFilter::Order::Generation));
  m_order->addItem(QStringLiteral("By address"), static_cast<int>(LaneFilter::Order::Address));
  m_order->addItem(QStringLiteral("Largest first"), static_cast<int>(LaneFilter::Order::Size));
  m_hideEmpty->setToolTip(QStringLiteral("Leave out segments without objects"));
  m_fillsWidth->setToolTip(QStringLiteral("Draw every segment as wide as the map, instead of all at one scale"));
  for (QWidget* widget : {static_cast<QWidget*>(m_heap), static_cast<QWidget*>(m_order),
                          static_cast<QWidget*>(m_hideEmpty), static_cast<QWidget*>(m_fillsWidth)}) {
    widget->setMinimumHeight(leastHeight(this));
    row->addWidget(widget);
  }
  flow->addWidget(group);
  m_heap->hide();
  connect(m_heap, &QComboBox::currentIndexChanged, this, &SegmentsToolbar::readFilter);
  connect(m_order, &QComboBox::currentIndexChanged, this, &SegmentsToolbar::readFilter);
  connect(m_hideEmpty, &QCheckBox::toggled, this, &SegmentsToolbar::readFilter);
  connect(m_fillsWidth, &QCheckBox::toggled, this, &SegmentsToolbar::fillsWidthChanged);
}

void SegmentsToolbar::addZoom(QHBoxLayout* row) {
  const auto add = [&](const QString& text, const QString& name, const QString& tip) {
    auto* button = new QToolButton;
    button->setText(text);
    button->setAccessibleName(name);
    button->setToolTip(tip);
    button->setAutoRaise(true);
    button->setMinimumSize(leastHeight(this), leastHeight(this));
    row->addWidget(button, 0, Qt::AlignTop);
    return button;
  };
  connect(add(QStringLiteral("−"), QStringLiteral("Zoom out"), QStringLiteral("Zoom the marked segment out (−)")),
          &QToolButton::clicked, this, [this] { Q_EMIT zoomRequested(kSegmentsToolbarZoomStep); });
  connect(add(QStringLiteral("+"), QStringLiteral("Zoom in"),
              QStringLiteral("Zoom into the marked segment (+, or the wheel)")),
          &QToolButton::clicked, this, [this] { Q_EMIT zoomRequested(1 / kSegmentsToolbarZoomStep); });
  m_fit =
      add(QStringLiteral("Fit all"), QStringLiteral("Fit all"), QStringLiteral("Show all segments whole again (0)"));
  m_fit->setEnabled(false);
  connect(m_fit, &QToolButton::clicked, this, &SegmentsToolbar::fitRequested);
}

void SegmentsToolbar::showSnapshot(const engine::Snapshot& snapshot) {
  std::uint32_t heaps = 0;
  std::array<bool, engine::kGenerationCount> isThere{};
  for (const engine::Segment& segment : snapshot.segments()) {
    heaps = std::max(heaps, segment.heap + 1);
    isThere[static_cast<std::size_t>(mainGeneration(segment))] = true;
    for (const engine::GenerationRange& part : segment.generations)
      isThere[static_cast<std::size_t>(part.generation)] = true;
  }
  for (std::size_t generation = 0; generation < engine::kGenerationCount; ++generation) {
    m_generations[generation]->setVisible(isThere[generation]);
  }
  if (m_heap->count() != static_cast<int>(heaps) + 1) {
    const QSignalBlocker quiet(m_heap);
    m_heap->clear();
    m_heap->addItem(QStringLiteral("All heaps"));
    for (std::uint32_t heap = 0; heap < heaps; ++heap) m_heap->addItem(QStringLiteral("Heap %1").arg(heap));
  }
  m_heap->setVisible(heaps > 1);
}

void SegmentsToolbar::clear() {
  resetFilter();
  const QSignalBlocker quiet(m_heap);
  m_heap->clear();
}

void SegmentsToolbar::resetFilter() {
  const LaneFilter::Order order = m_filter.order;
  m_filter = {};
  m_filter.order = order;
  writeFilter();
  Q_EMIT filterChanged(m_filter);
}

void SegmentsToolbar::setCanFit(bool canFit) {
  m_fit->setEnabled(canFit);
}

void SegmentsToolbar::readFilter() {
  LaneFilter filter;
  for (std::size_t generation = 0; generation < engine::kGenerationCount; ++generation) {
    filter.generations[generation] = m_generations[generation]->isChecked();
  }
  if (m_heap->currentIndex() > 0) filter.heap = static_cast<std::uint32_t>(m_heap->currentIndex() - 1);
  filter.hideEmpty = m_hideEmpty->isChecked();
  filter.order = static_cast<LaneFilter::Order>(m_order->currentData().toInt());
  if (filter == m_filter) return;
  m_filter = filter;
  Q_EMIT filterChanged(m_filter);
}

void SegmentsToolbar::writeFilter() {
  for (std::size_t generation = 0; generation < engine::kGenerationCount; ++generation) {
    const QSignalBlocker quiet(m_generations[generation]);
    m_generations[generation]->setChecked(m_filter.generations[generation]);
    m_generations[generation]->update();
  }
  const QSignalBlocker quietHeap(m_heap);
  const QSignalBlocker quietEmpty(m_hideEmpty);
  m_heap->setCurrentIndex(m_filter.heap ? static_cast<int>(*m_filter.heap) + 1 : 0);
  m_hideEmpty->setChecked(m_filter.hideEmpty);
}

}  // namespace heapscape::gui
