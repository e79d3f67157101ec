// SPDX-License-Identifier: MIT
#include "views/references/dominators/dominator_view.h"

namespace heapscape::gui {

DominatorView::DominatorView(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : QWidget(parent), m_bridge(bridge), m_navigator(navigator) {}

void DominatorView::showSnapshot(const engine::Snapshot&) {}

void DominatorView::clear() {}

void DominatorView::follow(const Location&) {}

}  // namespace heapscape::gui
