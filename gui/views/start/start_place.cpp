// SPDX-License-Identifier: MIT
#include "views/start/start_place.h"

#include <QClipboard>
#include <QDir>
#include <QEvent>
#include <QFileInfo>
#include <QGridLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QShortcut>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWidget>
#include <array>

#include "base/progress.h"
#include "base/result.h"
#include "models/names/assembly_name.h"
#include "session/snapshot/snapshot.h"
#include "views/start/dump_button.h"
#include "views/start/failure_panel.h"
#include "widgets/drawing/colours.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/section.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"

namespace heapscape::gui {

/// Where a dump or an assembly may be dropped, and buttons for those who would rather pick one. The window itself takes
/// drops anywhere; it tells this widget when one hovers.
class DropZone : public QWidget {
  Q_OBJECT

 public:
  explicit DropZone(QWidget* parent = nullptr);

  void setHovered(bool isHovered);

 Q_SIGNALS:
  void chooseRequested();
  void chooseAssemblyRequested();

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  bool m_isHovered = false;
};

DropZone::DropZone(QWidget* parent) : QWidget(parent) {
  auto* heading = makeHeading(u"Drop a core dump here"_s, this, 1.25);
  heading->setAlignment(Qt::AlignCenter);
  auto* note = makeNote(
      u"plain, in .zst, .gz, .xz, .lz4 or .tar, from .NET 8 to 11 on Linux, x64 or arm64; or an assembly, for its layouts"_s,
      this);
  note->setAlignment(Qt::AlignCenter);
  auto* button = new QPushButton(symbolIcon(u"open"_s), u"Open a dump…"_s, this);
  connect(button, &QPushButton::clicked, this, &DropZone::chooseRequested);
  auto* assembly = new QPushButton(symbolIcon(u"assembly"_s), u"Open an assembly…"_s, this);
  assembly->setToolTip(u"How the types of a .dll or .exe are laid out; no dump is needed"_s);
  connect(assembly, &QPushButton::clicked, this, &DropZone::chooseAssemblyRequested);
  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(8);
  buttons->addStretch(1);
  buttons->addWidget(button);
  buttons->addWidget(assembly);
  buttons->addStretch(1);

  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(24, 16 + fontMetrics().height() * 3, 24, 24);
  layout->setSpacing(4);
  layout->addWidget(heading);
  layout->addWidget(note);
  layout->addSpacing(12);
  layout->addLayout(buttons);
}

void DropZone::setHovered(bool isHovered) {
  m_isHovered = isHovered;
  update();
}

void DropZone::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Colours colours(palette());
  const QColor accent = palette().color(QPalette::Highlight);
  QColor ground = m_isHovered ? accent : colours.freeSpace();
  ground.setAlphaF(m_isHovered ? 0.12F : 0.45F);
  QPen pen(m_isHovered ? accent : colours.outline(), m_isHovered ? 2 : 1.4);
  pen.setDashPattern({4, 3});
  painter.setPen(pen);
  painter.setBrush(ground);
  painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 10, 10);
  const int side = fontMetrics().height() * 2;
  painter.drawPixmap(QPoint((width() - side) / 2, 16 + fontMetrics().height() / 3),
                     symbolPixmap(u"drop"_s, m_isHovered ? accent : colours.dimmedText(), side, devicePixelRatioF()));
}

/// The page of what can be opened: a dump to drop or pick, those of last time, and the sample; and how to make one.
class WelcomePage : public QWidget {
  Q_OBJECT

 public:
  explicit WelcomePage(QWidget* parent = nullptr);

  void setRecentDumps(const QStringList& paths);
  /// Sets what was open last, and where one was in it, in words; an empty path if nothing is to be offered.
  void setLast(const QString& path, const QString& title, const QString& where);
  /// Empty if there is no sample.
  void setSample(const QString& path);
  void addGuide(const QString& title, const QString& about);
  void showFailure(const QString& path, const engine::Error& error);
  void hideFailure();
  void setDropHovered(bool isHovered);

 Q_SIGNALS:
  void openRequested(const QString& path);
  void continueRequested();
  void runningRequested();
  void guideRequested(std::size_t question);
  void chooseRequested();
  void chooseAssemblyRequested();

 private:
  QWidget* buildTitle();
  QWidget* buildLast();
  QWidget* buildColumns();
  QWidget* buildRunning();
  QWidget* buildAdvice();
  void addDump(QVBoxLayout* list, const QString& path, const QString& symbol, const QString& note);

