// SPDX-License-Identifier: MIT
#include "views/segments/segments_place.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWidget>
#include <algorithm>
#include <array>

#include "models/lacking_heap.h"
#include "session/snapshot/snapshot.h"
#include "views/segments/segment_lane.h"
#include "views/segments/segment_map.h"
#include "widgets/arranging/layouts.h"
#include "widgets/drawing/colours.h"
#include "widgets/legend_chip.h"
#include "widgets/section.h"
#include "widgets/state_panel.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

/// The legend of the segment map, which is its filter as well, and its zoom buttons.
class SegmentsToolbar : public QWidget {
  Q_OBJECT

 public:
  explicit SegmentsToolbar(QWidget* parent = nullptr);

  /// Offers the heaps and generations that there are.
  void showSnapshot(const engine::Snapshot& snapshot);
  void clear();
  const LaneFilter& filter() const { return m_filter; }
  /// Shows everything again.
  void resetFilter();
  void setCanFit(bool canFit);

 Q_SIGNALS:
  void filterChanged(const heapscape::gui::LaneFilter& filter);
  void fillsWidthChanged(bool fills);
  void zoomRequested(double factor);
  void fitRequested();

 private:
  void addLegend(FlowLayout* flow);
  void addFilters(FlowLayout* flow);
  void addZoom(QHBoxLayout* row);
  void readFilter();
  void writeFilter();

  LaneFilter m_filter;
  std::array<LegendChip*, engine::kGenerationCount> m_generations{};
  QComboBox* m_heap;
  QComboBox* m_order;
  QCheckBox* m_hideEmpty;
  QCheckBox* m_fillsWidth;
  QToolButton* m_fit = nullptr;
};

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
      m_hideEmpty(new QCheckBox(u"Hide empty"_s)),
      m_fillsWidth(new QCheckBox(u"Fill the width"_s)) {
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
    chip->setToolTip(u"Show or hide the segments of %1"_s.arg(chip->text()));
    connect(chip, &QAbstractButton::toggled, this, &SegmentsToolbar::readFilter);
    m_generations[static_cast<std::size_t>(generation)] = chip;
    flow->addWidget(chip);
  }
  auto* freeSpace = new LegendChip(u"free"_s, [](const Colours& colours) {
    return ChipSample{colours.freeSpaceBrush(), QPen(colours.outline(), 1)};
  });
  freeSpace->setToolTip(u"Free objects: memory between objects that the GC may use again"_s);
  auto* committed = new LegendChip(u"Committed"_s, [](const Colours& colours) {
    return ChipSample{Qt::NoBrush, QPen(colours.outline(), 1)};
  });
  committed->setToolTip(u"Memory that the process has, but no object has used yet"_s);
  auto* reserved = new LegendChip(u"Reserved"_s, [](const Colours& colours) {
    return ChipSample{Qt::NoBrush, QPen(colours.outline(), 1, Qt::DashLine)};
  });
  reserved->setToolTip(u"Address space kept for the segment without memory behind it; not drawn to scale"_s);
  for (LegendChip* chip : {freeSpace, committed, reserved}) flow->addWidget(chip);
}

