// SPDX-License-Identifier: MIT
#include "views/generations/generations_place.h"

#include <QApplication>
#include <QBoxLayout>
#include <QButtonGroup>
#include <QEvent>
#include <QFont>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QPixmap>
#include <QScrollArea>
#include <QStackedWidget>
#include <QStyledItemDelegate>
#include <QTabWidget>
#include <QToolButton>
#include <algorithm>

#include "models/lacking_heap.h"
#include "models/names/reach_text.h"
#include "models/rows/row_links.h"
#include "models/rows/rows_table.h"
#include "models/rows/table_setup.h"
#include "views/generations/collection_strip.h"
#include "views/generations/gc_page.h"
#include "views/generations/stacked_chart.h"
#include "widgets/arranging/layouts.h"
#include "widgets/context_menu.h"
#include "widgets/drawing/colours.h"
#include "widgets/drawing/picture_actions.h"
#include "widgets/drawing/picture_legend.h"
#include "widgets/legend_chip.h"
#include "widgets/section.h"
#include "widgets/state_panel.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {
namespace {

using Row = GenerationLine;

std::uint64_t usedBytes(const Row& row) {
  return row.totals.bytes - row.totals.freeBytes;
}

engine::Cell shareOf(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? engine::Cell(engine::Cell::Unknown{})
                    : engine::Cell(static_cast<double>(part) / static_cast<double>(whole));
}

QString freeDetail(const Row& row) {
  return u"%1, free objects: %2"_s.arg(exactBytesText(row.totals.freeBytes), countText(row.totals.freeObjects));
}

template <class Bytes>
engine::Cell reachCell(const Row& row, Bytes bytes) {
  return row.reach ? engine::Cell(std::invoke(bytes, *row.reach)) : engine::Cell(engine::Cell::Unknown{});
}

QString reachDetail(const Row& row, bool isLive) {
  if (!row.reach) return u"What is garbage is not known yet."_s;
  const engine::RetainedTotals& reach = *row.reach;
  if (isLive)
    return u"%1, objects that roots lead to: %2"_s.arg(exactBytesText(reach.reachableBytes),
                                                       countText(reach.reachableObjects));
  QString text = u"%1, objects that no root leads to: %2"_s.arg(exactBytesText(reach.garbageBytes()),
                                                                countText(reach.garbageObjects()));
  if (const QString frozen = frozenText(reach); !frozen.isEmpty()) text += u"\nNot among it: "_s + frozen;
  return text;
}

QVariant lookOfRow(const Row& row, int role) {
  if (role == kEmptyRole) return row.totals.bytes == 0;
  if (role != Qt::FontRole || row.part) return {};
  QFont font;
  font.setWeight(QFont::DemiBold);
  return font;
}

QVariant lookOfName(const Row& row, int role) {
  if (role == kGenerationRole && row.part) return static_cast<int>(row.part->generation);
  return lookOfRow(row, role);
}

QString nameOf(const Row& row) {
  return row.part ? generationText(row.part->generation) : u"All"_s;
}

/// Rows of the generations' table: a sample of the colour before the name, as the charts have it; what is empty is
/// dimmed.
class SwatchDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;
};

constexpr int kPadding = 5;

void SwatchDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  // The background fills the cell, what is in it stands in line with the heading.
  const QStyle* style = option.widget ? option.widget->style() : QApplication::style();
  style->drawPrimitive(QStyle::PE_PanelItemViewItem, &option, painter, option.widget);
  QStyleOptionViewItem inside = option;
  inside.rect.adjust(kPadding, 0, -kPadding, 0);
  QStyledItemDelegate::paint(painter, inside, index);
}

void SwatchDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
  QStyledItemDelegate::initStyleOption(option, index);
  if (index.data(kEmptyRole).toBool()) {
    option->palette.setColor(QPalette::Text, option->palette.color(QPalette::PlaceholderText));
  }
  if (index.column() != GenerationNameColumn) return;
  const QVariant generation = index.data(kGenerationRole);
  const int side = option->fontMetrics.height() * 3 / 5;
  const double ratio = option->widget ? option->widget->devicePixelRatioF() : 1;
  QPixmap sample((QSizeF(side, side) * ratio).toSize());
  sample.setDevicePixelRatio(ratio);
  sample.fill(generation.isValid() ? Colours(option->palette).of(static_cast<engine::Generation>(generation.toInt()))
                                   : QColor(Qt::transparent));
  option->features |= QStyleOptionViewItem::HasDecoration;
  option->decorationSize = QSize(side, side);
  option->icon = QIcon(sample);
}

