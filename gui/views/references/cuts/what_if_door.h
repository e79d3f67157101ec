// SPDX-License-Identifier: MIT
#pragma once

#include <QStringList>
#include <QWidget>
#include <vector>

#include "bridge/engine_bridge.h"
#include "session/roots/root_owners.h"

class QLabel;
class QPushButton;
class QTableWidget;

namespace heapscape::gui {

/// Nothing is cut yet: says how that is done, and offers the largest roots to begin with, each with what it would free.
class WhatIfDoor : public QWidget {
  Q_OBJECT

 public:
  explicit WhatIfDoor(EngineBridge& bridge, QWidget* parent = nullptr);

  static constexpr std::size_t kMostRoots = 10;

  void showSnapshot(const engine::Snapshot& snapshot);
  void clear();

 Q_SIGNALS:
  /// These roots are to let go, as session/references/cuts.h has them.
  void cutsWanted(const QStringList& cuts);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void buildTable();
  void ask();
  void show(const std::vector<engine::HeldRoot>& roots);
  void showChoice();
  /// Of the roots that are checked, or of all while none is.
  QStringList chosen() const;

  EngineBridge& m_bridge;
  QTableWidget* m_table;
  QPushButton* m_free;
  QLabel* m_state;
  QStringList m_cuts;  // of each row
  bool m_isToAsk = false;
};

}  // namespace heapscape::gui
