// SPDX-License-Identifier: MIT
#pragma once

#include <QStringList>
#include <QWidget>
#include <vector>

#include "bridge/engine_bridge.h"
#include "session/references/cuts.h"

class QLabel;
class QPushButton;
class QTableWidget;

namespace heapscape::gui {

/// Nothing is cut yet: says how that is done, and offers what holds most to begin with, the largest roots and objects
/// that several roots share, each with what it would free.
class WhatIfDoor : public QWidget {
  Q_OBJECT

 public:
  explicit WhatIfDoor(EngineBridge& bridge, QWidget* parent = nullptr);

  static constexpr std::size_t kMostRoots = 10;

  void showSnapshot(const engine::Snapshot& snapshot);
  void clear();
  /// What is picked, which can be released as well; 0 for nothing.
  void setPicked(engine::Address object);

 Q_SIGNALS:
  /// These roots or objects are to let go, as session/references/cuts.h has them.
  void cutsWanted(const QStringList& cuts);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void buildTable();
  void ask();
  void show(const std::vector<engine::CutOffer>& offers);
  void showChoice();
  /// Of the roots that are checked, or of all while none is.
  QStringList chosen() const;

  EngineBridge& m_bridge;
  QTableWidget* m_table;
  QPushButton* m_free;
  QPushButton* m_freePicked;
  QLabel* m_state;
  QStringList m_cuts;  // of each row
  engine::Address m_picked;
  bool m_isToAsk = false;
};

}  // namespace heapscape::gui
