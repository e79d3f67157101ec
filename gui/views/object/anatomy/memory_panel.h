// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <functional>
#include <memory>
#include <vector>

#include "bridge/engine_bridge.h"
#include "widgets/hex_view/byte_window.h"
#include "widgets/hex_view/object_page.h"

class QTabWidget;

namespace heapscape::gui {

class ObjectAnatomyPicture;
class HeaderPanel;
class LayoutDiagram;
class LayoutLegend;
class ObjectHexView;

/// How the object lies in memory: its bytes beside the diagram of its layout, the bits of its header, and what the
/// runtime keeps of its type.
class MemoryPanel : public QWidget {
  Q_OBJECT

 public:
  explicit MemoryPanel(EngineBridge& bridge, QWidget* parent = nullptr);

  void show(std::shared_ptr<const ObjectPage> page);  // null for none
  /// Marks bytes in both pictures without telling anyone.
  void select(const ByteSpan& span);
  void setDescription(std::function<QString(const ByteSpan&)> describe);

 Q_SIGNALS:
  void spanPicked(const heapscape::gui::ByteSpan& span);
  void typeWanted(heapscape::engine::Address methodTable);
  void threadsWanted();
  void memoryWanted(heapscape::engine::Address address);

 private:
  QWidget* makeBytesPage();
  void connectParts();
  void askForType();
  void setOpen(std::uint32_t item, bool isOpen);
  void openAround(std::uint32_t item);

  EngineBridge& m_bridge;
  ObjectHexView* m_hex;
  LayoutDiagram* m_diagram;
  LayoutLegend* m_legend = nullptr;
  HeaderPanel* m_header;
  ObjectAnatomyPicture* m_anatomy;
  QTabWidget* m_tabs;
  std::shared_ptr<const ObjectPage> m_page;
  std::vector<bool> m_isOpen;  // by item of the diagram
};

}  // namespace heapscape::gui
