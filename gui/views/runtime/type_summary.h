// SPDX-License-Identifier: MIT
#pragma once

#include <QScrollArea>
#include <vector>

#include "session/types/type_details.h"

namespace heapscape::gui {

/// The type's figures in groups, side by side as far as there is room.
class TypeSummary : public QScrollArea {
  Q_OBJECT

 public:
  explicit TypeSummary(QWidget* parent = nullptr);

  void show(const engine::TypeDetails& type);

 Q_SIGNALS:
  /// As FactList's.
  void addressShown(QWidget* value, heapscape::engine::Address address);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void arrange();

  std::vector<QWidget*> m_groups;
  QWidget* m_facts;
  int m_columns = 0;
};

}  // namespace heapscape::gui
