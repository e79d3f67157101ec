// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <memory>
#include <optional>

#include "session/heap/map_highlight.h"
#include "session/heap/range_summary.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::gui {

class ElidedText;
class HeapStrip;

/// Above the map while some objects are in full colour: how many there are and where in the heap.
class HighlightLine : public QWidget {
  Q_OBJECT

 public:
  explicit HighlightLine(QWidget* parent = nullptr);

  /// While they are being looked for. `name`: what they are, "OrderLine", "10 collections of MemoryStream".
  void showSearching(const QString& name);
  void show(const QString& name, std::shared_ptr<const engine::MapHighlight> highlight);
  QString text() const;

 Q_SIGNALS:
  void clearWanted();
  /// At a share of the heap, 0 to 1.
  void placeWanted(double place);

 private:
  ElidedText* m_text;
  HeapStrip* m_strip;
};

/// Below the map while a range of addresses is selected: what lies there, and what can be done with it.
class RangeLine : public QWidget {
  Q_OBJECT

 public:
  explicit RangeLine(QWidget* parent = nullptr);

  void showSearching(engine::AddressRange range);
  void show(const engine::RangeSummary& summary, const engine::Snapshot& snapshot);
  QString text() const;

 Q_SIGNALS:
  void listWanted();
  void cutWanted();
  void pinWanted();
  void clearWanted();

 private:
  ElidedText* m_text;
  QWidget* m_actions;
};

/// "6,250 of them in 1 segment".
QString highlightText(const engine::MapHighlight& highlight);
/// "0x…–0x…: 12,400 objects · 1.1 MB · 310 KB garbage · OrderLine 34%, String 20%".
QString rangeText(const engine::RangeSummary& summary, const engine::Snapshot& snapshot);

}  // namespace heapscape::gui
