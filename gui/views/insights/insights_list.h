// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <set>
#include <utility>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "views/insights/insight_groups.h"

class QMenu;
class QStackedLayout;
class QTreeView;

namespace heapscape::gui {

class InsightTreeModel;
class InsightsFilter;
class StatePanel;

/// The insights in groups, and above them what is asked of the list.
class InsightsList : public QWidget {
  Q_OBJECT

 public:
  InsightsList(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  void show(std::shared_ptr<const FoundInsights> found);
  void clear();
  /// Picks an insight, now or once it is listed; filter and chips make way for it.
  void pick(std::uint32_t insight);
  /// Unfolds a group.
  void open(const QString& key);

 Q_SIGNALS:
  void picked(std::uint32_t insight);
  void groupPicked(const InsightGroup& group);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void buildTree();
  void openMenu(const QPoint& position);
  /// What is offered for all objects of an insight, or of a group if it is null.
  void addSets(QMenu& menu, const InsightGroup& group, const engine::Insight* insight);
  void foldAll(bool areFolded);
  void ask();
  void take(InsightTable table);
  void foldLarge();
  void unfold();
  void pickWanted();
  void takeCurrentGroup();

  EngineBridge& m_bridge;
  Navigator& m_navigator;
  std::shared_ptr<const FoundInsights> m_found;
  InsightColumn m_sortColumn = InsightColumn::Bytes;
  bool m_isDescending = true;
  std::optional<std::uint32_t> m_current;
  std::optional<std::pair<engine::InsightMeaning, QString>> m_currentGroup;  // if it is no insight
  std::optional<std::uint32_t> m_wanted;
  bool m_wantsFirst = false;   // the first one in the list
  std::set<QString> m_folded;  // groups by their keys: by the user, or because there are many in them
  bool m_isRegrouped = false;  // which of them are folded is not known yet
  bool m_isShowing = false;    // while the tree changes by itself

  InsightsFilter* m_filter;
  InsightTreeModel* m_model;
  QTreeView* m_tree;
  StatePanel* m_state;
  QStackedLayout* m_pages;
};

}  // namespace heapscape::gui
