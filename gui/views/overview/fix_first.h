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

struct BarLine;

/// How many bytes could be saved, and what to do for it, each with how sure it is and one click to its objects. Until
/// it is known, how far the search for it is, or what keeps it from being known. As high as it will be, from the start.
class FixFirst : public QWidget {
  Q_OBJECT

 public:
  FixFirst(InsightsSource& source, Navigator& navigator, QWidget* parent = nullptr);

  static constexpr int kMostActions = 5;
  /// Shows as many actions as there is room for without scrolling far, up to kMostActions.
  void setMostActions(int most);

 private:
  void reserve();
  void showState();
  void showFound(const FoundInsights& found);
  void showRows();
  void addActions(const std::shared_ptr<const FoundInsights>& found);
  /// Rows of actions come and go with the room that there is: while a window is resized none is made anew.
  void showMost();
  QWidget* addRow(const BarLine& line, const QString& name, const engine::InsightAction& action);
  void askAgain();

  InsightsSource& m_source;
  Navigator& m_navigator;
  int m_mostActions = 5;
  QLabel* m_lead;
  QLabel* m_text;
  QPushButton* m_all;
  QWidget* m_list;
  QVBoxLayout* m_rows;              // of m_list
  std::vector<QWidget*> m_actions;  // the rows of the first of them
  QLabel* m_rest = nullptr;         // how many follow
};

}  // namespace heapscape::gui
