// SPDX-License-Identifier: MIT
#pragma once

#include <QRectF>
#include <QString>
#include <QWidget>
#include <cstdint>
#include <optional>
#include <vector>

#include "widgets/accessible/picture_items.h"

namespace heapscape::gui {

/// How large the heap is, and would be.
struct HeapChange {
  std::uint64_t now = 0;
  std::optional<std::uint64_t> goes = {};  // nothing while it is not known
  std::uint64_t mayGo = 0;                 // beside that
  bool isLeast = false;                    // more may go than that

  bool operator==(const HeapChange&) const = default;
};

/// The parts of the lower bar, from left to right.
struct HeapBarParts {
  QRectF stays, mayGo, goes;
};
/// Parts of the bar; none that goes is too narrow to be seen.
HeapBarParts heapBarParts(const HeapChange& change, const QRectF& bar);

/// The heap as two bars below each other: now, and after all that can be done. What goes is hatched, what may go has a
/// dashed line around it.
class HeapBar : public QWidget, public PictureItems {
  Q_OBJECT

 public:
  explicit HeapBar(QWidget* parent = nullptr);

  void setChange(const HeapChange& change);
  const HeapChange& change() const { return m_change; }
  /// "at most 2.2 MB"; empty while it is not known.
  QString afterText() const;

  std::size_t itemCount() const override { return items().size(); }
  BubbleText itemText(std::size_t item) const override { return items()[item].text; }
  QRectF itemRect(std::size_t item) const override { return items()[item].rect; }
  std::optional<std::size_t> currentItem() const override { return m_current; }
  void goToItem(std::size_t item) override;
  void pressItem(std::size_t) override {}  // nothing happens on a click

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  struct Item {
    BubbleText text;
    QRectF rect;
  };
  std::vector<Item> items() const;
  QRectF lineOf(int number) const;
  QRectF barIn(const QRectF& line) const;
  int lineHeight() const;
  void paintFocus(QPainter& painter) const;

  HeapChange m_change;
  std::optional<std::size_t> m_current;
};

}  // namespace heapscape::gui