  FailurePanel* m_failure;
  QWidget* m_last = nullptr;
  QVBoxLayout* m_lastList = nullptr;
  DropZone* m_drop;
  QWidget* m_recent = nullptr;
  QVBoxLayout* m_recentList = nullptr;
  QWidget* m_sample = nullptr;
  QVBoxLayout* m_sampleList = nullptr;
  QHBoxLayout* m_guides = nullptr;
};

namespace {

constexpr int kWelcomePageColumns = 128;

void emptyLayout(QVBoxLayout* layout) {
  while (QLayoutItem* item = layout->takeAt(0)) {
    if (item->widget()) item->widget()->deleteLater();
    delete item;
  }
}

QString symbolOf(const QString& path) {
  return hasAssemblyName(path) ? u"assembly"_s : u"dump"_s;
}

/// A command to be typed elsewhere, and a button that copies it.
QWidget* makeCommand(const QString& text, QWidget* parent) {
  auto* line = new QWidget(parent);
  auto* label = new QLabel(text, line);
  label->setTextFormat(Qt::PlainText);
  label->setFont(fixedFont(label->font()));
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  auto* copy = new QToolButton(line);
  copy->setObjectName(u"copyCommand"_s);
  copy->setIcon(symbolIcon(u"copy"_s));
  copy->setToolTip(u"Copy"_s);
  copy->setAccessibleName(u"Copy %1"_s.arg(text));
  copy->setAutoRaise(true);
  QObject::connect(copy, &QToolButton::clicked, copy, [text] { QGuiApplication::clipboard()->setText(text); });
  auto* row = new QHBoxLayout(line);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(8);
  row->addWidget(label, 1);
  row->addWidget(copy, 0, Qt::AlignTop);
  return line;
}

}  // namespace

WelcomePage::WelcomePage(QWidget* parent)
    : QWidget(parent), m_failure(new FailurePanel(this)), m_drop(new DropZone(this)) {
  m_failure->hide();
  connect(m_failure, &FailurePanel::chooseRequested, this, &WelcomePage::chooseRequested);
  connect(m_drop, &DropZone::chooseRequested, this, &WelcomePage::chooseRequested);
  connect(m_drop, &DropZone::chooseAssemblyRequested, this, &WelcomePage::chooseAssemblyRequested);

  auto* column = new QWidget(this);
  column->setMaximumWidth(fontMetrics().averageCharWidth() * kWelcomePageColumns);
  auto* inner = new QVBoxLayout(column);
  inner->setContentsMargins(0, 0, 0, 0);
  inner->setSpacing(24);
  inner->addWidget(buildTitle());
  inner->addWidget(m_failure);
  inner->addWidget(buildLast());
  inner->addWidget(m_drop);
  inner->addWidget(buildColumns());
  inner->addStretch(1);

  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(32, 32, 32, 24);
  layout->addStretch(1);
  layout->addWidget(column, 1000);
  layout->addStretch(1);
}

QWidget* WelcomePage::buildTitle() {
  auto* title = new QWidget(this);
  auto* icon = new QLabel(title);
  icon->setPixmap(symbolPixmap(u"heapscape"_s, Qt::black, fontMetrics().height() * 3, devicePixelRatioF()));
  auto* words = new QVBoxLayout;
  words->setSpacing(2);
  words->addWidget(makeHeading(u"Heapscape"_s, title, 1.7));
  words->addWidget(makeNote(u"See what a .NET program keeps in memory, from a core dump alone."_s, title));
  auto* layout = new QHBoxLayout(title);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(16);
  layout->addWidget(icon);
  layout->addLayout(words, 1);
  return title;
}

QWidget* WelcomePage::buildLast() {
  m_last = new QWidget(this);
  m_lastList = new QVBoxLayout(m_last);
  m_lastList->setContentsMargins(0, 0, 0, 0);
  m_last->hide();
  return m_last;
}

