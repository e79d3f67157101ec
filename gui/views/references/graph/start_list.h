// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <vector>

#include "session/dominators/accumulation_points.h"

class QTableWidget;

namespace heapscape::gui {

/// Nothing is selected: says what to do, and offers the objects at which retained bytes come together.
class StartList : public QWidget {
  Q_OBJECT

 public:
  explicit StartList(QWidget* parent = nullptr);

  void show(const std::vector<engine::AccumulationPoint>& points, const engine::Snapshot& snapshot);
  void clear();

 Q_SIGNALS:
  void objectPicked(heapscape::engine::Address object);

 private:
  QTableWidget* m_table;
  std::vector<engine::Address> m_objects;
};

}  // namespace heapscape::gui
