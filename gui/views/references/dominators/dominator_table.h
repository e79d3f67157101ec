// SPDX-License-Identifier: MIT
#pragma once

#include <QTreeView>
#include <memory>
#include <unordered_map>
#include <vector>

#include "bridge/engine_bridge.h"
#include "models/trees/tree_model.h"
#include "views/references/dominators/dominator_scene.h"

namespace heapscape::gui {

/// A line of DominatorModel.
struct DominatorLine {
  engine::DominatorNode node;
  DominatorLine* parent = nullptr;
  int row = 0;
  bool isAsked = false;     // for more children
  bool isComplete = false;  // there are no more children
  std::vector<std::unique_ptr<DominatorLine>> children = {};
};

/// The dominator tree as rows: the top of a scene as the one root, children in pages as they are scrolled to.
class DominatorModel : public TreeModelOf<DominatorLine> {
  Q_OBJECT

 public:
  enum Column {
    NameColumn,
    ValueColumn,
    AddressColumn,
    ObjectsColumn,
    OwnColumn,
    HeldColumn,
    RetainedColumn,
    ShareColumn,
    ColumnCount
  };

  explicit DominatorModel(EngineBridge& bridge, QObject* parent = nullptr);

  /// Null for none. Shares are of `wholeBytes`.
  void show(SharedScene scene, std::uint64_t wholeBytes);

  /// Null if there is no such row.
  const engine::DominatorNode* nodeAt(const QModelIndex& index) const;
  /// The row of a node, only of those that have been asked for.
  QModelIndex indexOf(std::uint32_t node) const;

  bool hasChildren(const QModelIndex& parent = {}) const override;
  /// True only of the first page: a tree view fetches whenever it lays out its rows, and would not stop.
  bool canFetchMore(const QModelIndex& parent) const override;
  void fetchMore(const QModelIndex& parent) override;
  /// Asks for one more page of children, if there are more and none is asked for.
  void fetchNext(const QModelIndex& parent);

 private:
  const DominatorLine* top() const override { return &m_top; }
  QVariant cell(const QModelIndex& index, int role) const override;
  DominatorLine& add(DominatorLine& parent, engine::DominatorNode node);
  /// Puts a page behind the children that are there.
  void addPage(DominatorLine& line, engine::DominatorPage page);
  QVariant figure(const engine::DominatorNode& node, int column, int role) const;

  EngineBridge& m_bridge;
  SharedScene m_scene;
  std::uint64_t m_wholeBytes = 0;
  std::uint64_t m_showing = 0;                                // counts scenes: pages of an older one are dropped
  DominatorLine m_top;                                        // of which the top of the scene is the one child
  std::unordered_map<std::uint32_t, DominatorLine*> m_lines;  // by node
};

/// The dominator tree as rows that open.
class DominatorTable : public QTreeView {
  Q_OBJECT

 public:
  explicit DominatorTable(EngineBridge& bridge, QWidget* parent = nullptr);

  void setScene(SharedScene scene, std::uint64_t wholeBytes);
  /// Selects the row of a node if it has been asked for.
  void mark(std::optional<std::uint32_t> node);
  DominatorModel& rows() { return *m_rows; }
  /// Asks for the current row to be the top.
  void zoomIntoCurrent();

 Q_SIGNALS:
  void picked(const heapscape::engine::DominatorNode& node);
  void opened(const heapscape::engine::DominatorNode& node);
  void menuWanted(const heapscape::engine::DominatorNode& node, QPoint globalPosition);
  /// The way of rows from the top down to the one that shall be the top.
  void zoomWanted(const heapscape::gui::DominatorWay& way);
  void zoomOutWanted();

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void setUpColumns();
  /// Asks for what follows the last rows that can be seen.
  void fetchSeen();
  DominatorWay wayTo(QModelIndex index) const;

  DominatorModel* m_rows;
  bool m_isFollowing = false;
};

}  // namespace heapscape::gui