QWidget* WelcomePage::buildColumns() {
  auto* recentBody = new QWidget(this);
  m_recentList = new QVBoxLayout(recentBody);
  auto* sampleBody = new QWidget(this);
  m_sampleList = new QVBoxLayout(sampleBody);
  for (QVBoxLayout* list : {m_recentList, m_sampleList}) {
    list->setContentsMargins(0, 0, 0, 0);
    list->setSpacing(2);
  }
  auto* sample = new QWidget(this);
  auto* sampleLines = new QVBoxLayout(sample);
  sampleLines->setContentsMargins(0, 0, 0, 0);
  sampleLines->setSpacing(6);
  m_guides = new QHBoxLayout;
  m_guides->setSpacing(8);
  m_guides->addStretch(1);
  sampleLines->addWidget(sampleBody);
  sampleLines->addWidget(makeNote(u"New here? Each of these questions takes two minutes, step by step:"_s, sample));
  sampleLines->addLayout(m_guides);
  m_recent = new Section(u"Recent files"_s, recentBody, this);
  m_sample = new Section(u"Sample"_s, sample, this);
  m_recent->hide();
  m_sample->hide();

  auto* right = new QVBoxLayout;
  right->setSpacing(24);
  right->addWidget(m_sample);
  right->addWidget(buildRunning());
  right->addWidget(buildAdvice());
  right->addStretch(1);
  auto* columns = new QWidget(this);
  auto* layout = new QHBoxLayout(columns);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(32);
  layout->addWidget(m_recent, 1, Qt::AlignTop);
  layout->addLayout(right, 1);
  return columns;
}

QWidget* WelcomePage::buildRunning() {
  auto* body = new QWidget(this);
  auto* layout = new QVBoxLayout(body);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(6);
  layout->addWidget(
      makeNote(u".NET processes of this machine and of its containers. One is asked for a dump of itself, "
               "which opens here; a second one of it is compared with the first."_s,
               body));
  auto* button = new QPushButton(u"Show running programs…"_s, body);
  button->setObjectName(u"running"_s);
  connect(button, &QPushButton::clicked, this, &WelcomePage::runningRequested);
  layout->addWidget(button, 0, Qt::AlignLeft);
  return new Section(u"Running programs"_s, body, this);
}

QWidget* WelcomePage::buildAdvice() {
  auto* body = new QWidget(this);
  auto* layout = new QVBoxLayout(body);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2);
  layout->addWidget(
      makeNote(u"You need a dump that includes the heap (mini and triage dumps do not). On another machine:"_s, body));
  layout->addWidget(makeCommand(u"heapscape-cli capture PID"_s, body));
  layout->addWidget(makeCommand(u"dotnet-dump collect --type Heap -p PID"_s, body));
  layout->addWidget(makeCommand(u"createdump --withheap PID"_s, body));
  layout->addSpacing(4);
  layout->addWidget(makeNote(u"When a program crashes, set before it starts:"_s, body));
  layout->addWidget(makeCommand(u"DOTNET_DbgEnableMiniDump=1 DOTNET_DbgMiniDumpType=2"_s, body));
  return new Section(u"How to make a dump"_s, body, this);
}

void WelcomePage::addDump(QVBoxLayout* list, const QString& path, const QString& symbol, const QString& note) {
  auto* button = new DumpButton(path, symbol, this);
  if (!note.isEmpty()) button->setNote(note);
  connect(button, &DumpButton::clicked, this, [this, path] { Q_EMIT openRequested(path); });
  list->addWidget(button);
}

void WelcomePage::setRecentDumps(const QStringList& paths) {
  emptyLayout(m_recentList);
  for (const QString& path : paths) addDump(m_recentList, path, symbolOf(path), QString());
  m_recent->setVisible(!paths.isEmpty());
}

void WelcomePage::setLast(const QString& path, const QString& title, const QString& where) {
  emptyLayout(m_lastList);
  m_last->setVisible(!path.isEmpty());
  if (path.isEmpty()) return;
  auto* button = new DumpButton(path, u"start"_s, this);
  button->setObjectName(u"continue"_s);
  button->setTitle(title);
  button->setNote(where);
  connect(button, &DumpButton::clicked, this, &WelcomePage::continueRequested);
  m_lastList->addWidget(button);
}

void WelcomePage::setSample(const QString& path) {
  emptyLayout(m_sampleList);
  if (!path.isEmpty()) {
    addDump(m_sampleList, path, u"sample"_s, u"a small shop application"_s);
  }
  m_sample->setVisible(!path.isEmpty());
}

void WelcomePage::addGuide(const QString& title, const QString& about) {
  const int number = m_guides->count() - 1;
  auto* button = new QPushButton(title, m_sample);
  button->setObjectName(u"guide%1"_s.arg(number));
  button->setToolTip(about);
  connect(button, &QPushButton::clicked, this,
          [this, number] { Q_EMIT guideRequested(static_cast<std::size_t>(number)); });
  m_guides->insertWidget(number, button);
}

