// SPDX-License-Identifier: MIT
#include "widgets/hex_view/object_hex_view.h"

namespace heapscape::gui {

ObjectHexView::ObjectHexView(EngineBridge& bridge, QWidget* parent) : HexView(parent), m_bridge(bridge) {
  connect(this, &HexView::windowWanted, this, &ObjectHexView::askForBytes);
}

void ObjectHexView::show(std::shared_ptr<const ObjectPage> page) {
  m_shown = page;
  HexView::show(std::move(page));
}

void ObjectHexView::askForBytes(const ByteSpan& window) {
  if (!m_shown) return;
  constexpr std::int64_t kHeaderBytes = 8;  // before the object's address
  const auto skip = static_cast<std::uint64_t>(window.begin + kHeaderBytes);
  const auto limit = static_cast<std::size_t>(window.sizeBytes());
  m_bridge.ask(
      this, "bytes",
      [object = m_shown->address(), skip, limit](const engine::Snapshot& snapshot, std::stop_token) {
        return engine::objectBytes(snapshot, object, skip, limit);
      },
      [this](engine::Result<engine::ObjectBytes> bytes) {
        if (!bytes || !m_shown) return;
        nameUnused(*m_shown, *bytes);
        take(std::move(*bytes));
      });
}

}  // namespace heapscape::gui
