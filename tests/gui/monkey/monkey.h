// SPDX-License-Identifier: MIT
#pragma once

#include <QDeadlineTimer>
#include <QEventLoop>
#include <QObject>
#include <QString>
#include <QWidget>
#include <functional>
#include <random>

#include "app/main_window.h"

namespace heapscape::gui::test {

/// Clicks, drags, turns the wheel, types, resizes and goes to places at random, in whatever window, menu or dialog is
/// in front. Each step is asked for by the one before it, so that it goes on inside of menus and dialogs that have an
/// event loop of their own. The same seed does the same as long as what it meets is there as early as then.
class Monkey : public QObject {
 public:
  /// `dump`: opened again where the window has none.
  Monkey(MainWindow& window, QString dump, unsigned seed);

  /// Returns after so many steps, with all menus and dialogs closed. `told` gets a line for each step, before it is
  /// done.
  void play(int steps, std::function<void(const QString&)> told);

 private:
  void askForStep();
  void step();
  void playIn(QWidget& front);
  void clickSomewhere(QWidget& front);
  void drag(QWidget& front);
  void turnWheel(QWidget& front);
  void pressKey(QWidget& front);
  void typeText();
  void changeWindow();
  void tell(const QString& what) const;

  QWidget& front();
  QPoint pointIn(QWidget& front);
  int upTo(int most) { return std::uniform_int_distribution<int>(0, most)(m_random); }
  template <class Choices>
  const auto& oneOf(const Choices& choices) {
    return choices[static_cast<std::size_t>(upTo(static_cast<int>(std::size(choices)) - 1))];
  }

  MainWindow& m_window;
  QString m_dump;
  std::mt19937 m_random;
  std::function<void(const QString&)> m_told;
  QEventLoop m_loop;
  int m_left = 0;
  bool m_isPlaying = false;    // until its loop has ended, which may take as long as others in it
  QDeadlineTimer m_returning;  // until then the dump is on its way, where another one was opened
};

}  // namespace heapscape::gui::test