void SegmentsToolbar::addFilters(FlowLayout* flow) {
  auto* group = new QWidget;  // so that they stay together where the line is too short for all
  auto* row = new QHBoxLayout(group);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(kSpacing);
  m_heap->setAccessibleName(u"Heap"_s);
  m_order->setAccessibleName(u"Order of the segments in a heap"_s);
  m_order->addItem(u"By generation"_s, static_cast<int>(LaneFilter::Order::Generation));
  m_order->addItem(u"By address"_s, static_cast<int>(LaneFilter::Order::Address));
  m_order->addItem(u"Largest first"_s, static_cast<int>(LaneFilter::Order::Size));
  m_hideEmpty->setToolTip(u"Leave out segments without objects"_s);
  m_fillsWidth->setToolTip(u"Draw every segment as wide as the map, instead of all at one scale"_s);
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

SegmentsPlace::SegmentsPlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : Place(bridge, navigator, parent),
      m_pages(new QStackedWidget),
      m_state(new StatePanel),
      m_map(new SegmentMap(bridge)),
      m_toolbar(new SegmentsToolbar) {
  auto* picture = new QWidget;
  auto* column = new QVBoxLayout(picture);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_toolbar);
  column->addWidget(m_map, 1);
  column->addWidget(makeHint());

  m_pages->addWidget(m_state);
  m_pages->addWidget(picture);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(m_pages);
  m_state->showEmpty(u"No dump is open"_s, u"Open a core dump to see where its objects lie."_s);
  setupConnections();
}

SegmentsPlace::~SegmentsPlace() = default;

QWidget* SegmentsPlace::makeHint() {
  auto* strip = new QWidget(this);
  auto* row = new QHBoxLayout(strip);
  row->setContentsMargins(12, 6, 12, 6);
  QLabel* hint = makeNote(
      u"The wheel zooms, dragging pans, a double click opens an object or fits the segment. Shift and the wheel "
      "scroll."_s,
      strip);
  hint->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  row->addWidget(hint);
  return strip;
}

void SegmentsPlace::setupConnections() {
  connect(m_toolbar, &SegmentsToolbar::filterChanged, this,
          [this](const LaneFilter& filter) { m_map->setFilter(filter); });
  connect(m_toolbar, &SegmentsToolbar::fillsWidthChanged, m_map, &SegmentMap::setFillsWidth);
  connect(m_toolbar, &SegmentsToolbar::zoomRequested, m_map, &SegmentMap::zoomBy);
  connect(m_toolbar, &SegmentsToolbar::fitRequested, m_map, &SegmentMap::fitAll);
  connect(m_map, &SegmentMap::zoomChanged, this, [this] { m_toolbar->setCanFit(m_map->state().isAnyZoomed()); });
  connect(m_map, &SegmentMap::filterHidesSelection, m_toolbar, &SegmentsToolbar::resetFilter);
  connect(m_map, &SegmentMap::opened, this,
          [this](const Selection& selection) { m_navigator.showObject(selection.object); });
  connect(m_map, &SegmentMap::picked, this, [this](const Selection& selection) {
    m_revealed = selection;
    m_navigator.select(selection);
  });
}

void SegmentsPlace::showSnapshot(const engine::Snapshot& snapshot) {
  if (!snapshot.has(engine::Stage::Segments)) {
    m_state->showLoading(u"Reading segments…"_s);
    return;
  }
  if (lacksHeap(snapshot)) return;  // which the window says
  if (snapshot.segments().empty()) {
    m_state->showEmpty(u"No segments"_s,
                       u"The dump holds no managed heap. A dump with the heap in it shows it here."_s);
    m_pages->setCurrentWidget(m_state);
    return;
  }
  m_toolbar->showSnapshot(snapshot);
  m_map->showSnapshot(snapshot);
  m_pages->setCurrentIndex(m_pages->count() - 1);
  if (snapshot.has(engine::Stage::Objects)) follow(m_navigator.location());
}

void SegmentsPlace::clear() {
  m_revealed = {};
  m_toolbar->clear();
  m_map->clear();
  m_state->showEmpty(u"No dump is open"_s, u"Open a core dump to see where its objects lie."_s);
  m_pages->setCurrentWidget(m_state);
}

void SegmentsPlace::follow(const Location& location) {
  // What was picked here or shown before stays where the user has it; only what is new to this place is scrolled to.
  const bool reveals = location.place == PlaceId::Segments && !(location.selection == m_revealed);
  if (reveals) m_revealed = location.selection;
  m_map->showSelection(location.selection, reveals);
}

}  // namespace heapscape::gui

#include "segments_place.moc"
