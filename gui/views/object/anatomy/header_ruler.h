// SPDX-License-Identifier: MIT
#pragma once

#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <QString>
#include <QWidget>
#include <cstdint>
#include <optional>
#include <vector>

#include "heap/object_header.h"
#include "session/details/object_details.h"
#include "widgets/accessible/picture_items.h"

namespace heapscape::gui {

/// Sizes in device-independent pixels that the bits of a header are laid out with.
struct RulerMetrics {
  double width = 900;
  double cellHeight = 32;
  double numberHeight = 18;  // of the bits' numbers above them
  double lineHeight = 22;    // of the names below
  double margin = 12;
  double gap = 8;  // between names
};

/// Some bits of one meaning: their cells touch, a line leads from their middle to their name.
struct RulerGroup {
  QRectF cells;
  QRectF label;
  QPointF from;  // of the line
  QPointF to;
  bool isBeside = false;  // the name stands beside the line's end, not below it
};

struct RulerGeometry {
  std::vector<QRectF> bits;        // by bit, 0 to 31; bit 31 on the left
  std::vector<RulerGroup> groups;  // as given
  QSizeF size;
};

/// `labelWidths`: by group, highest bits first. A name stands under its bits, or beside a line from them where it is
/// wider; names and lines never meet.
RulerGeometry layOutRuler(const std::vector<engine::HeaderBits>& groups, const std::vector<double>& labelWidths,
                          const RulerMetrics& metrics);

/// "thread id", "recursion": the name of some bits of the header, as people say it.
QString headerBitsName(const engine::HeaderBits& bits);
/// Says nothing here: unused, or a flag that is not set.
bool isIdle(const engine::HeaderBits& bits);
/// "thread id 5", "spin lock", "hash code 033c0d9d".
QString headerBitsText(const engine::HeaderBits& bits);

/// One sentence on what the header is used for.
QString headerSentence(const engine::ObjectDetails& object);
/// Further sentences: the sync block and who waits, flags that are set.
QStringList headerRemarks(const engine::ObjectDetails& object);

/// The 32 bits of an object's header, those of one meaning together. Unused ones are dimmed.
class HeaderRuler : public QWidget, public PictureItems {
  Q_OBJECT

 public:
  explicit HeaderRuler(QWidget* parent = nullptr);

  void show(std::optional<engine::ObjectHeader> header);
  const RulerGeometry& geometryOfBits() const { return m_geometry; }
  std::size_t itemCount() const override { return m_geometry.groups.size(); }
  BubbleText itemText(std::size_t item) const override;
  QRectF itemRect(std::size_t item) const override { return m_geometry.groups[item].cells; }
  std::optional<std::size_t> currentItem() const override { return m_current; }
  void goToItem(std::size_t item) override;
  void pressItem(std::size_t item) override { goToItem(item); }

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void changeEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  RulerGeometry layOutFor(int width) const;
  void paintPicture(QPainter& painter) const;
  void paintGroup(QPainter& painter, std::size_t number) const;
  QColor colourOf(const engine::HeaderBits& bits) const;
  void hoverAt(const QPoint& point);

  std::optional<engine::ObjectHeader> m_header;
  RulerGeometry m_geometry;
  std::optional<std::size_t> m_hovered;  // group
  std::optional<std::size_t> m_current;  // group
  HoverBubble* m_bubble;
};

}  // namespace heapscape::gui
