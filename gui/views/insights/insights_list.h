// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "views/insights/insight_tree_model.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QTimer;
class QMenu;
class QStackedLayout;
class QTreeView;

namespace heapscape::gui {

class BarRow;
class FlowLayout;

/// The filter of the list of insights: words, a choice of the kind and of what they are grouped by, a chip for each
/// meaning, and a switch for the framework's own.
class InsightsFilter : public QWidget {
  Q_OBJECT

 public:
  explicit InsightsFilter(QWidget* parent = nullptr);

  /// All of it but the order.
  const InsightQuestion& question() const { return m_question; }
  bool isNarrowed() const { return !m_question.text.isEmpty() || !m_question.meanings.empty() || m_question.kind; }

  /// Offers what there is among these; the words stay.
  void show(std::shared_ptr<const FoundInsights> found);
  void clear();
  /// How many of them are listed.
  void showListed(std::uint64_t listed);
  /// Told what the question finds: words that were written for what was shown before and find nothing go, and all else
  /// that narrows. True if so, `changed` has been told then.
  bool dropUnlessFound(bool isFound);
  void chooseKind(engine::InsightKind kind);
  void includeFramework();
  /// Lists all again.
  void makeWay();

 Q_SIGNALS:
  void changed();
  /// They are grouped otherwise; before `changed`.
  void regrouped();

 private:
  void buildWords();
  void buildChoices();
  void addParts();
  void showSwitch();
  void showChoices();
  void showKinds(const InsightCounts& counts);
  void showMeanings(const InsightCounts& counts);

  std::shared_ptr<const FoundInsights> m_found;
  InsightQuestion m_question;
  bool m_isTextOld = false;  // written for what was shown before

  QLineEdit* m_words;
  QComboBox* m_kind;
  QComboBox* m_grouping;
  QWidget* m_chipBox;
  FlowLayout* m_chipLine;
  std::vector<BarRow*> m_chips;
  QCheckBox* m_framework;
  QLabel* m_count;
  QTimer* m_rest;
};

class InsightTreeModel;
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
  /// Offers actions for all objects of an insight, or of a group if it is null.
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
