// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "views/memory/memory_parts.h"
#include "views/place.h"

class QStackedLayout;
class QTabWidget;

namespace heapscape::gui {

class FlowLayout;
class MemoryHead;
class MemoryPartBar;
class RawMemoryPanel;
class RowList;
class RowsPanel;
class StatePanel;
class Treemap;

/// A process's memory ready to be shown; made on the engine thread.
struct ShownMemory {
  engine::ProcessMemory memory;
  std::vector<MemoryGroup> groups;
  std::shared_ptr<const RowList> rows;
};

/// Every mapped byte of the process by whose it is, and what lies at any address.
class MemoryPlace : public Place {
  Q_OBJECT

 public:
  MemoryPlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  PlaceId id() const override { return PlaceId::Memory; }
  QString title() const override { return u"Memory"_s; }
  void showSnapshot(const engine::Snapshot& snapshot) override;
  void clear() override;
  void follow(const Location& location) override;

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  QWidget* buildPicture();
  void ask();
  void take(std::shared_ptr<const ShownMemory> shown);
  void showTreemap();
  void showLegend();
  void pickSpot(const TreemapSpot& spot);
  void pickRow(std::uint32_t row);
  void activate(std::uint32_t row);

  bool m_isReady = false;  // the dump is far enough
  bool m_isAsked = false;
  std::shared_ptr<const ShownMemory> m_shown;
  MemoryHead* m_head;
  Treemap* m_treemap;
  MemoryPartBar* m_bar;
  RowsPanel* m_list;
  QWidget* m_legend;
  FlowLayout* m_legendLine;
  StatePanel* m_state;
  QStackedLayout* m_pages;
  RawMemoryPanel* m_raw;
  QTabWidget* m_tabs;
};

}  // namespace heapscape::gui
