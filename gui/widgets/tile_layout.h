// SPDX-License-Identifier: MIT
#pragma once

#include <QLayout>
#include <memory>
#include <vector>

namespace heapscape::gui {

/// Widgets in columns of one width, as many as there is room for; the rest in rows below.
class TileLayout : public QLayout {
  Q_OBJECT

 public:
  explicit TileLayout(int spacing = 24);
  ~TileLayout() override;

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
  QSize tile() const;
  int columns(int width) const;

  std::vector<std::unique_ptr<QLayoutItem>> m_items;
};

}  // namespace heapscape::gui
