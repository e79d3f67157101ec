// SPDX-License-Identifier: MIT
#include "views/console/command_edit.h"

#include <QKeyEvent>
#include <algorithm>
#include <utility>

#include "base/command_words.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

constexpr qsizetype kMostCommands = 1000;

QString lastWordIn(const QString& line) {
  return QString::fromStdString(std::string(engine::lastWordOf(line.toStdString())));
}

QString commonWord(const std::vector<ShellOffer>& offers) {
  std::vector<std::string> words;
  for (const ShellOffer& offer : offers) words.push_back(offer.word.toStdString());
  return QString::fromStdString(engine::commonBeginning(words));
}

}  // namespace

CommandEdit::CommandEdit(QWidget* parent) : QLineEdit(parent) {
  setObjectName(u"consoleCommand"_s);
  setAccessibleName(u"Command"_s);
  setAccessibleDescription(u"Enter runs it, Tab completes it, Up and Down bring back earlier ones"_s);
  connect(this, &QLineEdit::textEdited, this, [this] {
    if (m_popup && m_popup->isVisible()) {
      ask();
    } else {
      m_isAsked = false;
    }
  });
}

void CommandEdit::ask() {
  m_isAsked = true;
  Q_EMIT offersWanted(upToCursor());
}

void CommandEdit::takeOffers(const QString& line, const std::vector<ShellOffer>& offers) {
  if (!m_isAsked || line != upToCursor() || !hasFocus()) return;
  const QString word = lastWordIn(line);
  if (offers.empty() || (offers.size() == 1 && offers.front().word == word)) {
    if (m_popup) m_popup->hide();
    return;
  }
  const bool isOpen = m_popup && m_popup->isVisible();
  if (offers.size() == 1 && !isOpen) {
    replaceWord(offers.front().word, true);
    endOffers();
    return;
  }
  if (const QString common = commonWord(offers); !isOpen && common.size() > word.size()) replaceWord(common, false);
  engine::Completions shown;
  for (const ShellOffer& offer : offers)
    shown.items.push_back({.text = offer.word.toStdString(), .help = offer.about.toStdString()});
  popup()->setItems(shown, {});
  popup()->showUnder(this);
}

void CommandEdit::replaceWord(QString text, bool isWhole) {
  const QString word = lastWordIn(upToCursor());
  if (isWhole) text += QLatin1Char(' ');
  setSelection(cursorPosition() - static_cast<int>(word.size()), static_cast<int>(word.size()));
  insert(text);
}

void CommandEdit::insertOffer(const engine::Completion& offer) {
  const QString text = fromEngine(offer.text);
  endOffers();
  replaceWord(text, true);
}

void CommandEdit::endOffers() {
  m_isAsked = false;
  if (m_popup) m_popup->hide();
}

CompletionPopup* CommandEdit::popup() {
  if (m_popup && m_popup->parentWidget() == window()) return m_popup;
  delete m_popup;
  m_popup = new CompletionPopup(window());
  connect(m_popup, &CompletionPopup::picked, this, &CommandEdit::insertOffer);
  connect(this, &QObject::destroyed, m_popup, &QObject::deleteLater);
  return m_popup;
}

bool CommandEdit::event(QEvent* event) {
  const bool isKey = event->type() == QEvent::KeyPress;
  const auto* key = isKey ? static_cast<QKeyEvent*>(event) : nullptr;
  if (key && key->key() == Qt::Key_Tab && key->modifiers() == Qt::NoModifier && !text().trimmed().isEmpty()) {
    const engine::Completion* first = m_popup && m_popup->isVisible() ? m_popup->current(true) : nullptr;
    if (first) {
      insertOffer(engine::Completion(*first));
    } else {
      ask();
    }
    return true;
  }
  return QLineEdit::event(event);
}

void CommandEdit::enter(const QString& command) {
  endOffers();
  if (command.isEmpty()) return;
  m_history.removeAll(command);
  m_history << command;
  if (m_history.size() > kMostCommands) m_history.removeFirst();
  m_place = m_history.size();
  m_written.clear();
  if (text().trimmed() == command) clear();
  Q_EMIT entered(command);
}

void CommandEdit::goThroughHistory(int step) {
  const qsizetype place = std::clamp<qsizetype>(m_place + step, 0, m_history.size());
  if (place == m_place) return;
  if (m_place == m_history.size()) m_written = text();
  m_place = place;
  setText(m_place == m_history.size() ? m_written : m_history[m_place]);
}

void CommandEdit::keyPressEvent(QKeyEvent* event) {
  const bool isOpen = m_popup && m_popup->isVisible();
  const bool isControl = event->modifiers() == Qt::ControlModifier;
  const int key = event->key();
  if (isControl && key == Qt::Key_Space) return ask();
  if (isControl && key == Qt::Key_C && !hasSelectedText()) {
    Q_EMIT stopWanted();
    return;
  }
  if (key == Qt::Key_Up || key == Qt::Key_Down) {
    const int step = key == Qt::Key_Up ? -1 : 1;
    if (isControl) {
      Q_EMIT stepWanted(step);
    } else if (isOpen) {
      m_popup->moveCurrent(step);
    } else {
      goThroughHistory(step);
    }
    return;
  }
  if (isOpen && key == Qt::Key_Escape) return endOffers();
  if (key != Qt::Key_Return && key != Qt::Key_Enter) return QLineEdit::keyPressEvent(event);
  const engine::Completion* chosen = isOpen ? m_popup->current(false) : nullptr;
  if (chosen) return insertOffer(engine::Completion(*chosen));
  enter();
}

void CommandEdit::focusOutEvent(QFocusEvent* event) {
  endOffers();
  QLineEdit::focusOutEvent(event);
}

}  // namespace heapscape::gui
