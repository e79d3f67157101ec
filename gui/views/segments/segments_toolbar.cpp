// SPDX-License-Identifier: MIT
#include "views/segments/segments_toolbar.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <QToolButton>
#include <algorithm>

#include "views/segments/map_shades.h"
#include "widgets/arranging/layouts.h"
#include "widgets/drawing/colours.h"
#include "widgets/legend_chip.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

using engine::MapColouring;

namespace {

constexpr int kSpacing = 8;
constexpr double kSegmentsToolbarZoomStep = 2;
constexpr std::array kColourings{MapColouring::Generation, MapColouring::Liveness, MapColouring::LargestTypes,
                                 MapColouring::PickedType, MapColouring::Code,     MapColouring::Retained,
                                 MapColouring::Pinned};

int leastHeight(const QWidget* widget) {
  return std::max(24, widget->fontMetrics().height() * 16 / 10);
}

}  // namespace

SegmentsToolbar::SegmentsToolbar(QWidget* parent)
    : QWidget(parent),
      m_flow(new FlowLayout(nullptr, kSpacing)),
      m_colouringGroup(new QWidget(this)),
      m_colouring(new QComboBox),
      m_filters(new QWidget(this)),
      m_heap(new QComboBox),
      m_order(new QComboBox),
      m_hideEmpty(new QCheckBox(u"Hide empty"_s)),
      m_fillsWidth(new QCheckBox(u"Full width"_s)) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(12, 8, 12, 8);
  row->setSpacing(12);
  row->addLayout(m_flow, 1);
  addColouring();
  addGenerations();
  addSigns();
  addFilters();
  arrange(true);
  addZoom(row);
}

void SegmentsToolbar::addColouring() {
  auto* row = new QHBoxLayout(m_colouringGroup);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(kSpacing);
  auto* label = new QLabel(u"Colour by"_s, m_colouringGroup);
  label->setBuddy(m_colouring);
  m_colouring->setObjectName(u"mapColouring"_s);
  m_colouring->setAccessibleName(u"Colour by"_s);
  m_colouring->setMinimumHeight(leastHeight(this));
  for (const MapColouring colouring : kColourings)
    m_colouring->addItem(colouringText(colouring), static_cast<int>(colouring));
  row->addWidget(label);
  row->addWidget(m_colouring);
  connect(m_colouring, &QComboBox::currentIndexChanged, this, [this] { Q_EMIT colouringChanged(colouring()); });
}

void SegmentsToolbar::addGenerations() {
  for (const engine::Generation generation : engine::kGenerations) {
    // Without its colour where that means something else.
    auto* chip = new LegendChip(generationText(generation), [this, generation](const Colours& colours) {
      return m_isByGeneration ? ChipSample{colours.of(generation)}
                              : ChipSample{colours.outline(), QPen(colours.outline(), 1)};
    });
    chip->setCheckable(true);
    chip->setChecked(true);
    chip->setFocusPolicy(Qt::TabFocus);
    chip->setToolTip(u"Show or hide the segments of %1"_s.arg(chip->text()));
    connect(chip, &QAbstractButton::toggled, this, &SegmentsToolbar::readFilter);
    m_generations[static_cast<std::size_t>(generation)] = chip;
  }
}

void SegmentsToolbar::addSigns() {
  const auto add = [this](const QString& text, const QString& tip, auto sample) {
    m_signs.push_back(new LegendChip(text, sample));
    m_signs.back()->setToolTip(tip);
  };
  add(u"free"_s, u"Free objects: memory between objects that the GC may use again"_s, [](const Colours& colours) {
    return ChipSample{colours.freeSpaceBrush(), QPen(colours.outline(), 1)};
  });
  add(u"Committed"_s, u"Memory that the process has, but no object has used yet"_s, [](const Colours& colours) {
    return ChipSample{Qt::NoBrush, QPen(colours.outline(), 1)};
  });
  add(u"Reserved"_s, u"Address space kept for the segment without memory behind it; not drawn to scale"_s,
      [](const Colours& colours) {
        return ChipSample{Qt::NoBrush, QPen(colours.outline(), 1, Qt::DashLine)};
      });
  add(u"Pin"_s, u"An object that a pinned handle or the pinned heap keeps in place"_s,
      [](const Colours& colours) { return ChipSample{.fill = colours.in(engine::palette::kText), .isPin = true}; });
}

