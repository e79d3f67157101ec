// SPDX-License-Identifier: MIT
#pragma once

#include "bridge/engine_bridge.h"
#include "widgets/hex_view/hex_view.h"

namespace heapscape::gui {

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
