// SPDX-License-Identifier: MIT
#pragma once

#include <QFrame>
#include <QPoint>
#include <QString>

class QPushButton;

namespace heapscape::gui {

class ElidedText;

/// A dump's name and its runtime; it can be dragged beyond the other one.
class DumpChip : public QFrame {
  Q_OBJECT

 public:
  explicit DumpChip(const QString& name, QWidget* parent = nullptr);

  void setDump(const QString& dump, const QString& detail);
  QString dump() const;

 Q_SIGNALS:
  /// It was let go with its middle there, in the parent's coordinates. It goes back to its place by itself.
  void dropped(int middle);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;

 private:
  ElidedText* m_name;
  ElidedText* m_detail;
  QPoint m_grip;  // where the pointer holds it
  bool m_isDragged = false;
};

/// Which dump is before and which is after: both by name, to be swapped by a button or by dragging one beyond the
/// other.
class OrderBanner : public QWidget {
  Q_OBJECT

 public:
  explicit OrderBanner(QWidget* parent = nullptr);

  struct Side {
    QString name;
    QString detail;  // its runtime
  };
  /// `why`: what tells the order, for a tooltip. `doubt`: said beside it where nothing does; else empty.
  void showOrder(const Side& before, const Side& after, const QString& why, const QString& doubt);
  void setUsable(bool isUsable);

 Q_SIGNALS:
  void swapWanted();

 private:
  DumpChip* m_before;
  DumpChip* m_after;
  QPushButton* m_swap;
  ElidedText* m_doubt;
};

}  // namespace heapscape::gui