void SegmentsToolbar::addFilters() {
  auto* row = new QHBoxLayout(m_filters);  // so that they stay together where the line is too short for all
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(kSpacing);
  m_heap->setAccessibleName(u"Heap"_s);
  m_order->setAccessibleName(u"Order of the segments in a heap"_s);
  m_order->addItem(u"By generation"_s, static_cast<int>(LaneFilter::Order::Generation));
  m_order->addItem(u"By address"_s, static_cast<int>(LaneFilter::Order::Address));
  m_order->addItem(u"Largest first"_s, static_cast<int>(LaneFilter::Order::Size));
  m_hideEmpty->setToolTip(u"Leave out segments without objects"_s);
  m_fillsWidth->setToolTip(u"Scale each lane to full width, instead of all at one scale"_s);
  for (QWidget* widget : {static_cast<QWidget*>(m_heap), static_cast<QWidget*>(m_order),
                          static_cast<QWidget*>(m_hideEmpty), static_cast<QWidget*>(m_fillsWidth)}) {
    widget->setMinimumHeight(leastHeight(this));
    row->addWidget(widget);
  }
  m_heap->hide();
  connect(m_heap, &QComboBox::currentIndexChanged, this, &SegmentsToolbar::readFilter);
  connect(m_order, &QComboBox::currentIndexChanged, this, &SegmentsToolbar::readFilter);
  connect(m_hideEmpty, &QCheckBox::toggled, this, &SegmentsToolbar::readFilter);
  connect(m_fillsWidth, &QCheckBox::toggled, this, &SegmentsToolbar::fillsWidthChanged);
}

void SegmentsToolbar::arrange(bool isByGeneration) {
  m_isByGeneration = isByGeneration;
  while (QLayoutItem* item = m_flow->takeAt(0)) delete item;
  const auto add = [this](const auto& widgets) {
    for (QWidget* widget : widgets) m_flow->addWidget(widget);
  };
  m_flow->addWidget(m_colouringGroup);
  if (isByGeneration) add(m_generations);
  add(m_shades);
  add(m_signs);
  if (!isByGeneration) add(m_generations);
  m_flow->addWidget(m_filters);
  // Tab goes as they stand.
  QWidget* before = m_colouring;
  for (LegendChip* chip : m_generations) {
    setTabOrder(before, chip);
    before = chip;
    chip->setOnlyFilters(!isByGeneration);
    chip->update();
  }
}

void SegmentsToolbar::clearLegend() {
  for (QWidget* chip : m_shades) {
    m_flow->removeWidget(chip);
    delete chip;
  }
  m_shades.clear();
  arrange(true);
}

void SegmentsToolbar::showLegend(const std::shared_ptr<const engine::MapColours>& colours,
                                 const engine::Snapshot& snapshot) {
  clearLegend();
  const bool isByGeneration = !colours || colours->colouring() == MapColouring::Generation;
  const std::vector<MapShade> shades =
      isByGeneration ? std::vector<MapShade>() : mapShades(colours.get(), snapshot, Colours(palette()));
  for (std::size_t i = 0; i < shades.size(); ++i) {
    if (shades[i].text.isEmpty()) continue;
    // The theme may change.
    auto* chip = new LegendChip(shades[i].text, [colours, snapshot, i](const Colours& in) {
      return ChipSample{mapShades(colours.get(), snapshot, in)[i].brush};
    });
    if (i < colours->types().size()) chip->setToolTip(fromEngine(snapshot.typeName(colours->types()[i])));
    m_shades.push_back(chip);
  }
  arrange(isByGeneration);
  for (QWidget* chip : m_shades) chip->show();
}

engine::MapColouring SegmentsToolbar::colouring() const {
  return static_cast<MapColouring>(m_colouring->currentData().toInt());
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
  connect(add(u"−"_s, u"Zoom out"_s, u"Zoom the marked segment out (−)"_s), &QToolButton::clicked, this,
          [this] { Q_EMIT zoomRequested(kSegmentsToolbarZoomStep); });
  connect(add(u"+"_s, u"Zoom in"_s, u"Zoom into the marked segment (+, or the wheel)"_s), &QToolButton::clicked, this,
          [this] { Q_EMIT zoomRequested(1 / kSegmentsToolbarZoomStep); });
  m_fit = add(u"Fit all"_s, u"Fit all"_s, u"Show all segments whole again (0)"_s);
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
    m_heap->addItem(u"All heaps"_s);
    for (std::uint32_t heap = 0; heap < heaps; ++heap) m_heap->addItem(u"Heap %1"_s.arg(heap));
  }
  m_heap->setVisible(heaps > 1);
  auto* choices = qobject_cast<QStandardItemModel*>(m_colouring->model());
  for (int row = 0; row < m_colouring->count(); ++row) {
    const bool isKnown = isColouringKnown(snapshot, kColourings[static_cast<std::size_t>(row)]);
    choices->item(row)->setEnabled(isKnown);
    choices->item(row)->setToolTip(isKnown ? QString() : u"When it is known what the roots reach"_s);
  }
}

void SegmentsToolbar::clear() {
  resetFilter();
  const QSignalBlocker quiet(m_heap);
  m_heap->clear();
  m_colouring->setCurrentIndex(0);
  clearLegend();  // which keeps the dump open
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
