// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <vector>

#include "bridge/navigator.h"
#include "models/insights_source.h"

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace heapscape::gui {

class HeapBar;
struct BarLine;

/// The head of the overview: how many bytes can be won back, the heap now and after, and what to do for it, each
/// with one click to its objects. Below stands what is merely held. Until it is known, how far the search for it is, or
/// what keeps it from being known.
class FixFirst : public QWidget {
  Q_OBJECT

 public:
  FixFirst(InsightsSource& source, Navigator& navigator, QWidget* parent = nullptr);

  /// How large the heap is now is known long before.
  void showSnapshot(const engine::Snapshot& snapshot);
  void clear();
  static constexpr int kMostActions = 10;
  /// Shows as many actions as there is room for without scrolling far, up to kMostActions.
  void setMostActions(int most);

 private:
  void showState();
  void showFound(const FoundInsights& found);
  void showRows();
  void addActions(const std::shared_ptr<const FoundInsights>& found);
  void addHeld(const std::shared_ptr<const FoundInsights>& found);
  /// Rows of actions come and go with the room that there is: while a window is resized none is made anew.
  void showMost();
  QWidget* addRow(const BarLine& line, const QString& name, InsightKey objects, std::size_t insight);
  void askAgain();

  InsightsSource& m_source;
  Navigator& m_navigator;
  std::uint64_t m_heapBytes = 0;
  int m_mostActions = 5;
  QLabel* m_lead;
  QLabel* m_text;
  QPushButton* m_all;
  HeapBar* m_bar;
  QVBoxLayout* m_rows;
  std::vector<QWidget*> m_actions;  // the rows of the first of them
  QLabel* m_rest = nullptr;         // how many follow
};

}  // namespace heapscape::gui
