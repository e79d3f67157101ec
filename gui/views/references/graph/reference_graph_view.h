// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <optional>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "views/references/graph/graph_picture.h"
#include "views/references/graph/graph_state.h"
#include "widgets/graph_layout/graph_layout.h"

class QLabel;
class QStackedWidget;

namespace heapscape::gui {

class CutMarker;
class GraphCanvas;
class GraphToolbar;
class NodeItem;
class PictureFrame;
class StartList;
class StatePanel;

/// The reference graph around the selected object, which grows by click. A page of the place References, which shows it
/// only once retained sizes are known.
class ReferenceGraphView : public QWidget {
  Q_OBJECT

 public:
  ReferenceGraphView(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  /// Shows a snapshot of stage Retained; again whenever it is seen from other roots.
  void showSnapshot(const engine::Snapshot& snapshot);
  void clear();
  /// The navigator's location changed, also while the page is hidden: what costs time waits until it is shown.
  void follow(const Location& location);
  /// Shows what is cut, and what would go with it, drawn in the picture.
  CutMarker& cuts() { return *m_marker; }

  /// State of what is open, and of what was last put on the screen.
  const GraphState& state() const { return m_state; }
  const GraphPicture& picture() const { return m_picture; }

 Q_SIGNALS:
  /// A new picture is on the screen.
  void pictureShown();

 protected:
  void showEvent(QShowEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void build();
  void connectCanvas();
  void connectToolbar();

  /// Asks for what is wanted, once it can be seen.
  void catchUp();
  void start(engine::Address object);
  void startFromSet();
  template <class Query>
  void askForStart(const Query& query);
  void begin(GraphStart start);
  void offerStart();
  void dropPicture();
  void askForPaths();
  void toggle(const GraphNode& node, engine::Direction direction);
  void askForSide(const GraphSide& side, const GraphNodeKey& anchor);
  /// Shows the objects of a folded chain one by one.
  void unfoldChain(const GraphNode& node);
  /// Follows the largest of what a node retains until it is divided.
  void descend(const GraphNode& node);
  void askForPage(const GraphNode& stack);
  void activate(const NodeItem& node, bool isByKey);
  void pickNode(const GraphNode& node, bool isByKey);
  void centreOn(const GraphNode& node);
  void openMenu(const NodeItem* node, QPoint place);
  void copyExpression(engine::Address object);

  /// Derives the picture from what is open, and has it laid out; `anchor` is what the user looks at.
  void layOut(const GraphNodeKey& anchor);
  void showPicture(GraphPicture picture, const GraphLayout& layout, const GraphNodeKey& anchor);
  void showFailure(const engine::Unfinished& reason);
  void showNotice(const QString& notice);

  EngineBridge& m_bridge;
  Navigator& m_navigator;
  std::optional<engine::Snapshot> m_snapshot;
  GraphState m_state;
  GraphPicture m_picture;
  QString m_set;              // what the picture begins from in place of that; empty for none
  QString m_limits;           // what it begins from is said of it
  engine::Address m_wanted;   // what the navigator has selected
  engine::Address m_started;  // what was last asked for as the middle
  bool m_fitsNext = false;    // the next picture is to be seen as a whole
  bool m_isStale = true;      // what is shown is not what is wanted

  GraphToolbar* m_toolbar;
  GraphCanvas* m_canvas;
  CutMarker* m_marker;
  PictureFrame* m_frame;
  StartList* m_startList;
  StatePanel* m_statePanel;
  QStackedWidget* m_stack;
  QLabel* m_notice;
};

}  // namespace heapscape::gui
