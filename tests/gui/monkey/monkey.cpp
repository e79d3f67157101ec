// SPDX-License-Identifier: MIT
#include "monkey/monkey.h"

#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QFileDialog>
#include <QPointer>
#include <QTest>
#include <QTimer>
#include <QWheelEvent>
#include <QWindow>
#include <array>
#include <utility>

#include "app/window_actions.h"

namespace heapscape::gui::test {

namespace {

constexpr int kReturnMs = 10'000;

constexpr std::array kKeys = {Qt::Key_Tab,    Qt::Key_Backtab, Qt::Key_Up,    Qt::Key_Down,   Qt::Key_Left,
                              Qt::Key_Right,  Qt::Key_Home,    Qt::Key_End,   Qt::Key_PageUp, Qt::Key_PageDown,
                              Qt::Key_Return, Qt::Key_Escape,  Qt::Key_Space, Qt::Key_Delete, Qt::Key_Plus,
                              Qt::Key_Minus,  Qt::Key_F1,      Qt::Key_F3,    Qt::Key_Menu,   Qt::Key_Slash};
constexpr std::array kModifiers = {Qt::NoModifier, Qt::NoModifier, Qt::NoModifier, Qt::ShiftModifier,
                                   Qt::ControlModifier};
constexpr std::array kTexts = {"type ~ \"Order\"",
                               "size > 1 KB and gen = 2",
                               "field(\"",
                               "0x7f",
                               "> ",
                               "? ",
                               "* ",
                               "@1",
                               "String",
                               "(((",
                               "\xe2\x80\xae\xf0\x9f\x92\xbe",
                               "",
                               "retained > 1",
                               "xyzzy"};

// What opens files or ends the program is for tests of its own.
bool isLeftAlone(MainWindow& window, const QAction* action) {
  const WindowActions& actions = window.actions();
  return action == actions.quit || action == actions.closeWindow || action == actions.newWindow ||
         action == actions.openSample || action == actions.continueSession;
}

}  // namespace

Monkey::Monkey(MainWindow& window, QString dump, unsigned seed)
    : m_window(window), m_dump(std::move(dump)), m_random(seed) {}

void Monkey::play(int steps, std::function<void(const QString&)> told) {
  m_told = std::move(told);
  m_left = steps;
  m_isPlaying = true;
  // What quits the program ends this loop, too.
  while (m_left > 0) {
    askForStep();
    m_loop.exec();
  }
  m_isPlaying = false;
  while (QWidget* popup = QApplication::activePopupWidget()) popup->close();
  while (QWidget* dialog = QApplication::activeModalWidget()) dialog->close();
}

void Monkey::askForStep() {
  QTimer::singleShot(0, this, [this] { step(); });
}

void Monkey::step() {
  if (--m_left < 0) {
    // Each has an event loop of its own, which would never end: one after the other, the last one first.
    QWidget* const popup = QApplication::activePopupWidget();
    QWidget* const open = popup ? popup : QApplication::activeModalWidget();
    if (open) {
      open->close();
    } else {
      m_loop.quit();
    }
    // The rest of a double click that waited for a menu opens the next one.
    if (m_isPlaying) askForStep();
    return;
  }
  askForStep();
  if (!m_window.isVisible()) m_window.show();
  const engine::Snapshot* const open = m_window.bridge().snapshot();
  const bool isOther = open && open->summary().dump.path != m_dump.toStdString();
  if (!isOther) {
    m_returning = {};
  } else if (m_returning.hasExpired()) {
    // Pins are written beside what is open: beside the bundled sample, for one.
    tell(QStringLiteral("open the dump instead of another one"));
    m_returning.setRemainingTime(kReturnMs);
    return m_window.open(m_dump);
  } else if (!QApplication::activePopupWidget() && !QApplication::activeModalWidget()) {
    ++m_left;  // it is on its way
    return;
  }
  playIn(front());
}

QWidget& Monkey::front() {
  if (QWidget* popup = QApplication::activePopupWidget()) return *popup;
  if (QWidget* dialog = QApplication::activeModalWidget()) return *dialog;
  QWidgetList windows;
  for (QWidget* window : QApplication::topLevelWidgets()) {
    if (window->isVisible() && window->windowHandle() && window != &m_window) windows << window;
  }
  // Mostly the main one; the manual and places in windows of their own now and then.
  if (windows.isEmpty() || upTo(3) > 0) return m_window;
  return *windows[upTo(static_cast<int>(windows.size()) - 1)];
}

void Monkey::playIn(QWidget& front) {
  // There it could take away real files.
  if (auto* files = qobject_cast<QFileDialog*>(&front)) return files->reject();
  if (!front.windowHandle()) return;
  const bool isOver = &front != &m_window;
  if (isOver && upTo(3) == 0) {
    tell(QStringLiteral("close %1").arg(QString::fromLatin1(front.metaObject()->className())));
    front.close();
    return;
  }
  const int choice = upTo(19);
  if (choice < 9) return clickSomewhere(front);
  if (choice < 11) return drag(front);
  if (choice < 13) return turnWheel(front);
  if (choice < 16) return pressKey(front);
  if (choice < 18) return typeText();
  if (!isOver) changeWindow();
}

void Monkey::clickSomewhere(QWidget& front) {
  const QPoint point = pointIn(front);
  const Qt::MouseButton button = upTo(4) == 0 ? Qt::RightButton : Qt::LeftButton;
  const Qt::KeyboardModifier modifier = oneOf(kModifiers);
  const bool isDouble = upTo(5) == 0;
  tell(QStringLiteral("click %1,%2 button %3 modifier %4 double %5 on %6")
           .arg(point.x())
           .arg(point.y())
           .arg(static_cast<int>(button))
           .arg(static_cast<int>(modifier))
           .arg(isDouble)
           .arg(QString::fromLatin1(front.metaObject()->className())));
  if (isDouble) return QTest::mouseDClick(front.windowHandle(), button, modifier, point);
  QTest::mouseClick(front.windowHandle(), button, modifier, point);
}

void Monkey::drag(QWidget& front) {
  const QPoint from = pointIn(front);
  const QPoint to = pointIn(front);
  tell(QStringLiteral("drag %1,%2 to %3,%4").arg(from.x()).arg(from.y()).arg(to.x()).arg(to.y()));
  const QPointer<QWindow> window = front.windowHandle();
  QTest::mousePress(window, Qt::LeftButton, {}, from);
  for (int part = 1; part <= 4 && window; ++part) QTest::mouseMove(window, from + (to - from) * part / 4);
  if (window) QTest::mouseRelease(window, Qt::LeftButton, {}, to);
}

void Monkey::turnWheel(QWidget& front) {
  const QPoint point = pointIn(front);
  const int angle = upTo(1) == 0 ? 120 : -120;
  const Qt::KeyboardModifier modifier = oneOf(kModifiers);
  tell(QStringLiteral("wheel %1 at %2,%3").arg(angle).arg(point.x()).arg(point.y()));
  QWheelEvent event(point, front.mapToGlobal(point), {}, {0, angle}, Qt::NoButton, modifier, Qt::NoScrollPhase, false);
  QApplication::sendEvent(front.windowHandle(), &event);
}

void Monkey::pressKey(QWidget& front) {
  const Qt::Key key = oneOf(kKeys);
  const Qt::KeyboardModifier modifier = oneOf(kModifiers);
  tell(QStringLiteral("key %1 modifier %2").arg(key, 0, 16).arg(static_cast<int>(modifier)));
  // To a widget, since the window may be gone before the key is released.
  QTest::keyClick(front.focusWidget() ? front.focusWidget() : &front, key, modifier);
}

void Monkey::typeText() {
  const QString text = QString::fromUtf8(oneOf(kTexts));
  tell(QStringLiteral("type %1").arg(text));
  for (const QChar letter : text) {
    QWidget* writing = QApplication::focusWidget();
    if (!writing) return;
    QTest::sendKeyEvent(QTest::Click, writing, Qt::Key_unknown, QString(letter), Qt::NoModifier);
  }
}

void Monkey::changeWindow() {
  if (!m_window.bridge().snapshot() && !m_window.bridge().isOpening()) {
    tell(QStringLiteral("open the dump"));
    return m_window.open(m_dump);
  }
  switch (upTo(3)) {
    case 0: {
      const QSize size(900 + upTo(700), 600 + upTo(400));
      tell(QStringLiteral("resize %1x%2").arg(size.width()).arg(size.height()));
      return m_window.resize(size);
    }
    case 1: {
      const QList<QAction*> all = m_window.actions().all();
      QAction* action = all[upTo(static_cast<int>(all.size()) - 1)];
      if (!action->isEnabled() || isLeftAlone(m_window, action)) return;
      tell(QStringLiteral("do %1").arg(action->text()));
      return action->trigger();
    }
    default: {
      const auto place = static_cast<PlaceId>(upTo(static_cast<int>(PlaceId::Review)));
      tell(QStringLiteral("go to place %1").arg(static_cast<int>(place)));
      return m_window.navigator().goTo(place);
    }
  }
}

void Monkey::tell(const QString& what) const {
  if (m_told) m_told(what);
}

// A point of a part that can be seen, since most of a window is empty.
QPoint Monkey::pointIn(QWidget& front) {
  QList<QWidget*> parts;
  for (QWidget* part : front.findChildren<QWidget*>()) {
    if (part->isVisible() && part->window() == &front && !part->visibleRegion().isEmpty()) parts << part;
  }
  QWidget& part = parts.isEmpty() ? front : *parts[upTo(static_cast<int>(parts.size()) - 1)];
  const QPoint inside(upTo(std::max(0, part.width() - 1)), upTo(std::max(0, part.height() - 1)));
  return part.mapTo(&front, inside);
}

}  // namespace heapscape::gui::test
