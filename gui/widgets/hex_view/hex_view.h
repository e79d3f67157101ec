// SPDX-License-Identifier: MIT
#pragma once

#include <QAbstractScrollArea>
#include <functional>
#include <memory>
#include <optional>

#include "bridge/engine_bridge.h"
#include "widgets/accessible/picture_items.h"
#include "widgets/hex_view/byte_window.h"
#include "widgets/hex_view/hex_painter.h"

class QAction;

namespace heapscape::gui {

/// The bytes of an object from its header to its end. Only those around the ones in sight are held, so that an array of
/// gigabytes scrolls like any other object.
class HexView : public QAbstractScrollArea, public PictureItems {
  Q_OBJECT

 public:
  explicit HexView(QWidget* parent = nullptr);

  void show(std::shared_ptr<const ObjectPage> page);  // null for none
  /// Answers windowWanted().
  void take(engine::ObjectBytes bytes);
  /// Marks bytes and brings their start into sight, without telling anyone.
  void select(const ByteSpan& span);
  const ByteSpan& selected() const { return m_selected; }
  /// A line about the value at some bytes, for the bubble.
  void setDescription(std::function<QString(const ByteSpan&)> describe) { m_describe = std::move(describe); }

  const ByteWindow& window() const { return m_window; }
  const HexGeometry& geometry() const { return m_geometry; }
  std::int64_t topRow() const;
  QSize minimumSizeHint() const override;

  // The runs of bytes that are read: those in sight, and as many around them.
  std::size_t itemCount() const override { return m_page ? m_window.runs().size() : 0; }
  /// With the bytes themselves.
  BubbleText itemText(std::size_t item) const override;
  QRectF itemRect(std::size_t item) const override;
  std::optional<std::size_t> currentItem() const override;
  void goToItem(std::size_t item) override { pick(spanOf(m_window.runs()[item])); }
  void pressItem(std::size_t item) override { goToItem(item); }

 Q_SIGNALS:
  void windowWanted(const heapscape::gui::ByteSpan& span);
  /// The bytes that the one clicked belongs to; empty where it is nothing.
  void picked(const heapscape::gui::ByteSpan& span);
  void memoryWanted(heapscape::engine::Address address);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void scrollContentsBy(int dx, int dy) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  bool viewportEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void addActions();
  /// Number of the selected bytes; 0 for none.
  engine::Address selectedAddress() const;
  /// The word that the selected bytes are; 0 if they are none, or not read.
  engine::Address selectedWord() const;
  void updateActions();
  HexMetrics metrics() const;
  void layOut();
  ByteSpan inSight() const;
  void requestInSight();
  void hoverAt(const QPointF& point);
  void pick(const ByteSpan& span);
  void step(bool forward);
  /// To the run at an offset, also one that has still to be read.
  void goTo(std::int64_t offset);
  void paintBytes(QPainter& painter, bool isForScreen) const;
  void copyBytes() const;
  BubbleText textOf(const engine::ByteRun& run) const;

  std::shared_ptr<const ObjectPage> m_page;
  ByteWindow m_window;
  ByteSpan m_whole;
  HexGeometry m_geometry;
  ByteSpan m_selected;
  ByteSpan m_hovered;
  ByteSpan m_asked;
  std::optional<std::int64_t> m_wanted;  // where keys lead to, as soon as it is read
  HoverBubble* m_bubble;
  QAction* m_copyAddress = nullptr;
  QAction* m_memoryHere = nullptr;
  QAction* m_memoryThere = nullptr;
  std::function<QString(const ByteSpan&)> m_describe;
};

/// A hex view that asks for its object's bytes by itself.
class ObjectHexView : public HexView {
  Q_OBJECT

 public:
  explicit ObjectHexView(EngineBridge& bridge, QWidget* parent = nullptr);

  void show(std::shared_ptr<const ObjectPage> page);  // null for none

 private:
  void askForBytes(const ByteSpan& window);

  EngineBridge& m_bridge;
  std::shared_ptr<const ObjectPage> m_shown;
};

}  // namespace heapscape::gui
