// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <set>
#include <vector>

#include "base/address.h"

class QPushButton;

namespace heapscape::gui {

/// Says that the list shows only some threads, and which; a click shows all of them again. Hidden while it shows all.
class ThreadsChip : public QWidget {
  Q_OBJECT

 public:
  explicit ThreadsChip(QWidget* parent = nullptr);

  /// `what`: what these have in common, "in Warehouse.Restock".
  void limitTo(const QString& what, const std::vector<engine::Address>& threads);
  void clear();
  bool isLimited() const { return !m_threads.empty(); }
  /// Whether a thread is among those shown.
  bool shows(engine::Address thread) const { return !isLimited() || m_threads.contains(thread); }

 Q_SIGNALS:
  /// The user wants all threads again.
  void removed();

 private:
  std::set<engine::Address> m_threads;
  QPushButton* m_button;
};

}  // namespace heapscape::gui
