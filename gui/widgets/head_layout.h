// SPDX-License-Identifier: MIT
#pragma once

#include <QLayout>
#include <memory>
#include <vector>

namespace heapscape::gui {

/// The line over a list. Its first item takes the room that there is; the second stands behind it or, where not all fit
/// beside each other, on a line of its own below; the others end the first line.
class HeadLayout : public QLayout {
  Q_OBJECT

 public:
  explicit HeadLayout(QWidget* parent = nullptr, int spacing = 12);
  ~HeadLayout() override;

  void addItem(QLayoutItem* item) override;
  int count() const override { return static_cast<int>(m_items.size()); }
  QLayoutItem* itemAt(int index) const override;
  QLayoutItem* takeAt(int index) override;
  Qt::Orientations expandingDirections() const override { return Qt::Horizontal; }
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;
  QSize minimumSize() const override;
  QSize sizeHint() const override;
  void setGeometry(const QRect& rect) override;

 private:
  int arrange(const QRect& rect, bool moves) const;
  /// Widths of what ends the first line, with the spaces before each.
  int endWidth() const;

  std::vector<std::unique_ptr<QLayoutItem>> m_items;
};

}  // namespace heapscape::gui