void WelcomePage::showFailure(const QString& path, const engine::Error& error) {
  m_failure->showError(path, error);
  m_failure->show();
}

void WelcomePage::hideFailure() {
  m_failure->hide();
}

void WelcomePage::setDropHovered(bool isHovered) {
  m_drop->setHovered(isHovered);
}

/// How far opening is: the stages that are done, the one that runs, and those to come.
class OpeningPage : public QWidget {
  Q_OBJECT

 public:
  explicit OpeningPage(QWidget* parent = nullptr);

  void start(const QString& path);
  /// An assembly: too quick for stages.
  void startAssembly(const QString& path);
  void showProgress(const engine::Progress& progress);
  void showStage(engine::Stage done);

 Q_SIGNALS:
  void cancelRequested();

 protected:
  void changeEvent(QEvent* event) override;

 private:
  struct Row {
    QLabel* icon;
    QLabel* text;
  };

  QWidget* buildStages();
  void updateLook();

  int m_stagesDone = 0;
  ElidedText* m_name;
  QWidget* m_stages = nullptr;
  std::array<Row, 4> m_rows{};
  QProgressBar* m_bar;
  ElidedText* m_activity;
};

namespace {

constexpr int kBarSteps = 1000;
constexpr int kOpeningPageColumns = 60;

}  // namespace

OpeningPage::OpeningPage(QWidget* parent)
    : QWidget(parent), m_name(new ElidedText(this)), m_bar(new QProgressBar(this)), m_activity(new ElidedText(this)) {
  m_name->setFont(scaledFont(font(), 1.35, QFont::DemiBold));
  m_bar->setRange(0, kBarSteps);
  m_bar->setTextVisible(false);
  m_bar->setAccessibleName(u"Opening"_s);
  m_activity->setDimmed(true);
  auto* cancel = new QPushButton(u"Cancel"_s, this);
  cancel->setToolTip(u"Stop opening this file (Esc)"_s);
  connect(cancel, &QPushButton::clicked, this, &OpeningPage::cancelRequested);
  // Not the button's own, which would animate a click first.
  auto* escape = new QShortcut(Qt::Key_Escape, this);
  connect(escape, &QShortcut::activated, this, &OpeningPage::cancelRequested);

  auto* column = new QWidget(this);
  column->setFixedWidth(fontMetrics().averageCharWidth() * kOpeningPageColumns);
  auto* inner = new QVBoxLayout(column);
  inner->setContentsMargins(0, 0, 0, 0);
  inner->setSpacing(8);
  inner->addWidget(m_name);
  inner->addSpacing(8);
  m_stages = buildStages();
  inner->addWidget(m_stages);
  inner->addSpacing(8);
  inner->addWidget(m_bar);
  inner->addWidget(m_activity);
  inner->addSpacing(8);
  inner->addWidget(cancel, 0, Qt::AlignLeft);

  auto* layout = new QVBoxLayout(this);
  layout->addStretch(2);
  layout->addWidget(column, 0, Qt::AlignHCenter);
  layout->addStretch(3);
}

QWidget* OpeningPage::buildStages() {
  const std::array<QString, 4> names{u"Read the file and find the runtime"_s, u"Find the heap's segments"_s,
                                     u"Walk the objects"_s, u"Measure the types"_s};
  auto* stages = new QWidget(this);
  auto* grid = new QGridLayout(stages);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setHorizontalSpacing(10);
  grid->setVerticalSpacing(0);
  grid->setColumnStretch(1, 1);
  for (std::size_t i = 0; i < names.size(); ++i) {
    m_rows[i] = {new QLabel(stages), new QLabel(names[i], stages)};
    const int row = static_cast<int>(i);
    grid->setRowMinimumHeight(row, qMax(24, qRound(fontMetrics().height() * 1.6)));
    grid->addWidget(m_rows[i].icon, row, 0);
    grid->addWidget(m_rows[i].text, row, 1);
  }
  return stages;
}

void OpeningPage::start(const QString& path) {
  m_stagesDone = 0;
  m_name->setText(u"Opening %1"_s.arg(QFileInfo(path).fileName()));
  m_name->setDetail(QDir::toNativeSeparators(path));
  m_bar->setRange(0, kBarSteps);
  m_bar->setValue(0);
  m_activity->setText(QString());
  m_stages->show();
  updateLook();
}

void OpeningPage::startAssembly(const QString& path) {
  start(path);
  m_bar->setRange(0, 0);
  m_activity->setText(u"Reading its metadata"_s);
  m_stages->hide();
}

