// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

#include "views/references/cuts/cut_list.h"

class QLabel;
class QToolButton;

namespace heapscape::gui {

class ElidedText;

/// A bar that says what the cuts would free, in one line, below whatever is shown with them; gone while there are none
/// and nothing can be undone.
class CutBar : public QWidget {
  Q_OBJECT

 public:
  explicit CutBar(CutList& cuts, QWidget* parent = nullptr);

  /// Whether all that would be freed is listed above already.
  void setIsListed(bool isListed);

 Q_SIGNALS:
  /// Signals that what would be freed is to be listed.
  void listWanted();

 protected:
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void updateLook();
  QToolButton* add(const char* name, const char* symbol, const QString& text, const QString& tip);
  void showCuts();
  void say(const QString& text, const QString& detail, bool isOld);

  CutList& m_cuts;
  QLabel* m_symbol;
  ElidedText* m_text;
  QToolButton* m_undo;
  QToolButton* m_redo;
  QToolButton* m_clear;
  QToolButton* m_copy;
  QToolButton* m_pin;
  QToolButton* m_list;
  bool m_isListed = false;
};

}  // namespace heapscape::gui
