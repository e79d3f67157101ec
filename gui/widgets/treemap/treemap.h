// SPDX-License-Identifier: MIT
#pragma once

#include <QPalette>
#include <QRectF>
#include <QString>
#include <QStringList>
#include <QWidget>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "widgets/accessible/picture_items.h"
#include "widgets/legend_chip.h"

class QLabel;
class QPainter;
class QToolButton;

namespace heapscape::gui {

class Treemap;

/// A share of the whole, divided into shares of its own or not.
struct TreemapPart {
  QString name;
  std::uint64_t bytes = 0;
  std::function<ChipSample(const Colours&)> sample = {};  // of a part that is not divided
  QStringList facts = {};                                 // for the bubble, below the bytes
  std::vector<TreemapPart> parts = {};
};

/// A group of a treemap, or a part of it.
struct TreemapSpot {
  static constexpr std::size_t kWhole = SIZE_MAX;
  std::size_t group = 0;
  std::size_t part = kWhole;  // of the group; kWhole for all of it
  bool isGroup() const { return part == kWhole; }
  bool operator==(const TreemapSpot&) const = default;
};

/// Where a spot is drawn.
struct TreemapTile {
  TreemapSpot spot;
  QRectF rect;
  QRectF heading = {};  // of a group whose name has room above its parts; else empty
};

/// Groups side by side in the proportion of their bytes, and in each of them its parts below its heading; with `zoomed`
/// the parts of that group alone, over the whole area. A group comes before its parts. What has no bytes has no tile.
std::vector<TreemapTile> treemapTiles(const std::vector<TreemapPart>& groups, std::optional<std::size_t> zoomed,
                                      const QRectF& area, double headingHeight);

/// The tile at a point: of those on each other the smallest; null if there is none.
const TreemapTile* treemapTileAt(const std::vector<TreemapTile>& tiles, QPointF point);

/// Among the tiles that hold no others, the nearest one in a direction (one of the four arrow keys); null if there is
/// none there.
const TreemapTile* treemapNeighbour(const std::vector<TreemapTile>& tiles, const TreemapTile& from, int key);

/// Draws the tiles with the painter's font: fills, headings, and labels where they fit.
void paintTreemap(QPainter& painter, const std::vector<TreemapPart>& groups, const std::vector<TreemapTile>& tiles,
                  const QPalette& palette);

/// Above a treemap: where one is, with the way back.
class TreemapTrail : public QWidget {
  Q_OBJECT

 public:
  /// `whole` names all of it: "All memory".
  TreemapTrail(Treemap* treemap, const QString& whole, QWidget* parent = nullptr);

 private:
  void follow();

  Treemap* m_treemap;
  QString m_name;
  QToolButton* m_whole;
  QLabel* m_group;
};

/// Shares of a whole as areas, in two levels. Points at are named at once; a click or the arrow keys pick, a double
/// click or Enter looks into a group, Escape goes back.
class Treemap : public QWidget, public PictureItems {
  Q_OBJECT

 public:
  /// `name` is what a saved picture is called.
  Treemap(const QString& title, const QString& name, QWidget* parent = nullptr);

  /// Shares are told of the sum of all groups. What was picked is forgotten; a group that was looked into stays so if
  /// there is one of its name.
  void setGroups(std::vector<TreemapPart> groups);
  const std::vector<TreemapPart>& groups() const { return m_groups; }

  /// Marks a spot without telling anyone; one that the group looked into does not hold shows all groups again.
  void mark(std::optional<TreemapSpot> spot);
  std::optional<TreemapSpot> marked() const { return m_marked; }
  /// Looks into a group, or at all of them.
  void zoom(std::optional<std::size_t> group);
  std::optional<std::size_t> zoomed() const { return m_zoomed; }

  std::vector<TreemapTile> tiles() const;
  /// The text of a spot.
  QStringList factsOf(const TreemapSpot& spot) const;

  std::size_t itemCount() const override { return tiles().size(); }
  BubbleText itemText(std::size_t item) const override { return textOf(tiles()[item].spot); }
  QRectF itemRect(std::size_t item) const override { return tiles()[item].rect; }
  std::optional<std::size_t> currentItem() const override;
  void goToItem(std::size_t item) override { pick(tiles()[item].spot); }
  /// As Enter does.
  void pressItem(std::size_t item) override;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 Q_SIGNALS:
  void picked(const heapscape::gui::TreemapSpot& spot);
  /// Enter or a double click on something that cannot be looked into further.
  void activated(const heapscape::gui::TreemapSpot& spot);
  void zoomChanged();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  const TreemapPart& partOf(const TreemapSpot& spot) const;
  QString nameOf(const TreemapSpot& spot) const;
  BubbleText textOf(const TreemapSpot& spot) const;
  double headingHeight() const;
  void pick(const TreemapSpot& spot);
  void enter(const TreemapSpot& spot);
  void move(int key);
  void draw(QPainter& painter) const;
  void outline(QPainter& painter, const TreemapSpot& spot, const QPen& pen) const;

  std::vector<TreemapPart> m_groups;
  std::uint64_t m_bytes = 0;
  std::optional<std::size_t> m_zoomed;
  std::optional<TreemapSpot> m_marked;
  std::optional<TreemapSpot> m_hovered;
  HoverBubble* m_bubble;
};

}  // namespace heapscape::gui