void OpeningPage::showProgress(const engine::Progress& progress) {
  m_bar->setValue(static_cast<int>(progress.fraction * kBarSteps));
  m_activity->setText(u"%1 · %2%"_s.arg(fromEngine(progress.activity)).arg(static_cast<int>(progress.fraction * 100)));
}

void OpeningPage::showStage(engine::Stage done) {
  m_stagesDone = static_cast<int>(done) + 1;
  updateLook();
}

void OpeningPage::updateLook() {
  const Colours colours(palette());
  const QColor accent = palette().color(QPalette::Highlight);
  for (std::size_t i = 0; i < m_rows.size(); ++i) {
    const int stage = static_cast<int>(i);
    const bool isDone = stage < m_stagesDone;
    const bool isRunning = stage == m_stagesDone;
    const QString symbol = isDone ? u"check"_s : isRunning ? u"running"_s : u"pending"_s;
    m_rows[i].icon->setPixmap(symbolPixmap(symbol, isDone || isRunning ? accent : colours.dimmedText(),
                                           fontMetrics().height(), devicePixelRatioF()));
    m_rows[i].text->setForegroundRole(isDone || isRunning ? QPalette::WindowText : QPalette::PlaceholderText);
  }
}

void OpeningPage::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) updateLook();
}

StartPlace::StartPlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : Place(bridge, navigator, parent),
      m_pages(new QStackedWidget(this)),
      m_scroll(new QScrollArea(this)),
      m_welcome(new WelcomePage(this)),
      m_opening(new OpeningPage(this)) {
  m_scroll->setWidget(m_welcome);
  m_scroll->setWidgetResizable(true);
  m_pages->addWidget(m_scroll);
  m_pages->addWidget(m_opening);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(m_pages);

  connect(m_welcome, &WelcomePage::openRequested, this, &StartPlace::openRequested);
  connect(m_welcome, &WelcomePage::runningRequested, this, &StartPlace::runningRequested);
  connect(m_welcome, &WelcomePage::guideRequested, this, &StartPlace::guideRequested);
  connect(m_welcome, &WelcomePage::continueRequested, this, &StartPlace::continueRequested);
  connect(m_welcome, &WelcomePage::chooseRequested, this, &StartPlace::chooseRequested);
  connect(m_welcome, &WelcomePage::chooseAssemblyRequested, this, &StartPlace::chooseAssemblyRequested);
  connect(m_opening, &OpeningPage::cancelRequested, &m_bridge, &EngineBridge::cancel);
  connect(&m_bridge, &EngineBridge::openStarted, this, &StartPlace::showOpening);
  connect(&m_bridge, &EngineBridge::progressed, m_opening, &OpeningPage::showProgress);
  connect(&m_bridge, &EngineBridge::openFinished, this, &StartPlace::showWelcome);
  connect(&m_bridge, &EngineBridge::assemblyOpened, this, &StartPlace::showWelcome);
  connect(&m_bridge, &EngineBridge::openCancelled, this, &StartPlace::showWelcome);
  connect(&m_bridge, &EngineBridge::openFailed, this, [this](const engine::Error& error) {
    showWelcome();
    m_welcome->showFailure(m_openingPath, error);
    m_scroll->verticalScrollBar()->setValue(0);
  });
}

void StartPlace::showSnapshot(const engine::Snapshot& snapshot) {
  m_opening->showStage(snapshot.stage());
}

void StartPlace::clear() {}

void StartPlace::setRecentDumps(const QStringList& paths) {
  m_welcome->setRecentDumps(paths);
}

void StartPlace::setLast(const QString& path, const QString& title, const QString& where) {
  m_welcome->setLast(path, title, where);
}

void StartPlace::addGuide(const QString& title, const QString& about) {
  m_welcome->addGuide(title, about);
}

void StartPlace::setSample(const QString& path) {
  m_welcome->setSample(path);
}

void StartPlace::setDropHovered(bool isHovered) {
  m_welcome->setDropHovered(isHovered);
}

void StartPlace::showOpening(const QString& path) {
  m_openingPath = path;
  m_welcome->hideFailure();
  if (m_bridge.isAssembly()) {
    m_opening->startAssembly(path);
  } else {
    m_opening->start(path);
  }
  m_pages->setCurrentWidget(m_opening);
}

void StartPlace::showWelcome() {
  m_pages->setCurrentWidget(m_scroll);
}

}  // namespace heapscape::gui

#include "start_place.moc"
