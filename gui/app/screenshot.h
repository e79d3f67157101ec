// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>

namespace heapscape::gui {

class MainWindow;

/// Writes a picture of the window to a file, once all that it shows is there and has come to rest.
class Screenshot : public QObject {
  Q_OBJECT

 public:
  /// Begins to wait; `window` outlives this. `isOpening`: a file was given, and may not have been looked at yet.
  Screenshot(MainWindow& window, const QString& path, bool isOpening);

 Q_SIGNALS:
  /// It is done. `trouble`: why the picture could not be written, or why what it shows is no open file; else empty.
  void taken(const QString& trouble);

 private:
  void look();

  MainWindow& m_window;
  QString m_path;
  QString m_refusal;
  QTimer m_timer;
  int m_restingMs = 0;
  bool m_isAwaited;  // what is to be opened has not begun to be
};

}  // namespace heapscape::gui
