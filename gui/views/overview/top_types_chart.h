// SPDX-License-Identifier: MIT
#pragma once

#include <QRectF>
#include <QString>
#include <QWidget>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "heap/segment.h"
#include "widgets/accessible/picture_items.h"

namespace heapscape::gui {

/// One of the types that take up most.
struct TopType {
  QString name;
  QString shortName;     // without namespaces, for where the name does not fit
  int prefixLength = 0;  // characters of the namespace in `name`
  engine::Address methodTable;
  std::uint64_t objects = 0;
  std::uint64_t bytes = 0;
  std::optional<std::uint64_t> garbageBytes = {};  // of these; nothing while it is not known
  std::array<std::uint64_t, engine::kGenerationCount> generationBytes{};
};

struct TopTypeBar {
  QRectF row;  // what is hit
  QRectF name;
  QRectF figure;         // bytes, at the right end
  QRectF live, garbage;  // the bar; all of it live while it is not known
};

/// A row each; bars share one scale, on which the largest type fills the room between name and figure.
std::vector<TopTypeBar> topTypeBars(const std::vector<TopType>& types, double width, double rowHeight,
                                    double figureWidth);

/// The types that take up most, as bars: what of them is live, and hatched what is garbage.
class TopTypesChart : public QWidget, public PictureItems {
  Q_OBJECT

 public:
  explicit TopTypesChart(QWidget* parent = nullptr);

  void setTypes(std::vector<TopType> types);
  const std::vector<TopType>& types() const { return m_types; }
  std::vector<TopTypeBar> bars() const;

  std::size_t itemCount() const override { return m_types.size(); }
  BubbleText itemText(std::size_t item) const override;
  QRectF itemRect(std::size_t item) const override { return bars()[item].row; }
  std::optional<std::size_t> currentItem() const override;
  void goToItem(std::size_t item) override { setCurrent(static_cast<int>(item)); }
  void pressItem(std::size_t item) override { pick(static_cast<int>(item)); }

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 Q_SIGNALS:
  void typePicked(heapscape::engine::Address methodTable);

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  int rowHeight() const;
  int rowAt(const QPoint& position) const;
  void setCurrent(int row);
  void pick(int row);
  void draw(QPainter& painter, int current) const;
  void drawName(QPainter& painter, const QRectF& area, const TopType& type) const;

  std::vector<TopType> m_types;
  int m_current = -1;  // under the pointer, or reached by the keys
};

}  // namespace heapscape::gui
