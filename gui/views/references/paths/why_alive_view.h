// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <memory>
#include <vector>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "models/trees/tree_model.h"
#include "session/references/paths_query.h"
#include "session/references/what_if.h"

class QLabel;
class QStackedWidget;
class QToolButton;

namespace heapscape::gui {

/// The shortest ways to all objects of a type, laid over each other, from the objects up to their roots.
class MergedPathsModel : public NumberedTreeModel {
  Q_OBJECT

 public:
  enum Column : int { NameColumn, ObjectsColumn, BytesColumn, HoldersColumn, ColumnCount };

  explicit MergedPathsModel(QObject* parent = nullptr);

  void show(std::shared_ptr<const engine::MergedPaths> paths);  // null for none
  const engine::MergedPathNode& nodeAt(const QModelIndex& index) const { return m_paths->nodes[nodeOf(index)]; }

 private:
  // Node 0, the objects themselves, is the one line at the top.
  static constexpr std::uint32_t kAboveAll = 0xffffffff;

  std::uint32_t topNode() const override { return kAboveAll; }
  const Numbers& childrenOf(std::uint32_t node) const override;
  std::uint32_t parentOfNode(std::uint32_t node) const override {
    return node == 0 ? kAboveAll : m_paths->nodes[node].parent;
  }
  QVariant cell(const QModelIndex& index, int role) const override;
  QVariant nameData(std::uint32_t node, int role) const;

  std::shared_ptr<const engine::MergedPaths> m_paths;
  std::vector<Numbers> m_children;  // by node
};

class ElidedText;
class MergedPathsPanel;
class ObjectPathsPanel;
struct ObjectPathsAnswer;
class StatePanel;

/// Why the selected object or type is alive: its roots by name, and the ways from there. A page of the place
/// References, which shows it only once retained sizes are known.
class WhyAliveView : public QWidget {
  Q_OBJECT

 public:
  WhyAliveView(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  /// Shows a snapshot of stage Retained; again whenever it is seen from other roots.
  void showSnapshot(const engine::Snapshot& snapshot);
  void clear();
  /// The navigator's location changed, also while the page is hidden: what costs time waits until it is shown.
  void follow(const Location& location);
  /// Shows what is cut; null for nothing. The ways are those that would be left then.
  void showCuts(std::shared_ptr<const engine::WhatIf> whatIf);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void addParts();
  /// The thing to be explained: a set, an object, or all of a type.
  struct Subject {
    engine::Address object = {};
    engine::TypeId type = {};
    QString set = {};
    bool operator==(const Subject&) const = default;
    bool isEmpty() const { return !object && type.isNone() && set.isEmpty(); }
  };
  Subject subject() const;
  void load();
  void loadAgain();
  void loadObject(engine::Address object);
  void loadType(engine::TypeId type);
  void loadSet(const QString& set);
  void showMerged(engine::Outcome<engine::MergedPaths> answer, const QString& none);
  /// The cuts that are looked through; null without.
  std::shared_ptr<const engine::WhatIf> wantedCuts() const;
  void showWays(const ObjectPathsAnswer& answer);
  void showHeadline(const Subject& subject);
  void showWaiting(const QString& text);
  void showFailure(const engine::Unfinished& why);

  EngineBridge& m_bridge;
  Navigator& m_navigator;
  Selection m_selection;
  QString m_set;  // what is explained in place of the selection; empty for none
  std::shared_ptr<const engine::WhatIf> m_whatIf;
  Subject m_shown;
  bool m_isStale = true;

  ElidedText* m_headline;
  QLabel* m_figures;
  QToolButton* m_withCuts;
  QToolButton* m_allOfType;
  ObjectPathsPanel* m_paths;
  MergedPathsPanel* m_merged;
  StatePanel* m_state;
  QStackedWidget* m_pages;
};

}  // namespace heapscape::gui
