// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>
#include <QPoint>
#include <memory>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "views/references/graph/cut_marks.h"

class QMenu;

namespace heapscape::gui {

class GraphCanvas;

/// Keeps the cuts drawn in the picture on the canvas, and offers them in its menus.
class CutMarker : public QObject {
  Q_OBJECT

 public:
  CutMarker(EngineBridge& bridge, Navigator& navigator, GraphCanvas& canvas, QObject* parent = nullptr);

  /// Null for none.
  void showCuts(std::shared_ptr<const engine::WhatIf> whatIf);
  /// The canvas has another picture now, or other stacks in it.
  void showPicture(const GraphPicture& picture, const GraphState& state, bool foldsCollections);
  void clear();

  /// The cuts of the edges that lead to a node from further in, for those who have no pointer.
  void addEdgesOf(QMenu& menu, const GraphNode& node, const engine::Snapshot& snapshot) const;

 Q_SIGNALS:
  /// Whether there are cuts.
  void shown(bool hasCuts);
  void takeBackWanted(const QString& cut) const;

 private:
  void mark();
  void askForStacks();
  void openEdgeMenu(std::size_t edge, QPoint place);
  void addCutOf(QMenu& menu, const GraphEdge& edge, const QString& title, const engine::Snapshot& snapshot) const;

  EngineBridge& m_bridge;
  Navigator& m_navigator;
  GraphCanvas& m_canvas;
  std::shared_ptr<const engine::WhatIf> m_whatIf;
  GraphPicture m_picture;
  GraphState m_state;
  bool m_foldsCollections = true;
  FreedSides m_sides;
};

}  // namespace heapscape::gui
