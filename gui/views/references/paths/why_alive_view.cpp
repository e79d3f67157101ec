// SPDX-License-Identifier: MIT
#include "views/references/paths/why_alive_view.h"

namespace heapscape::gui {

WhyAliveView::WhyAliveView(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : QWidget(parent), m_bridge(bridge), m_navigator(navigator) {}

void WhyAliveView::showSnapshot(const engine::Snapshot&) {}

void WhyAliveView::clear() {}

void WhyAliveView::follow(const Location&) {}

}  // namespace heapscape::gui
