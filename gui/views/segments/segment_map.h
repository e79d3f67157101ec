// SPDX-License-Identifier: MIT
#pragma once

#include <QAbstractScrollArea>
#include <QTimer>
#include <functional>
#include <optional>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "views/segments/lane_content.h"
#include "views/segments/lane_painter.h"
#include "views/segments/map_state.h"
#include "widgets/accessible/picture_items.h"

namespace heapscape::gui {

class MapHeader;

/// The picture of all segments: a lane for each, by heap, along addresses. The wheel zooms the lane under the pointer,
/// drag pans, a click picks the object under it, a double click opens an object that is drawn by itself and else fits
/// the segment. Shift and a drag brush a range of addresses.
class SegmentMap : public QAbstractScrollArea, public PictureItems {
  Q_OBJECT

 public:
  SegmentMap(EngineBridge& bridge, QWidget* parent = nullptr);

  void showSnapshot(const engine::Snapshot& snapshot);
  void clear();
  void setFilter(const LaneFilter& filter);
  void setFillsWidth(bool fills);
  void fitAll();
  /// What the colours tell; null for the generations.
  void setColours(std::shared_ptr<const engine::MapColours> colours);
  void setPins(std::shared_ptr<const engine::MapPins> pins);
  /// Shows these objects in full colour, the others pale, and fits the view to where they are; null for all alike.
  void setHighlight(std::shared_ptr<const engine::MapHighlight> highlight);
  /// Shows an address in the middle of its lane.
  void reveal(engine::Address address);
  const std::optional<engine::AddressRange>& brushed() const { return m_brushed; }
  /// Selects a range within one segment; an empty one for none.
  void brush(engine::AddressRange range);
  /// Shows what it did before.
  void setViews(MapState::Views views);
  /// Zooms the current lane about its middle.
  void zoomBy(double factor);

  /// Marks what is picked; `reveals` also scrolls and zooms to it.
  void showSelection(const Selection& selection, bool reveals);

  /// Whether the view moves to what was picked elsewhere rather than at the user's hand.
  bool isRevealing() const { return m_isRevealing; }
  const MapState& state() const { return m_state; }
  std::optional<std::size_t> currentLane() const { return m_current; }
  const std::optional<engine::ObjectRow>& markedObject() const { return m_marked; }
  const HoverBubble& bubble() const { return *m_bubble; }
  /// The part that is read of a lane at an address, the finest there is; null while nothing of it is.
  const LaneContent* contentAt(std::size_t lane, engine::Address address) const;

  // The lanes, and behind them the marked object.
  std::size_t itemCount() const override { return m_state.lanes().size() + (m_marked ? 1 : 0); }
  BubbleText itemText(std::size_t item) const override;
  QRectF itemRect(std::size_t item) const override;
  std::optional<std::size_t> currentItem() const override;
  void goToItem(std::size_t item) override;
  /// Picks a segment, opens the object.
  void pressItem(std::size_t item) override;

 Q_SIGNALS:
  /// The user picked something by mouse or keyboard.
  void picked(const heapscape::gui::Selection& selection);
  /// The user wants to see what the object holds.
  void opened(const heapscape::gui::Selection& selection);
  /// A selection from elsewhere lies in a segment that the filter hides.
  void filterHidesSelection();
  void zoomChanged();
  /// Another range of addresses was brushed, or none is any more: brushed() tells.
  void brushChanged();

 protected:
  bool viewportEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void changeEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void scrollContentsBy(int dx, int dy) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  struct Drag {
    QPointF start;
    QPointF last;
    std::optional<std::size_t> lane;
    bool isMoving = false;
    std::optional<engine::Address> brushFrom = {};  // of a drag that brushes
  };

  void setupActions();
  /// Runs a change of the lanes and finds the current one again.
  void changeLanes(const std::function<void()>& change);
  void setMarked(const std::optional<engine::ObjectRow>& object);
  void relayout();
  void updateScrollBar();
  void afterZoom();
  void changePaint(engine::MapPaint paint);
  void fitHighlight();
  void brushTo(double x);
  void brushView();
  void updateHeader();
  void requestContents();
  QPointF toMap(QPointF viewportPoint) const;

  void setCurrentLane(std::optional<std::size_t> lane);
  void hoverAt(QPointF viewportPoint);
  void askObjectAt(const MapSpot& spot, std::uint64_t neighbours);
  void pickAt(QPointF viewportPoint);
  void pickObject(const engine::ObjectRow& object);
  void pickNeighbour(bool forward);
  void moveLane(int steps);
  /// About the pointer where it is on the current lane, else about the middle.
  void zoomAtPointer(double factor);
  bool handleZoomKey(int key);
  bool handleMoveKey(int key, Qt::KeyboardModifiers modifiers);
  void revealLane(std::size_t lane);
  void revealMarked();

  void paintMap(QPainter& painter);
  void paintPicture(QPainter& painter);
  void paintHeading(QPainter& painter, const HeadingRow& heading);
  void paintLane(QPainter& painter, const LaneRow& row, bool forScreen);
  void paintContent(QPainter& painter, const LaneRow& row, const LaneContent& content);
  void paintLabel(QPainter& painter, const LaneRow& row);
  void paintFigures(QPainter& painter, const std::array<QRect, kFigureColumns>& columns,
                    const std::optional<LaneTotals>& totals, const QFont& font);

  EngineBridge& m_bridge;
  MapState m_state;
  MapLook m_look;
  LaneLoader* m_loader;
  MapHeader* m_header;
  HoverBubble* m_bubble;
  QAction* m_openObject = nullptr;
  QAction* m_copyAddress = nullptr;
  QTimer m_loadTimer;
  std::optional<std::size_t> m_current;
  std::optional<QPointF> m_pointer;  // in the viewport
  std::optional<Drag> m_drag;
  Selection m_selection;
  std::optional<engine::ObjectRow> m_marked;
  std::optional<engine::AddressRange> m_brushed;
  bool m_isRevealing = false;
  bool m_isOnObject = false;  // keys have led to the marked object, not to a lane
};

}  // namespace heapscape::gui
