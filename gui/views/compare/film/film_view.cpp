// SPDX-License-Identifier: MIT
#include "views/compare/film/film_view.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QStackedLayout>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <vector>

#include "insight/trend/trend_tables.h"
#include "models/dump_file_patterns.h"
#include "models/rows/rows_panel.h"
#include "views/compare/film/film_reel.h"
#include "views/compare/film/film_rows.h"
#include "widgets/choice_bar.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/state_panel.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"

namespace heapscape::gui {

/// A box for each dump of a film, from left to right: its name, when its file was written, its heap, and how far it has
/// been read. Its menu moves it, takes it out or opens it; it can be dragged, too.
class FilmStrip : public QScrollArea {
  Q_OBJECT

 public:
  explicit FilmStrip(QWidget* parent = nullptr);

  /// `openPath`: of the dump that is open in the window.
  void show(const FilmReel& reel, const QString& openPath);
  void showProgress(const FilmReel& reel);

 Q_SIGNALS:
  void moveWanted(int from, int to);
  void removeWanted(int index);
  void openWanted(const QString& path);

 private:
  void drop(int index, int middle);

  QHBoxLayout* m_line;
  std::vector<FilmDumpBox*> m_boxes;
};

FilmStrip::FilmStrip(QWidget* parent) : QScrollArea(parent), m_line(nullptr) {
  setObjectName(u"filmStrip"_s);
  setAccessibleName(u"The dumps in their order"_s);
  auto* row = new QWidget(this);
  m_line = new QHBoxLayout(row);
  m_line->setContentsMargins(16, 0, 16, 0);
  m_line->setSpacing(8);
  m_line->addStretch(1);
  setWidget(row);
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
}

void FilmStrip::show(const FilmReel& reel, const QString& openPath) {
  const auto count = static_cast<int>(reel.dumps().size());
  while (m_boxes.size() > reel.dumps().size()) {
    m_boxes.back()->deleteLater();
    m_boxes.pop_back();
  }
  while (m_boxes.size() < reel.dumps().size()) {
    auto* box = new FilmDumpBox(widget());
    const auto index = static_cast<int>(m_boxes.size());
    m_line->insertWidget(index, box);
    m_boxes.push_back(box);
    box->setPlace(index, count);
    connect(box, &FilmDumpBox::moved, this, [this, index](int to) { Q_EMIT moveWanted(index, to); });
    connect(box, &FilmDumpBox::dropped, this, [this, index](int middle) { drop(index, middle); });
    connect(box, &FilmDumpBox::removed, this, [this, index] { Q_EMIT removeWanted(index); });
    connect(box, &FilmDumpBox::opened, this, [this, box] { Q_EMIT openWanted(box->path()); });
    box->setVisible(true);
  }
  std::uint64_t largest = 0;
  for (const FilmReel::Dump& dump : reel.dumps())
    if (dump.filmed && dump.filmed->sample) largest = std::max(largest, heapBytesOf(*dump.filmed->sample));
  for (int i = 0; i < count; ++i) {
    const FilmReel::Dump& dump = reel.dumps()[static_cast<std::size_t>(i)];
    FilmDumpBox* box = m_boxes[static_cast<std::size_t>(i)];
    box->setPlace(i, count);
    box->show(dump, dump.path == openPath, i == reel.reading(), largest);
  }
  setFixedHeight(widget()->sizeHint().height() + horizontalScrollBar()->sizeHint().height());
}

// Its place is behind all whose middles it has passed.
void FilmStrip::drop(int index, int middle) {
  int to = 0;
  for (int i = 0; i < static_cast<int>(m_boxes.size()); ++i)
    if (i != index && m_boxes[static_cast<std::size_t>(i)]->geometry().center().x() < middle) ++to;
  m_line->invalidate();
  m_line->activate();
  if (to != index) Q_EMIT moveWanted(index, to);
}

void FilmStrip::showProgress(const FilmReel& reel) {
  if (reel.reading() < 0 || reel.reading() >= static_cast<int>(m_boxes.size())) return;
  m_boxes[static_cast<std::size_t>(reel.reading())]->showProgress(reel.progress());
}

namespace {

enum FilmList : std::size_t { FilmTypes, FilmOwners, FilmRoots, FilmInsights };

struct FilmListWords {
  const char* name;
  const char* noun;
  const char* title;
};
constexpr std::array kFilmLists{FilmListWords{"filmTypes", "types", "Types of all dumps"},
                                FilmListWords{"filmOwners", "owners", "Owners of all dumps"},
                                FilmListWords{"filmRoots", "roots", "Roots of all dumps"},
                                FilmListWords{"filmInsights", "insights", "Insights of all dumps"}};

std::vector<ColumnSetup> columnsOf(std::size_t list) {
  switch (list) {
    case FilmOwners:
      return ownerTrendColumns();
    case FilmRoots:
      return rootTrendColumns();
    case FilmInsights:
      return insightTrendColumns();
    default:
      return typeTrendColumns();
  }
}

const engine::TableDescription& descriptionOf(std::size_t list) {
  switch (list) {
    case FilmOwners:
      return engine::ownerTrendsTable().description();
    case FilmRoots:
      return engine::rootTrendsTable().description();
    case FilmInsights:
      return engine::insightTrendsTable().description();
    default:
      return engine::typeTrendsTable().description();
  }
}

}  // namespace

FilmView::FilmView(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : QWidget(parent),
      m_bridge(bridge),
      m_navigator(navigator),
      m_reel(new FilmReel(bridge, this)),
      m_question(new ElidedText(this)),
      m_notes(new ElidedText(this)),
      m_add(new QPushButton(symbolIcon(u"open"_s), u"Add dumps…"_s, this)),
      m_byTime(new QPushButton(u"Sort by file time"_s, this)),
      m_end(new QPushButton(u"Close"_s, this)),
      m_strip(new FilmStrip(this)),
      m_choice(new ChoiceBar(
          u"filmPart"_s, {u"Types"_s, u"Owners"_s, u"Roots"_s, u"Insights"_s},
          {u"Bytes of the objects of each type"_s, u"Bytes that each static, type, thread or kind of handles holds"_s,
           u"What the objects of each root retain"_s, u"Waste and leaks"_s},
          this)),
      m_state(new StatePanel(this)),
      m_lists(new QStackedLayout),
      m_pages(new QStackedLayout) {
  for (std::size_t list = 0; list < m_panels.size(); ++list) {
    m_panels[list] = makePanel(list);
    m_lists->addWidget(m_panels[list]);
  }
  auto* body = new QWidget(this);
  auto* choices = new QHBoxLayout;
  choices->setContentsMargins(16, 0, 16, 0);
  choices->addWidget(m_choice);
  choices->addStretch(1);
  auto* lists = new QVBoxLayout(body);
  lists->setContentsMargins(0, 0, 0, 0);
  lists->setSpacing(8);
  lists->addLayout(choices);
  lists->addLayout(m_lists, 1);
  m_pages->addWidget(m_state);
  m_pages->addWidget(body);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(8);
  column->addWidget(buildHead());
  column->addWidget(m_strip);
  column->addLayout(m_pages, 1);
  connect(m_choice, &ChoiceBar::chosen, m_lists, &QStackedLayout::setCurrentIndex);
  connect(m_reel, &FilmReel::changed, this, &FilmView::showReel);
  connect(m_reel, &FilmReel::progressed, this, &FilmView::showReading);
  connect(m_reel, &FilmReel::rowsReady, this, [this](const std::shared_ptr<const FilmRows>& rows) { showRows(*rows); });
  connect(m_strip, &FilmStrip::moveWanted, m_reel, &FilmReel::move);
  connect(m_strip, &FilmStrip::removeWanted, m_reel, &FilmReel::remove);
  connect(m_strip, &FilmStrip::openWanted, this, &FilmView::openWanted);
}

FilmView::~FilmView() = default;

QWidget* FilmView::buildHead() {
  auto* head = new QWidget(this);
  m_question->setObjectName(u"filmQuestion"_s);
  m_notes->setObjectName(u"filmNotes"_s);
  m_add->setObjectName(u"filmAdd"_s);
  m_byTime->setObjectName(u"filmByTime"_s);
  m_end->setObjectName(u"filmEnd"_s);
  m_question->setFont(scaledFont(font(), 1.1, QFont::DemiBold));
  m_question->setElideMode(Qt::ElideRight);
  m_notes->setWarning(true);
  m_notes->setElideMode(Qt::ElideRight);
  m_notes->hide();
  m_add->setToolTip(u"More dumps of the same program; several files can be picked, or dropped here"_s);
  m_byTime->setToolTip(u"Puts the dumps in the order in which their files were written"_s);
  m_end->setToolTip(u"Back to comparing two dumps"_s);
  auto* line = new QHBoxLayout;
  line->setSpacing(8);
  line->addWidget(m_question, 1);
  for (QPushButton* button : {m_add, m_byTime, m_end}) line->addWidget(button);
  auto* column = new QVBoxLayout(head);
  column->setContentsMargins(16, 12, 16, 0);
  column->setSpacing(4);
  column->addLayout(line);
  column->addWidget(m_notes);
  setFocusProxy(m_add);
  connect(m_add, &QPushButton::clicked, this, &FilmView::pickFiles);
  connect(m_byTime, &QPushButton::clicked, m_reel, &FilmReel::sortByTime);
  connect(m_end, &QPushButton::clicked, this, &FilmView::endWanted);
  return head;
}

RowsPanel* FilmView::makePanel(std::size_t list) {
  const FilmListWords& words = kFilmLists[list];
  RowsPanelSetup setup;
  setup.name = QLatin1String(words.name);
  setup.title = QLatin1String(words.title);
  setup.noun = QLatin1String(words.noun);
  setup.filterHint = u"Filter, as in verdict = growsSteadily"_s;
  setup.emptyHeading = u"No differences"_s;
  setup.emptyText = u"None of the %1 differs from dump to dump."_s.arg(setup.noun);
  setup.columns = columnsOf(list);
  setup.table = &descriptionOf(list);
  setup.kinds = {static_cast<std::size_t>(engine::TrendVerdict::GrowsSteadily),
                 static_cast<std::size_t>(engine::TrendVerdict::GrewOnce),
                 static_cast<std::size_t>(engine::TrendVerdict::New),
                 static_cast<std::size_t>(engine::TrendVerdict::ComesAndGoes),
                 static_cast<std::size_t>(engine::TrendVerdict::Shrinks)};
  auto* panel = new RowsPanel(m_bridge, m_navigator, setup, {}, this);
  auto* table = panel->findChild<QTableView*>(setup.name);
  for (std::size_t column = 0; column < setup.columns.size(); ++column)
    if (setup.columns[column].field == "trend")
      table->setItemDelegateForColumn(static_cast<int>(column), new SparklineDelegate(table));
  return panel;
}

bool FilmView::has(const QString& path) const {
  return m_reel->paths().contains(path);
}

bool FilmView::isEmpty() const {
  return m_reel->isEmpty();
}

void FilmView::add(const QStringList& paths, bool isOrdered) {
  const bool isFirst = m_reel->isEmpty();
  m_reel->add(paths);
  if (isFirst && !isOrdered) m_reel->sortByTime();
  m_reel->read();
}

void FilmView::showAgain() {
  m_reel->read();
}

void FilmView::pause() {
  m_reel->pause();
  for (RowsPanel* panel : m_panels) panel->clear();
}

void FilmView::clear() {
  pause();
  m_reel->clear();
  m_notes->hide();
}

void FilmView::pickFiles() {
  const QStringList paths = m_reel->paths();
  const QString folder = paths.isEmpty() ? QString() : QFileInfo(paths.back()).absolutePath();
  const QStringList picked = QFileDialog::getOpenFileNames(this, u"Add dumps"_s, folder,
                                                           u"Core dumps (%1);;All files (*)"_s.arg(dumpFilePatterns()));
  if (!picked.isEmpty()) add(picked);
}

void FilmView::showReel() {
  m_strip->show(*m_reel, m_bridge.path());
  m_question->setText(u"Trend over %1 dumps"_s.arg(countText(m_reel->dumps().size())));
  m_byTime->setEnabled(m_reel->dumps().size() > 1);
  if (m_reel->isReading()) {
    showReading();
    m_pages->setCurrentWidget(m_state);
  }
}

void FilmView::showReading() {
  if (!m_reel->isReading()) return;
  m_strip->showProgress(*m_reel);
  const auto index = static_cast<std::size_t>(m_reel->reading());
  const QString percent = QString::number(static_cast<int>(m_reel->progress().fraction * 100)) + QLatin1Char('%');
  m_state->showLoading(u"Reading %1, dump %2 of %3: %4"_s.arg(QFileInfo(m_reel->dumps()[index].path).fileName(),
                                                              countText(index + 1), countText(m_reel->dumps().size()),
                                                              percent));
  m_state->setAction(u"Stop"_s, [this] { m_reel->stop(); });
}

void FilmView::showRows(const FilmRows& rows) {
  showNotes(rows);
  if (rows.trend.dumps.size() < 2) {
    m_state->showEmpty(u"A row of dumps needs two that can be read"_s,
                       u"Add dumps of the same program, or drop some here."_s);
    m_pages->setCurrentWidget(m_state);
    return;
  }
  m_panels[FilmTypes]->setRows(rows.types);
  m_panels[FilmOwners]->setRows(rows.owners);
  m_panels[FilmRoots]->setRows(rows.roots);
  m_panels[FilmInsights]->setRows(rows.insights);
  m_pages->setCurrentIndex(1);
}

void FilmView::showNotes(const FilmRows& rows) {
  QStringList notes;
  for (const std::string& note : rows.trend.notes) notes << fromEngine(note);
  for (const engine::UnreadDump& dump : rows.trend.unread)
    notes << u"%1 cannot be read."_s.arg(QFileInfo(fromEngine(dump.path)).fileName());
  m_notes->setVisible(!notes.isEmpty());
  m_notes->setText(u"⚠ "_s + notes.join(QLatin1Char(' ')));
}

}  // namespace heapscape::gui

#include "film_view.moc"
