// SPDX-License-Identifier: MIT
#pragma once

#include <QLayout>
#include <memory>
#include <vector>

namespace heapscape::gui {

/// Widgets side by side, on as many lines as the width asks for. A QSpacerItem parts two groups of them that stand on
/// one line.
class FlowLayout : public QLayout {
  Q_OBJECT

 public:
  explicit FlowLayout(QWidget* parent = nullptr, int spacing = 8);
  ~FlowLayout() override;

  void addItem(QLayoutItem* item) override;
  int count() const override { return static_cast<int>(m_items.size()); }
  QLayoutItem* itemAt(int index) const override;
  QLayoutItem* takeAt(int index) override;
  Qt::Orientations expandingDirections() const override { return {}; }
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;
  QSize minimumSize() const override;
  QSize sizeHint() const override;
  void setGeometry(const QRect& rect) override;

 private:
  int arrange(const QRect& rect, bool moves) const;

  std::vector<std::unique_ptr<QLayoutItem>> m_items;
};

}  // namespace heapscape::gui