constexpr int kGutter = 12;
constexpr int kMargin = 16;
constexpr int kTallestChartInText = 36;  // higher ones are no easier to read

void addChartActions(StackedChart* chart, const QString& name) {
  addPictureActions(
      chart, [chart](QPainter& painter, QSize size) { chart->render(&painter, QRectF(QPointF(), size)); }, name,
      PictureContents::None);
}

}  // namespace

RowSchema<Row> generationSchema() {
  RowSchema<Row> schema;
  schema.columns = {
      {.setup = {.title = u"Heap"_s, .kind = engine::ColumnKind::Id, .letters = 6, .hidesZero = true},
       .cell = [](const Row& row) { return row.part ? engine::Cell(row.part->heap) : engine::Cell(); },
       .words = [](const Row& row) { return row.part ? QString::number(row.part->heap) : QString(); }},
      {.setup = {.title = u"Generation"_s, .letters = 16, .stretches = true, .holdsContents = false},
       .words = nameOf,
       .more = lookOfName},
      {.setup = {.title = u"Objects"_s, .kind = engine::ColumnKind::Count, .letters = 16},
       .cell = [](const Row& row) { return row.totals.objects - row.totals.freeObjects; }},
      {.setup = {.title = u"Used"_s, .kind = engine::ColumnKind::Bytes}, .cell = usedBytes},
      {.setup = {.title = u"Live"_s, .kind = engine::ColumnKind::Bytes},
       .cell = [](const Row& row) { return reachCell(row, &engine::RetainedTotals::reachableBytes); },
       .detail = [](const Row& row) { return reachDetail(row, true); }},
      {.setup = {.title = u"Garbage"_s, .kind = engine::ColumnKind::Bytes},
       .cell = [](const Row& row) { return reachCell(row, &engine::RetainedTotals::garbageBytes); },
       .detail = [](const Row& row) { return reachDetail(row, false); }},
      {.setup = {.title = u"Free"_s, .kind = engine::ColumnKind::Bytes},
       .cell = [](const Row& row) { return row.totals.freeBytes; },
       .detail = freeDetail},
      {.setup = {.title = u"Free %"_s, .kind = engine::ColumnKind::Share},
       .cell = [](const Row& row) { return shareOf(row.totals.freeBytes, row.totals.bytes); },
       .detail = freeDetail},
      {.setup = {.title = u"Share of used"_s, .kind = engine::ColumnKind::Share, .letters = 14},
       .cell = [](const Row& row) { return shareOf(usedBytes(row), row.usedInAll); }},
  };
  for (RowColumn<Row>& column : schema.columns) {
    if (!column.more) column.more = lookOfRow;
  }
  return schema;
}

std::vector<Row> generationLines(const std::vector<engine::GenerationRow>& rows,
                                 const std::vector<engine::RetainedTotals>& reach) {
  if (rows.empty()) return {};
  engine::ObjectTotals sum;
  for (const engine::GenerationRow& row : rows) sum += row.totals;
  const std::uint64_t used = sum.bytes - sum.freeBytes;
  std::vector<Row> figures;
  for (std::size_t i = 0; i < rows.size(); ++i)
    figures.push_back({rows[i], rows[i].totals, used, i < reach.size() ? std::optional(reach[i]) : std::nullopt});
  figures.push_back({std::nullopt, sum, used});
  if (reach.empty()) return figures;
  engine::RetainedTotals& all = figures.back().reach.emplace();
  for (const engine::RetainedTotals& each : reach) all += each;
  return figures;
}

engine::HeapScope scopeOf(const std::vector<engine::GenerationRow>& rows, std::size_t line) {
  engine::HeapScope scope;
  if (line >= rows.size()) return scope;
  scope.generation = rows[line].generation;
  // With one heap the generation says it all.
  if (std::ranges::any_of(rows, [&](const engine::GenerationRow& other) { return other.heap != rows[line].heap; }))
    scope.heap = rows[line].heap;
  return scope;
}

