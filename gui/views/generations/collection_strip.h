// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

#include "session/heap/generation_space.h"

class QLabel;

namespace heapscape::gui {

class FlowLayout;

/// The collections that the GC has kept a record of, the oldest first: which generation, how, why, and for how long the
/// program stood still, beside the longest. Above them, how many there were of each generation.
class CollectionStrip : public QWidget {
  Q_OBJECT

 public:
  explicit CollectionStrip(QWidget* parent = nullptr);

  void showReport(const engine::GenerationReport& report);
  void clear();

 Q_SIGNALS:
  /// One of them was clicked.
  void recordsWanted();

 private:
  QLabel* m_counts;
  FlowLayout* m_chips;
};

}  // namespace heapscape::gui
