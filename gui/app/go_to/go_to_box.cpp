// SPDX-License-Identifier: MIT
#include "app/go_to/go_to_box.h"

#include <QAction>
#include <QApplication>
#include <QDir>
#include <QKeyEvent>

#include "app/go_to/go_to_entry.h"
#include "app/go_to/go_to_popup.h"
#include "bridge/file_facts.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

constexpr std::size_t kMostDestinations = 50;
constexpr auto kGoToBoxChannel = "goTo";

bool isPathText(const QString& text) {
  return text.startsWith(QLatin1Char('/')) || text.startsWith(QStringLiteral("~/"));
}

QString expanded(const QString& path) {
  return path.startsWith(QStringLiteral("~/")) ? QDir::home().filePath(path.mid(2)) : path;
}

}  // namespace

GoToBox::GoToBox(EngineBridge& bridge, Navigator& navigator, QWidget* window)
    : QLineEdit(window), m_bridge(bridge), m_navigator(navigator), m_popup(new GoToPopup(window)) {
  setPlaceholderText(QStringLiteral("Go to: address, type, @thread, ? query, * bookmark, or > command"));
  setAccessibleName(QStringLiteral("Go to"));
  setClearButtonEnabled(true);
  addAction(symbolIcon(QStringLiteral("search")), QLineEdit::LeadingPosition);
  connect(m_popup, &GoToPopup::picked, this, &GoToBox::pick);
  connect(qApp, &QApplication::focusChanged, this, [this](QWidget* from, QWidget* to) {
    if (to == this && from && from->window() == this->window()) m_cameFrom = from;
  });
  connect(this, &QLineEdit::textEdited, this, [this] {
    m_picksFirst = false;
    complete();
  });
}

void GoToBox::complete() {
  const QString typed = text().trimmed();
  if (typed.isEmpty()) {
    std::vector<GoToEntry> kept = m_bookmarks ? bookmarkEntries(typed, *m_bookmarks) : std::vector<GoToEntry>();
    kept.empty() ? m_popup->hide() : show(std::move(kept));
  } else if (isCommandText(typed)) {
    show(commandEntries(typed, m_commands));
  } else if (isBookmarkText(typed) && m_bookmarks) {
    show(bookmarkEntries(typed, *m_bookmarks));
  } else if (isQueryText(typed) && m_bridge.snapshot()) {
    show(queryEntries(typed, m_navigator));
  } else if (isPathText(typed)) {
    askForFile(typed);
  } else if (m_bridge.isAssembly() && m_bridge.hasLayouts()) {
    askForTypes(typed);
  } else if (!m_bridge.snapshot()) {
    show({{.symbol = QStringLiteral("info"),
           .title = QStringLiteral("Open a dump first"),
           .detail = QStringLiteral("or type > for commands"),
           .run = {}}});
  } else {
    askEngine(typed);
  }
}

void GoToBox::askForFile(const QString& typed) {
  m_popup->setEnabled(false);
  const QString path = expanded(typed);
  askForFiles({path}, this, [this, typed, path](const std::vector<FileFacts>& files) {
    if (typed != text().trimmed()) return;
    const bool exists = files.front().isThere;
    show({{.symbol = QStringLiteral("dump"),
           .title = typed,
           .detail = exists ? QStringLiteral("open this file") : QStringLiteral("no such file"),
           .run = exists ? std::function<void()>([this, path] { Q_EMIT openRequested(path); }) : nullptr}});
  });
}

// What is offered until the answer comes was for another text: it is dimmed, and cannot be picked.
void GoToBox::askEngine(const QString& typed) {
  m_popup->setEnabled(false);
  m_bridge.ask(
      this, kGoToBoxChannel,
      [wanted = typed.toStdString()](const engine::Snapshot& snapshot, std::stop_token stop) {
        return findForBox(snapshot, wanted, kMostDestinations, stop);
      },
      [this, typed](const engine::Outcome<FoundForBox>& found) {
        if (typed != text().trimmed()) return;
        found ? show(destinationEntries(*found, m_navigator)) : showFailure(found.error());
      });
}

void GoToBox::askForTypes(const QString& typed) {
  m_popup->setEnabled(false);
  m_bridge.ask(
      this, kGoToBoxChannel,
      [wanted = typed.toStdString()](const engine::DeclaredLayouts& layouts, std::stop_token stop) {
        return findTypesForBox(layouts, wanted, kMostDestinations, stop);
      },
      [this, typed](const engine::Outcome<std::vector<engine::LayoutRow>>& found) {
        if (typed != text().trimmed()) return;
        found ? show(typeEntries(*found, m_navigator)) : showFailure(found.error());
      });
}

void GoToBox::show(std::vector<GoToEntry> entries) {
  if (entries.empty()) {
    entries.push_back(
        {.symbol = QStringLiteral("info"), .title = QStringLiteral("Nothing found"), .detail = {}, .run = {}});
  }
  m_popup->setEntries(std::move(entries));
  m_popup->setEnabled(true);
  m_answered = text().trimmed();
  if (m_picksFirst) {
    m_picksFirst = false;
    pick();
  } else if (hasFocus()) {
    m_popup->showUnder(this);
  }
}

void GoToBox::showFailure(const engine::Unfinished& why) {
  if (!why.isCancelled()) show(failureEntries(fromEngine(why.error().what), fromEngine(why.error().help)));
}

void GoToBox::begin() {
  setFocus(Qt::ShortcutFocusReason);
  selectAll();
  complete();
}

void GoToBox::beginCommand() {
  setFocus(Qt::OtherFocusReason);  // that of a shortcut would pick the sign, to be written over
  setText(QStringLiteral("> "));
  complete();
}

// What is run finds the focus where it was, and may be about that.
void GoToBox::pick() {
  if (!m_popup->canRunCurrent()) {
    m_popup->showUnder(this);
    return;
  }
  clear();
  leave();
  m_popup->runCurrent();
}

void GoToBox::leave() {
  m_cameFrom && m_cameFrom->isVisible() ? m_cameFrom->setFocus(Qt::OtherFocusReason) : clearFocus();
}

void GoToBox::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Down:
    case Qt::Key_Up:
      m_popup->isVisible() ? m_popup->moveCurrent(event->key() == Qt::Key_Down ? 1 : -1) : complete();
      return;
    case Qt::Key_PageDown:
    case Qt::Key_PageUp:
      m_popup->moveCurrent(event->key() == Qt::Key_PageDown ? 10 : -10);
      return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (m_popup->isVisible() && m_answered == text().trimmed()) {
        pick();
      } else if (!text().trimmed().isEmpty()) {
        m_picksFirst = true;
        complete();
      }
      return;
    case Qt::Key_Escape:
      if (m_popup->isVisible()) {
        m_popup->hide();
      } else {
        clear();
        leave();
      }
      return;
    default:
      QLineEdit::keyPressEvent(event);
  }
}

void GoToBox::focusInEvent(QFocusEvent* event) {
  QLineEdit::focusInEvent(event);
  if (!text().isEmpty()) complete();
}

void GoToBox::focusOutEvent(QFocusEvent* event) {
  QLineEdit::focusOutEvent(event);
  m_popup->hide();
}

void GoToBox::resizeEvent(QResizeEvent* event) {
  QLineEdit::resizeEvent(event);
  if (m_popup->isVisible()) m_popup->showUnder(this);
}

}  // namespace heapscape::gui
