// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bridge/navigator.h"
#include "models/trees/tree_model.h"
#include "session/roots/roots_query.h"
#include "views/place.h"

class QTabWidget;

namespace heapscape::gui {

class RootTreePanel;
class RowsPanel;
struct RowsPanelSetup;

/// The roots in groups, by owner or otherwise, with what each holds alone.
class RootTreeModel : public NumberedTreeModel {
  Q_OBJECT

 public:
  enum Column : int { NameColumn, AloneColumn, ObjectColumn, RootsColumn, TypeColumn, ValueColumn, ColumnCount };

  explicit RootTreeModel(QObject* parent = nullptr);

  /// Null for none. `isByOwner`: the groups are those of the engine's list of roots.
  void show(std::shared_ptr<const engine::HeldRoots> roots, bool isByOwner = true);

  const engine::RootTreeNode& nodeAt(const QModelIndex& index) const { return m_roots->tree[nodeOf(index)]; }
  /// How a group or root is cut, as session/references/cuts.h has it; empty for what is none.
  std::string cutOf(const QModelIndex& index, const engine::RootList& list) const;
  /// The group of a thread or of a type's statics, by its address; none where roots are grouped otherwise.
  QModelIndex indexOfOwner(engine::Address owner, const engine::RootList& list) const;
  /// The objects of all roots below, or of the root itself.
  std::vector<engine::Address> objectsOf(const QModelIndex& index) const;
  /// Null for a group.
  const engine::HeldRoot* rootAt(const QModelIndex& index) const;
  /// The object that a root holds; 0 for a group.
  engine::Address objectAt(const QModelIndex& index) const;

 private:
  const Numbers& childrenOf(std::uint32_t node) const override;
  std::uint32_t parentOfNode(std::uint32_t node) const override { return m_roots->tree[node].parent; }
  QVariant cell(const QModelIndex& index, int role) const override;
  /// Whether it is what several owners hold together.
  bool isCombination(const engine::RootTreeNode& node) const;
  /// Whether it is an object of those that a combination holds together.
  bool isPart(const engine::RootTreeNode& node) const;
  QVariant partData(const engine::RootTreeNode& node, int role) const;
  QVariant combinationData(const engine::RootTreeNode& node, int role) const;
  QVariant nameData(const engine::RootTreeNode& node, const engine::HeldRoot* root, int role) const;
  QVariant figureData(const engine::RootTreeNode& node, const engine::HeldRoot* root, int column, int role) const;

  std::shared_ptr<const engine::HeldRoots> m_roots;
  bool m_isByOwner = true;
};

/// Where references begin outside of objects, and what each keeps alive: all roots by owner and one by one; statics,
/// handles, and the queue of what is to be finalized.
class RootsPlace : public Place {
  Q_OBJECT

 public:
  RootsPlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  PlaceId id() const override { return PlaceId::Roots; }
  QString title() const override { return u"Roots"_s; }
  void showSnapshot(const engine::Snapshot& snapshot) override;
  void clear() override;
  void follow(const Location& location) override;

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  RowsPanel* buildStatics();
  RowsPanel* buildHandles();
  RowsPanel* buildFinalizers();
  RowsPanel* buildRoots();
  void addTab(RowsPanel* panel, const QString& title);
  void load();
  void loadRoots();
  /// Roots are listed with what they hold: nothing without it.
  void showLacking();

  QTabWidget* m_tabs;
  RootTreePanel* m_tree;
  RowsPanel* m_roots;
  RowsPanel* m_finalizers;
  std::vector<RowsPanel*> m_panels;
  Listed m_listed;
  bool m_hasObjects = false;
  bool m_hasNoHeap = false;    // statics and handles are there all the same
  bool m_isRecorded = false;   // roots alone are told
  bool m_areListsOld = false;  // retained sizes have come since they were read
  bool m_areRootsOld = false;
};

}  // namespace heapscape::gui
