// SPDX-License-Identifier: MIT
#pragma once

#include <QTreeView>

#include "views/references/dominators/dominator_model.h"

namespace heapscape::gui {

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
