// SPDX-License-Identifier: MIT
#pragma once

#include <QFont>
#include <QGraphicsItem>
#include <QObject>
#include <QPainterPath>
#include <QPoint>
#include <QString>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "session/references/what_if.h"
#include "views/references/graph/graph_picture.h"

class QMenu;
class QWidget;

namespace heapscape::gui {

/// A reference between two nodes.
struct EdgeLook {
  enum class TextPlace { AtStart, Middle, AtEnd };

  QString text;
  QString tip;
  double flowWidth = 0;   // in pixels, of the retained bytes that flow through it; 0 for none: a thin line
  bool isFar = false;     // dashed: more than one step
  bool isOnPath = false;  // dashed, in the colour of what is picked
  bool isBack = false;    // against the flow: drawn as long as somebody points at one of its ends
  TextPlace textPlace = TextPlace::AtEnd;
  double labelWidth = 100;
};

inline constexpr double kLeastFlow = 2.5;
inline constexpr double kMostFlow = 14;
/// How wide an arrow is, in pixels, through which so many retained bytes flow: by the square root, up to kMostFlow.
double flowWidth(std::uint64_t bytes, std::uint64_t largest);

/// The font of an arrow's name; `isStrong` that of one that retained bytes flow through.
QFont edgeFont(const QFont& font, bool isStrong);
/// The room that the name has around it, in pixels altogether.
inline constexpr double kEdgeLabelMargin = 6;

/// An arrow. Only paints. The name of the field is an item of its own, so that no other arrow crosses it.
class EdgeItem : public QGraphicsItem {
 public:
  /// curve: a start, and three points for each Bézier curve. `look`: whose palette and font it has; outlives it.
  EdgeItem(const std::vector<QPointF>& curve, EdgeLook edge, const QWidget& look);

  const EdgeLook& edge() const { return m_edge; }
  /// The area of the name in the scene's coordinates; empty where there is none.
  QRectF labelRect() const;
  QRectF boundingRect() const override;
  /// A broad line, so that the tooltip is easily hit.
  QPainterPath shape() const override;
  /// Broken in the middle: what is thought to let go.
  void setCut(bool isCut);
  bool isCut() const { return m_isCut; }
  bool isPulled() const { return !m_pull.isNull(); }
  /// Thick, in the colour of what is picked.
  void setPicked(bool isPicked);
  /// Drawn aside while it is pulled away from where it is, in pixels of the scene.
  void setPull(QPointF pull);
  void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

 private:
  QPainterPath m_path;
  double headLength() const;

  QPointF m_start, m_end, m_direction;
  QPointF m_pull;
  EdgeLook m_edge;
  const QWidget& m_look;
  bool m_isCut = false;
  bool m_isPicked = false;
};

/// The name of the field that an arrow stands for, over all arrows.
class EdgeLabel : public QGraphicsItem {
 public:
  EdgeLabel(const EdgeItem& edge, const QWidget& look);

  QRectF boundingRect() const override { return m_area; }
  void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

 private:
  QRectF m_area;
  QString m_text;
  bool m_isStrong;
  const QWidget& m_look;
};

/// How many neighbours on a side would be freed, by their type; types without any are not there.
using FreedSides = std::map<GraphSide, std::vector<engine::WhatIf::FreedNeighbours>>;

/// The marks that cuts leave on a picture.
struct CutMarks {
  std::vector<double> freed;  // by node: the share of it that would be freed, from 0 to 1
  std::vector<bool> isCut;    // by edge
};

/// `sides`: of the stacks in the picture; a stack of a side that is not among them is not marked.
CutMarks cutMarks(const GraphPicture& picture, const GraphState& state, const engine::WhatIf& whatIf,
                  const FreedSides& sides);

/// The sides that the picture has stacks of.
std::vector<GraphSide> stackedSides(const GraphPicture& picture);
/// On an engine thread.
engine::Outcome<FreedSides> readFreedSides(const engine::WhatIf& whatIf, const std::vector<GraphSide>& sides,
                                           bool folds, engine::ProgressSink* progress, std::stop_token stop);

/// How an edge of the picture is cut, or a root by itself, see session/references/cuts.h: where several references lead
/// on from each other, all to what is at their end. Empty for what stands for several.
std::string cutOfEdge(const GraphPicture& picture, const GraphEdge& edge, const engine::Snapshot& snapshot);

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
  void cutEdge(std::size_t edge);
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