GenerationsPlace::GenerationsPlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : Place(bridge, navigator, parent),
      m_tabs(new QTabWidget(this)),
      m_gc(nullptr),
      m_pages(new QStackedWidget),
      m_state(new StatePanel),
      m_measure(new QButtonGroup(this)),
      m_balance(makeNote({}, this)),
      m_generationsSection(nullptr),
      m_sizesSection(nullptr),
      m_generations(new StackedChart(StackedChart::Direction::Rows)),
      m_sizes(new StackedChart(StackedChart::Direction::Columns)),
      m_table(nullptr) {
  m_generations->setAccessibleName(u"Generations"_s);
  m_sizes->setAccessibleName(u"Object sizes"_s);
  m_pages->addWidget(m_state);
  m_pages->addWidget(makePage());
  m_tabs->setObjectName(u"generationTabs"_s);
  m_tabs->setDocumentMode(true);
  m_tabs->addTab(m_pages, u"By generation"_s);
  m_gc = new GcPage(bridge, navigator, this);
  m_tabs->addTab(m_gc, u"Garbage collector"_s);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 4, 0, 0);
  layout->addWidget(m_tabs);
  setFocusProxy(m_tabs);
  m_state->showEmpty(u"No dump is open"_s, u"Open a core dump to see how old its objects are."_s);
  setupConnections();
}

GenerationsPlace::~GenerationsPlace() = default;

QWidget* GenerationsPlace::makePage() {
  auto* page = new QWidget;
  page->setBackgroundRole(QPalette::Base);
  page->setAutoFillBackground(true);
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(kMargin, kGutter, kMargin, kMargin);
  column->setSpacing(kGutter);
  column->addWidget(makeTopRow());
  column->addWidget(makeCharts(), 8);
  m_strip = new CollectionStrip;
  column->addWidget(new Section(u"Last collections"_s, m_strip));
  m_table = makeTable();
  column->addWidget(m_table);
  column->addStretch(1);
  auto* scroll = new QScrollArea;
  scroll->setWidget(page);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  return scroll;
}

QWidget* GenerationsPlace::makeTopRow() {
  auto* top = new QWidget;
  auto* flow = new FlowLayout(top, kGutter);
  auto* measures = new QWidget;
  auto* row = new QHBoxLayout(measures);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(0);
  const auto add = [&](const QString& text, Measure measure) {
    auto* button = new QToolButton;
    button->setText(text);
    button->setCheckable(true);
    button->setObjectName(u"generationsMeasure%1"_s.arg(static_cast<int>(measure)));
    button->setMinimumHeight(std::max(24, fontMetrics().height() * 16 / 10));
    m_measure->addButton(button, static_cast<int>(measure));
    row->addWidget(button);
  };
  add(u"Bytes"_s, Measure::Bytes);
  add(u"Objects"_s, Measure::Objects);
  add(u"Garbage"_s, Measure::Garbage);
  m_measure->button(static_cast<int>(Measure::Garbage))
      ->setToolTip(u"Bytes of what no root leads to, once that is known"_s);
  m_measure->button(static_cast<int>(Measure::Bytes))->setChecked(true);
  flow->addWidget(measures);
  const auto addChip = [&](LegendChip* chip) {
    m_legend.push_back(chip);
    flow->addWidget(chip);
  };
  for (const engine::Generation generation : engine::kGenerations) {
    addChip(new LegendChip(generationText(generation),
                           [generation](const Colours& colours) { return ChipSample{colours.of(generation)}; }));
  }
  addChip(new LegendChip(u"free"_s, [](const Colours& colours) {
    return ChipSample{colours.freeSpaceBrush(), QPen(colours.outline(), 1)};
  }));
  const auto addSign = [&](const QString& text, const QString& tip, auto sample) {
    auto* chip = new LegendChip(text, sample);
    chip->setToolTip(tip);
    chip->hide();
    flow->addWidget(chip);
    return chip;
  };
  m_garbageChip =
      addSign(u"garbage"_s, u"Hatched: objects that no root leads to, not collected yet"_s,
              [](const Colours& colours) { return ChipSample{colours.garbageBrush(colours.dimmedText())}; });
  m_committedChip =
      addSign(u"committed"_s, u"Framed: memory that the GC has asked for, used or not"_s, [](const Colours& colours) {
        return ChipSample{colours.surface(), QPen(colours.outline(), 1)};
      });
  m_dueChip = addSign(
      u"due"_s,
      u"A tick where the generation is due to be collected: its size now, and what is left of its budget. "
      "An arrow where that lies further on"_s,
      [](const Colours& colours) { return ChipSample{.fill = colours.in(engine::palette::kText), .isTick = true}; });
  for (StackedChart* chart : {m_generations, m_sizes}) setPictureLegend(chart, top);
  m_balance->setWordWrap(false);
  flow->addWidget(m_balance);
  return top;
}

