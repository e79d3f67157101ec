// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

#include "base/progress.h"
#include "session/snapshot/snapshot.h"

class QLabel;
class QProgressBar;
class QTimer;
class QToolButton;

namespace heapscape::gui {

class ElidedText;

/// The bottom line: what the heap or the assembly holds and whether all of it was read; while opening, how far that is.
class StatusLine : public QWidget {
  Q_OBJECT

 public:
  explicit StatusLine(QWidget* parent = nullptr);

  void showSnapshot(const engine::Snapshot& snapshot);
  /// Shows the line of an assembly; partial if referenced ones are missing.
  void showAssembly(const QString& line, bool isPartial);
  void showProgress(const engine::Progress& progress);
  void hideProgress();
  /// Says this for a few seconds.
  void showMessage(const QString& text);
  void showNothing();

 Q_SIGNALS:
  void cancelRequested();
  /// The garbage is to be listed.
  void garbageWanted();

 protected:
  void changeEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  void setProgressVisible(bool isVisible);
  void showGarbage(const engine::Snapshot& snapshot);
  void updateLook();

  bool m_isPartial = false;
  QLabel* m_warning;
  ElidedText* m_totals;
  QToolButton* m_garbage;
  ElidedText* m_activity;
  QProgressBar* m_bar;
  QToolButton* m_cancel;
  ElidedText* m_told;
  QTimer* m_telling;
};

}  // namespace heapscape::gui
