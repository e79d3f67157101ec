// SPDX-License-Identifier: MIT
#pragma once

#include <QPointer>
#include <QWidget>
#include <vector>

namespace heapscape::gui {

/// The order that Tab goes through in a window, as one reads: from above, and in a row from the left; a part that holds
/// others is left before the next one begins. Qt's own order is that in which the parts were made.
std::vector<QWidget*> tabOrder(const QWidget& window);

/// An edge around a part of a window that is seen on anything, and that no click meets.
class PartMark : public QWidget {
  Q_OBJECT

 public:
  /// Around all of a part, or what can be seen of it.
  enum class Extent { Whole, Seen };

  PartMark(QWidget* window, Extent extent);

  /// Marks a part until it is hidden; null for none.
  void mark(QWidget* part);

 protected:
  const QWidget* marked() const { return m_marked; }
  bool eventFilter(QObject* watched, QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  void follow();

  Extent m_extent;
  QMetaObject::Connection m_end;
  QPointer<QWidget> m_marked;  // it may be deleted while it is marked
};

/// The mark around whatever got the focus by a key, until it goes on.
class FocusMark : public PartMark {
  Q_OBJECT

 public:
  explicit FocusMark(QWidget* window);

  /// Gives the focus to the next part or the one before, and marks it. False if there is no other.
  bool move(bool forward);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace heapscape::gui
