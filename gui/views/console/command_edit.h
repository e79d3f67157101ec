// SPDX-License-Identifier: MIT
#pragma once

#include <QLineEdit>
#include <QStringList>
#include <vector>

#include "bridge/console_shell.h"
#include "models/query/query_edit.h"

namespace heapscape::gui {

/// The line that commands are typed in: with those before it (Up, Down), and with what a word may become (Tab), each
/// with what it does. Tab leaves an empty line.
class CommandEdit : public QLineEdit {
  Q_OBJECT

 public:
  explicit CommandEdit(QWidget* parent = nullptr);

  /// Answers offersWanted().
  void takeOffers(const QString& line, const std::vector<ShellOffer>& offers);
  /// As Enter does, of what stands in the line or of this.
  void enter() { enter(text().trimmed()); }
  void enter(const QString& command);
  const QStringList& history() const { return m_history; }

 Q_SIGNALS:
  /// Enter: one that is not empty. It is in the history by then, and the line is empty.
  void entered(const QString& command);
  /// The line up to the cursor, of which somebody wants to know what its last word may become.
  void offersWanted(const QString& line);
  /// Ctrl+C where there is nothing to copy.
  void stopWanted();
  /// Ctrl+Up, Ctrl+Down: to the command before in the output, or the next.
  void stepWanted(int step);

 protected:
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  QString upToCursor() const { return text().left(cursorPosition()); }
  void ask();
  void goThroughHistory(int step);
  void insertOffer(const engine::Completion& offer);
  void replaceWord(QString text, bool isWhole);
  void endOffers();
  CompletionPopup* popup();

  QStringList m_history;
  qsizetype m_place = 0;  // in the history; at its end is what is being written
  QString m_written;
  bool m_isAsked = false;
  CompletionPopup* m_popup = nullptr;  // made when it is first needed: before, there may be no window
};

}  // namespace heapscape::gui