QWidget* GenerationsPlace::makeCharts() {
  auto* charts = new QWidget;
  m_charts = new QBoxLayout(QBoxLayout::LeftToRight, charts);
  m_charts->setContentsMargins(0, 0, 0, 0);
  m_charts->setSpacing(2 * kGutter);
  m_generationsSection = new Section({}, m_generations);
  m_sizesSection = new Section({}, m_sizes);
  m_charts->addWidget(m_generationsSection, 1);
  m_charts->addWidget(m_sizesSection, 1);
  addChartActions(m_generations, u"generations"_s);
  addChartActions(m_sizes, u"object-sizes"_s);
  return charts;
}

RowsTable* GenerationsPlace::makeTable() {
  auto* table = new RowsTable(u"generationFigures"_s, u"Generations in figures"_s, generationSchema().setups());
  table->setItemDelegate(new SwatchDelegate(table));
  table->setSelectionMode(QAbstractItemView::SingleSelection);
  offerActions(table);
  table->setToolTip(u"Enter or a double click shows the types in it"_s);
  table->horizontalHeader()->setSectionsClickable(false);
  table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  return table;
}

void GenerationsPlace::setupConnections() {
  connect(m_measure, &QButtonGroup::idClicked, this, [this] {
    showCharts();
    showSizes();
  });
  for (StackedChart* chart : {m_generations, m_sizes}) {
    connect(chart, &StackedChart::picked, this, [this](const engine::HeapScope& scope, bool isGarbage) {
      isGarbage ? m_navigator.showGarbage(scope) : m_navigator.showTypesIn(scope);
    });
  }
  connect(m_strip, &CollectionStrip::recordsWanted, this, [this] {
    m_tabs->setCurrentWidget(m_gc);
    m_gc->showRecords();
  });
  connect(m_table, &QTableView::pressed, this, [this](const QModelIndex& index) {
    tellRow(m_navigator, u"Generation"_s, index, *m_table->horizontalHeader());
  });
  connect(m_table, &QTableView::activated, this, [this](const QModelIndex& index) {
    m_navigator.showTypesIn(scopeOf(m_rows, static_cast<std::size_t>(index.row())));
  });
}

Measure GenerationsPlace::measure() const {
  return static_cast<Measure>(m_measure->checkedId());
}

void GenerationsPlace::showSnapshot(const engine::Snapshot& snapshot) {
  m_gc->showSnapshot(snapshot);
  if (lacksHeap(snapshot)) {
    showLackingHeap(*m_state, snapshot);
    m_pages->setCurrentWidget(m_state);
    return;
  }
  if (!snapshot.has(engine::Stage::Objects)) {
    m_state->showLoading(u"Walking the heap…"_s);
    return;
  }
  if (snapshot.generations().empty()) {
    m_state->showEmpty(u"No generations"_s,
                       u"The dump holds no managed heap. A dump that includes the heap shows it here."_s);
    m_pages->setCurrentWidget(m_state);
    return;
  }
  const bool isReachNew = m_reach != snapshot.generationReach();
  m_rows = snapshot.generations();
  m_reach = snapshot.generationReach();
  m_measure->button(static_cast<int>(Measure::Garbage))->setEnabled(!m_reach.empty());
  m_table->rows().show(makeRowList(generationLines(m_rows, m_reach), generationSchema()));
  fitTable();
  showBalance(snapshot);
  showCharts();
  if (m_buckets.empty() || isReachNew) askForSizes();
  if (!m_report) askForReport();
  m_pages->setCurrentIndex(m_pages->count() - 1);
}

void GenerationsPlace::askForSizes() {
  m_bridge.ask(
      this, "sizes",
      [](const engine::Snapshot& snapshot, std::stop_token stop) {
        return sizeHistogram(snapshot, engine::HeapScope{}, stop);
      },
      [this](engine::Outcome<std::vector<engine::SizeBucket>> buckets) {
        if (!buckets) return;
        m_buckets = std::move(*buckets);
        showSizes();
      });
}

void GenerationsPlace::askForReport() {
  m_bridge.ask(
      this, "report",
      [](const engine::Snapshot& snapshot, std::stop_token stop) {
        return engine::readGenerationReport(snapshot, std::move(stop));
      },
      [this](engine::Outcome<engine::GenerationReport> report) {
        if (!report) return;
        m_report = std::move(*report);
        m_strip->showReport(*m_report);
        showCharts();
        showSizes();
      });
}

