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
  /// Without margins.
  ItemLayout(QWidget* parent, int spacing);

  const std::vector<std::unique_ptr<QLayoutItem>>& items() const { return m_items; }

 private:
  std::vector<std::unique_ptr<QLayoutItem>> m_items;
};

}  // namespace heapscape::gui
