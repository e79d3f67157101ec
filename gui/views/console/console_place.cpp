// SPDX-License-Identifier: MIT
// The place and its process; console_actions.cpp has what is done with answers.
#include "views/console/console_place.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedWidget>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <utility>

#include "layout/code_owners.h"
#include "views/console/answer_view.h"
#include "views/console/command_edit.h"
#include "views/console/examples_page.h"
#include "widgets/filter_line.h"
#include "widgets/state_panel.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"
#include "widgets/tool_button.h"

namespace heapscape::gui {

namespace {

constexpr int kTickMs = 250;
constexpr int kInterruptedStatus = 130;
constexpr double kTellSeconds = 1;  // what takes longer has its seconds told while it runs

QString secondsText(double seconds) {
  if (seconds < 0.1) return u"under 0.1 s"_s;
  return u"%1 s"_s.arg(seconds, 0, 'f', seconds < 10 ? 1 : 0);
}

}  // namespace

ConsolePlace::ConsolePlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : Place(bridge, navigator, parent),
      m_links(bridge),
      m_shell(new ConsoleShell(this)),
      m_search(new QLineEdit(this)),
      m_searched(new ElidedText(this)),
      m_save(new QToolButton(this)),
      m_clear(new QToolButton(this)),
      m_gone(new Banner(this)),
      m_pages(new QStackedWidget(this)),
      m_examples(new ExamplesPage(this)),
      m_answers(new AnswerView(m_transcript, m_links, this)),
      m_busy(new QProgressBar(this)),
      m_state(new ElidedText(this)),
      m_again(new QPushButton(u"Start again"_s, this)),
      m_command(new CommandEdit(this)),
      m_run(new QPushButton(this)),
      m_tick(new QTimer(this)) {
  m_pages->addWidget(m_examples);
  m_pages->addWidget(m_answers);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(buildHead());
  column->addWidget(m_gone);
  column->addWidget(m_pages, 1);
  column->addWidget(buildFoot());
  setFocusProxy(m_command);
  m_tick->setInterval(kTickMs);
  connectParts();
  addActions();
  clear();
}

ConsolePlace::~ConsolePlace() {
  m_shell->disconnect(this);
}

QWidget* ConsolePlace::buildHead() {
  auto* head = new QWidget(this);
  m_search->setObjectName(u"consoleSearch"_s);
  m_search->setPlaceholderText(u"Find in the output"_s);
  m_search->setAccessibleName(u"Find in the output"_s);
  setUpFilter(m_search);
  m_search->setFixedWidth(fontMetrics().averageCharWidth() * 40);
  m_search->installEventFilter(this);
  m_searched->setObjectName(u"consoleSearched"_s);
  m_searched->setElideMode(Qt::ElideRight);
  setUpTextButton(m_save, u"consoleSave"_s, u"Save output…"_s, u"Write all that is shown to a file"_s);
  setUpTextButton(m_clear, u"consoleClear"_s, u"Clear"_s, u"Take away all that is shown"_s);
  auto* line = new QHBoxLayout(head);
  line->setContentsMargins(12, 8, 12, 8);
  line->setSpacing(8);
  line->addWidget(m_search);
  line->addWidget(m_searched, 1);
  line->addWidget(m_save);
  line->addWidget(m_clear);
  return head;
}

QWidget* ConsolePlace::buildFoot() {
  auto* foot = new QWidget(this);
  auto* sign = new QLabel(u"❯"_s, foot);
  sign->setFont(scaledFont(fixedFont(font()), 1, QFont::DemiBold));
  sign->setBuddy(m_command);
  m_command->setFont(fixedFont(font()));
  m_command->setPlaceholderText(u"Command, as clrstack -all"_s);
  m_command->setMinimumHeight(std::max(30, fontMetrics().height() * 9 / 5));
  m_run->setObjectName(u"consoleRun"_s);
  m_run->setMinimumHeight(m_command->minimumHeight());
  m_busy->setRange(0, 0);
  m_busy->setTextVisible(false);
  m_busy->setFixedSize(fontMetrics().averageCharWidth() * 12, 4);
  m_busy->setAccessibleName(u"Working"_s);
  m_state->setObjectName(u"consoleState"_s);
  m_state->setElideMode(Qt::ElideRight);
  m_again->setObjectName(u"consoleAgain"_s);
  auto* states = new QHBoxLayout;
  states->setSpacing(8);
  states->addWidget(m_busy);
  states->addWidget(m_state, 1);
  states->addWidget(m_again);
  auto* line = new QHBoxLayout;
  line->setSpacing(8);
  line->addWidget(sign);
  line->addWidget(m_command, 1);
  line->addWidget(m_run);
  auto* column = new QVBoxLayout(foot);
  column->setContentsMargins(12, 6, 12, 10);
  column->setSpacing(6);
  column->addLayout(states);
  column->addLayout(line);
  return foot;
}

void ConsolePlace::connectParts() {
  connect(m_shell, &ConsoleShell::stateChanged, this, &ConsolePlace::showState);
  connect(m_shell, &ConsoleShell::stateChanged, this, &ConsolePlace::goOn, Qt::QueuedConnection);
  connect(m_shell, &ConsoleShell::wrote, this, &ConsolePlace::takeLines);
  connect(m_shell, &ConsoleShell::answered, this, &ConsolePlace::takeAnswer);
  connect(m_shell, &ConsoleShell::offered, this, &ConsolePlace::takeOffers);
  connect(m_shell, &ConsoleShell::ended, this, &ConsolePlace::takeEnd);
  connect(m_command, &CommandEdit::entered, this, &ConsolePlace::run);
  connect(m_command, &CommandEdit::offersWanted, this, &ConsolePlace::offer);
  connect(m_command, &CommandEdit::stopWanted, this, &ConsolePlace::stop);
  connect(m_command, &CommandEdit::stepWanted, m_answers, &AnswerView::stepCommand);
  connect(m_command, &QLineEdit::textEdited, this, &ConsolePlace::begin);
  connect(m_command, &QLineEdit::textChanged, this, &ConsolePlace::showState);
  connect(m_run, &QPushButton::clicked, this, [this] {
    const bool isBusy =
        m_shell->state() == ConsoleShell::State::Running || m_shell->state() == ConsoleShell::State::Opening;
    if (isBusy) return stop();
    m_command->enter();
    m_command->setFocus();
  });
  connect(m_again, &QPushButton::clicked, this, &ConsolePlace::startAgain);
  connect(m_examples, &ExamplesPage::picked, this, [this](const QString& command) {
    if (!command.endsWith(QLatin1Char(' '))) return m_command->enter(command);
    write(command);
  });
  // Text of a dump could look like one: what a click does not do is run it.
  connect(m_answers, &AnswerView::commandPicked, this, &ConsolePlace::write);
  connect(m_answers, &AnswerView::linkPicked, this, &ConsolePlace::inspect);
  connect(m_answers, &AnswerView::menuWanted, this, &ConsolePlace::openMenu);
  connect(m_answers, &AnswerView::typed, this, [this](const QString& text) {
    m_command->setFocus();
    m_command->insert(text);
    begin();
  });
  connect(m_answers, &AnswerView::found, this,
          [this](bool isThere) { m_searched->setText(isThere ? QString() : u"Not in the output"_s); });
  connect(m_search, &QLineEdit::textChanged, this, [this] { find(1); });
  connect(m_save, &QToolButton::clicked, this, &ConsolePlace::save);
  connect(m_clear, &QToolButton::clicked, this, &ConsolePlace::empty);
  connect(m_tick, &QTimer::timeout, this, [this] {
    showState();
    showGone();
  });
}

bool ConsolePlace::eventFilter(QObject* watched, QEvent* event) {
  if (watched != m_search || event->type() != QEvent::KeyPress) return Place::eventFilter(watched, event);
  const auto* key = static_cast<QKeyEvent*>(event);
  switch (key->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
      find(key->modifiers() & Qt::ShiftModifier ? -1 : 1);
      return true;
    case Qt::Key_Escape:
      m_search->clear();
      [[fallthrough]];
    case Qt::Key_Down:
      m_answers->setFocus(Qt::OtherFocusReason);
      return true;
    default:
      return Place::eventFilter(watched, event);
  }
}

void ConsolePlace::changeEvent(QEvent* event) {
  Place::changeEvent(event);
  if (event->type() == QEvent::FontChange) m_command->setFont(fixedFont(font()));
}

void ConsolePlace::showSnapshot(const engine::Snapshot& snapshot) {
  m_examples->setCost(costText());
  m_examples->showExamples(!snapshot.isRecorded());
  m_links.refresh();
  showState();
}

void ConsolePlace::clear() {
  m_shell->end();
  m_transcript.clear();
  m_links.clear();
  m_waiting.clear();
  m_running.clear();
  m_offerWanted = QString();
  m_hasEnded = m_isStopping = false;
  m_search->clear();
  m_answers->updateLines();
  m_examples->setCost({});
  m_examples->showExamples(true);
  setState({});
  showGone();
  showState();
}

void ConsolePlace::follow(const Location& location) {
  const bool isHere = location.place == PlaceId::Console;
  if (!std::exchange(m_isHere, isHere) && isHere) m_command->setFocus(Qt::OtherFocusReason);
}

// What the command line answers otherwise unless it is told.
QStringList ConsolePlace::wantedOptions() const {
  QStringList options;
  for (const QString& folder : m_bridge.searchFolders()) options << u"--search"_s << folder;
  if (!m_bridge.rootOptions().includeInexact) options << u"--exact"_s;
  const engine::NamedCode named = engine::namedCode();
  for (const std::string& own : named.own) options << u"--own-code"_s << QString::fromStdString(own);
  for (const std::string& package : named.packages) options << u"--package"_s << QString::fromStdString(package);
  if (!m_bridge.hasCache()) options << u"--no-cache"_s;
  return options;
}

QString ConsolePlace::costText() const {
  if (!m_bridge.snapshot()) return {};
  double seconds = 0;
  for (const engine::StageTiming& timing : m_bridge.snapshot()->timings()) {
    if (timing.stage == "roots") break;  // who holds what is asked for when a command needs it
    seconds += timing.seconds;
  }
  return u"The first command opens the dump once more, in a process of its own: that takes about %1, as opening did "
         "here, and memory of its own until the dump is closed."_s.arg(secondsText(seconds));
}

void ConsolePlace::begin() {
  if (m_shell->state() == ConsoleShell::State::Ended && !m_hasEnded) start();
}

void ConsolePlace::write(const QString& command) {
  m_command->setText(command);
  m_command->setFocus();
  begin();
}

void ConsolePlace::start() {
  if (!m_bridge.snapshot()) return;
  m_hasEnded = m_isStopping = false;
  m_isOpening = true;
  m_startedWith = wantedOptions();
  m_since.start();
  m_shell->start(m_program, m_bridge.path(), m_startedWith);
}

void ConsolePlace::startAgain() {
  m_command->setFocus();
  start();
}

void ConsolePlace::run(const QString& command) {
  if (!m_bridge.snapshot()) return;
  m_waiting << command;
  m_pages->setCurrentWidget(m_answers);
  m_answers->goToEnd();
  if (m_shell->state() == ConsoleShell::State::Ended) start();
  goOn();
  showState();
}

void ConsolePlace::goOn() {
  if (m_shell->state() != ConsoleShell::State::Idle) return;
  if (m_waiting.isEmpty()) {
    if (!m_offerWanted.isNull()) m_shell->askOffers(m_offerWanted);  // asked while the shell was busy
    return;
  }
  if (m_startedWith != wantedOptions()) {
    note(u"Settings that answers depend on have changed: the dump is opened anew."_s);
    m_shell->end();
    start();
    return;
  }
  m_running = m_waiting.takeFirst();
  m_isStopping = false;
  m_transcript.add(m_running.toUtf8(), LineKind::Command);
  m_answers->updateLines();
  m_since.start();
  m_shell->run(m_running);
}

void ConsolePlace::stop() {
  const ConsoleShell::State state = m_shell->state();
  if (state != ConsoleShell::State::Running && state != ConsoleShell::State::Opening) return;
  m_waiting.clear();
  m_isStopping = true;
  m_shell->cancel();
  showState();
}

void ConsolePlace::note(const QString& text) {
  m_transcript.add(text.toUtf8(), LineKind::Note);
  m_answers->updateLines();
}

void ConsolePlace::takeLines(const std::vector<ShellLine>& lines) {
  for (const ShellLine& line : lines)
    m_transcript.add(line.text, line.isMessage ? LineKind::Message : LineKind::Answer, line.goesOn);
  m_pages->setCurrentWidget(m_answers);
  m_answers->updateLines();
}

void ConsolePlace::takeAnswer(int status) {
  const QString seconds = secondsText(static_cast<double>(m_since.elapsed()) / 1000);
  if (status == kInterruptedStatus) {
    note(u"Stopped after %1."_s.arg(seconds));
    setState({});
  } else if (status != 0) {
    setState(u"%1 ended with status %2 after %3"_s.arg(m_running).arg(status).arg(seconds));
  } else {
    setState(u"%1 took %2"_s.arg(m_running, seconds));
  }
  m_running.clear();
  m_isStopping = false;
  showGone();
}

void ConsolePlace::takeEnd(const QString& why) {
  m_hasEnded = true;
  m_isStopping = false;
  m_waiting.clear();
  m_running.clear();
  m_offerWanted = QString();
  setState(why, true);
  showState();
}

void ConsolePlace::offer(const QString& line) {
  begin();
  m_offerWanted = line;
  const bool isFirst = !line.trimmed().contains(QLatin1Char(' ')) && !line.endsWith(QLatin1Char(' '));
  if ((isFirst || line.isEmpty()) && !m_commands.empty()) {
    // Blanks before the first word are not of it.
    const QString word = line.trimmed();
    std::vector<ShellOffer> fitting;
    for (const ShellOffer& command : m_commands) {
      if (command.word.startsWith(word, Qt::CaseInsensitive)) fitting.push_back(command);
    }
    m_offerWanted = QString();
    m_command->takeOffers(line, fitting);
    return;
  }
  // What is asked while a command runs is answered behind it, unless the line is another one by then.
  m_shell->askOffers(line);
}

void ConsolePlace::takeOffers(const QString& line, const std::vector<ShellOffer>& offers) {
  if (line.isEmpty()) m_commands = offers;
  if (m_offerWanted.isNull()) return;
  if (line != m_offerWanted) {
    offer(QString(m_offerWanted));
    return;
  }
  m_offerWanted = QString();
  m_command->takeOffers(line, offers);
}

void ConsolePlace::setState(const QString& text, bool isWarning) {
  m_state->setWarning(isWarning);
  m_state->setDimmed(!isWarning);
  m_state->setText(isWarning ? u"⚠ "_s + text : text);
}

void ConsolePlace::showState() {
  using State = ConsoleShell::State;
  const State state = m_shell->state();
  const bool isBusy = state == State::Opening || state == State::Running;
  const double seconds = m_since.isValid() ? static_cast<double>(m_since.elapsed()) / 1000 : 0;
  if (state == State::Opening) {
    const QString then = m_waiting.isEmpty() ? QString() : u", then %1"_s.arg(m_waiting.front());
    const QString since = seconds < kTellSeconds ? QString() : u" · "_s + secondsText(seconds);
    setState(m_isStopping ? u"Stopping…"_s : u"Opening the dump once more for the console%1%2"_s.arg(then, since));
  } else if (state == State::Running && seconds >= kTellSeconds) {
    const QString more = m_waiting.isEmpty() ? QString() : u" · %1 more"_s.arg(countText(m_waiting.size()));
    setState(m_isStopping ? u"Stopping %1… Once more ends the console"_s.arg(m_running)
                          : u"%1 · %2%3"_s.arg(m_running, secondsText(seconds), more));
  } else if (state == State::Running) {
    setState(m_running);
  } else if (state == State::Idle && std::exchange(m_isOpening, false)) {
    setState(u"The dump is open"_s);
    if (m_commands.empty()) m_shell->askOffers({});
  }
  m_busy->setVisible(isBusy);
  m_again->setVisible(state == State::Ended && m_hasEnded);
  m_run->setText(isBusy ? u"Stop"_s : u"Run"_s);
  m_run->setToolTip(isBusy ? u"Stop this command (Ctrl+C); the dump stays open"_s : u"Run the command (Enter)"_s);
  m_run->setEnabled(isBusy || !m_command->text().trimmed().isEmpty());
  m_command->setEnabled(m_bridge.snapshot() != nullptr);
  m_save->setEnabled(!m_transcript.isEmpty());
  m_clear->setEnabled(!m_transcript.isEmpty());
  m_search->setEnabled(!m_transcript.isEmpty());
  m_pages->setCurrentIndex(m_transcript.isEmpty() && m_running.isEmpty() ? 0 : 1);
  if (isBusy != m_tick->isActive()) isBusy ? m_tick->start() : m_tick->stop();
}

void ConsolePlace::showGone() {
  const std::uint64_t gone = m_transcript.gone();
  const QString text = gone == 0 ? QString()
                                 : u"%1 at the beginning are gone: what was written last is kept, up to 10 MB. A long "
                                   "answer is whole in a file: COMMAND > FILE."_s.arg(countedText(gone, u"line"_s));
  if (m_gone->accessibleName() != text) m_gone->setText(text);
}

}  // namespace heapscape::gui
