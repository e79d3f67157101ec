// SPDX-License-Identifier: MIT
#pragma once

#include <QLayout>
#include <memory>
#include <vector>

namespace heapscape::gui {

/// A layout that owns its items and whose height follows from its width; where they stand is said by those that derive.
class ItemLayout : public QLayout {
  Q_OBJECT

 public:
  ~ItemLayout() override;

  void addItem(QLayoutItem* item) override;
  int count() const override { return static_cast<int>(m_items.size()); }
  QLayoutItem* itemAt(int index) const override;
  QLayoutItem* takeAt(int index) override;
  bool hasHeightForWidth() const override { return true; }

 protected:
  /// Has no margins of its own.
  ItemLayout(QWidget* parent, int spacing);

  const std::vector<std::unique_ptr<QLayoutItem>>& items() const { return m_items; }

 private:
  std::vector<std::unique_ptr<QLayoutItem>> m_items;
};

/// Widgets side by side, on as many lines as the width asks for. A QSpacerItem parts two groups of them that stand on
/// one line.
class FlowLayout : public ItemLayout {
  Q_OBJECT

 public:
  explicit FlowLayout(QWidget* parent = nullptr, int spacing = 8);

  Qt::Orientations expandingDirections() const override { return {}; }
  int heightForWidth(int width) const override;
  QSize minimumSize() const override;
  QSize sizeHint() const override;
  void setGeometry(const QRect& rect) override;

 private:
  int arrange(const QRect& rect, bool moves) const;
};

/// The line over a list. Its first item takes the room that there is; the second stands behind it or, where not all fit
/// beside each other, on a line of its own below; the others end the first line.
class HeadLayout : public ItemLayout {
  Q_OBJECT

 public:
  explicit HeadLayout(QWidget* parent = nullptr, int spacing = 12);

  Qt::Orientations expandingDirections() const override { return Qt::Horizontal; }
  int heightForWidth(int width) const override;
  QSize minimumSize() const override;
  QSize sizeHint() const override;
  void setGeometry(const QRect& rect) override;

 private:
  int arrange(const QRect& rect, bool moves) const;
  /// Widths of what ends the first line, with the spaces before each.
  int endWidth() const;
};

/// Widgets in columns of one width, as many as there is room for; the rest in rows below.
class TileLayout : public ItemLayout {
  Q_OBJECT

 public:
  explicit TileLayout(int spacing = 24);

  Qt::Orientations expandingDirections() const override { return Qt::Horizontal; }
  int heightForWidth(int width) const override;
  QSize minimumSize() const override;
  QSize sizeHint() const override;
  void setGeometry(const QRect& rect) override;

 private:
  int leastWidth() const;
  int columns(int width) const;
  int widthOf(int columns, int width) const;
  /// Height of the row that begins with an item.
  int rowHeight(int first, int columns, int width) const;
};

}  // namespace heapscape::gui