void GenerationsPlace::showCharts() {
  StackTable table = stacksOfGenerations(m_rows, measure(), m_reach);
  if (m_report) addSpaces(table, m_rows, m_report->spaces);
  m_garbageChip->setVisible(std::ranges::any_of(table.parts, &StackPart::isGarbage));
  m_committedChip->setVisible(!table.spaces.empty());
  m_dueChip->setVisible(
      std::ranges::any_of(table.spaces, [](const StackSpace& space) { return space.due.has_value(); }));
  m_generationsSection->setHeading(m_table->isColumnHidden(HeapColumn) ? u"By generation"_s
                                                                       : u"By heap and generation"_s);
  m_generations->setTable(table);
  arrange();
  for (std::size_t chip = 0; chip < m_legend.size(); ++chip) {
    const bool isFree = chip == engine::kGenerationCount;
    m_legend[chip]->setVisible(std::any_of(table.parts.begin(), table.parts.end(), [&](const StackPart& part) {
      return isFree ? !part.generation : part.generation == engine::kGenerations[chip];
    }));
  }
}

void GenerationsPlace::showSizes() {
  m_sizesSection->setHeading(measure() == Measure::Bytes     ? u"Bytes by size of object"_s
                             : measure() == Measure::Objects ? u"Objects by size"_s
                                                             : u"Garbage by size of object"_s);
  std::vector<QString> names;
  for (const engine::SizeBucket& bucket : m_buckets)
    names.push_back(tickText(static_cast<double>(bucket.minimumBytes), Measure::Bytes));
  m_sizes->setTable(stacksOfSizes(m_buckets, measure()));
  m_sizes->setBoundaryNames(names);
  if (!m_report) return;
  m_sizes->setMark(placeOfSize(m_buckets, m_report->largeObjectBytes),
                   u"large from %1 B%2"_s.arg(countText(m_report->largeObjectBytes),
                                              m_report->isLargeObjectSizeSet ? u" (GCLOHThreshold)"_s : QString()));
}

void GenerationsPlace::showBalance(const engine::Snapshot& snapshot) {
  const auto balance = heapBalance(snapshot.generations(), snapshot.summary().runtime.heaps);
  QStringList notes;
  if (const QString adaptation = adaptationText(gcHeaps(snapshot)); !adaptation.isEmpty()) notes << adaptation;
  if (balance) notes << balanceText(*balance);
  m_balance->setVisible(!notes.isEmpty());
  m_balance->setText(notes.join(QLatin1Char(' ')));
}

// The page scrolls as a whole, so the table is as high as its rows.
void GenerationsPlace::fitTable() {
  bool hasHeaps = false;
  for (const engine::GenerationRow& row : m_rows) hasHeaps = hasHeaps || row.heap != m_rows.front().heap;
  m_table->setColumnHidden(HeapColumn, !hasHeaps);
  const int rows = m_table->rows().rowCount() * m_table->verticalHeader()->defaultSectionSize();
  m_table->setFixedHeight(m_table->horizontalHeader()->sizeHint().height() + rows + 2);
}

void GenerationsPlace::clear() {
  m_gc->clear();
  m_rows.clear();
  m_reach.clear();
  m_measure->button(static_cast<int>(Measure::Garbage))->setEnabled(false);
  if (measure() == Measure::Garbage) m_measure->button(static_cast<int>(Measure::Bytes))->setChecked(true);
  m_report.reset();
  m_bridge.stopAsking(this, "report");
  m_strip->clear();
  m_buckets.clear();
  m_table->rows().clear();
  m_generations->setTable({});
  m_sizes->setTable({});
  m_state->showEmpty(u"No dump is open"_s, u"Open a core dump to see how old its objects are."_s);
  m_pages->setCurrentWidget(m_state);
}

void GenerationsPlace::follow(const Location&) {}

void GenerationsPlace::arrange() {
  const bool isNarrow = width() < fontMetrics().height() * 48;
  m_charts->setDirection(isNarrow ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
  const int tallest = fontMetrics().height() * kTallestChartInText * (isNarrow ? 2 : 1);
  m_charts->parentWidget()->setMaximumHeight(std::max(tallest, m_charts->minimumSize().height()));
}

void GenerationsPlace::resizeEvent(QResizeEvent* event) {
  Place::resizeEvent(event);
  arrange();
}

bool GenerationsPlace::event(QEvent* event) {
  if (event->type() == QEvent::FontChange) {
    m_table->verticalHeader()->setDefaultSectionSize(tableRowHeight(*m_table));
    fitTable();
  }
  return Place::event(event);
}

}  // namespace heapscape::gui
