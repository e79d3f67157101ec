// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <vector>

#include "session/references/neighbours_query.h"

class QLabel;
class QTableWidget;

namespace heapscape::gui {

/// Nothing is selected: says what to do, and offers the objects that retain most.
class StartList : public QWidget {
  Q_OBJECT

 public:
  explicit StartList(QWidget* parent = nullptr);

  void show(const std::vector<engine::Neighbour>& objects, std::uint64_t reachableBytes,
            const engine::Snapshot& snapshot);
  void clear();

 Q_SIGNALS:
  void objectPicked(heapscape::engine::Address object);

 private:
  QTableWidget* m_table;
  std::vector<engine::Address> m_objects;
};

}  // namespace heapscape::gui
