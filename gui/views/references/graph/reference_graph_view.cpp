// SPDX-License-Identifier: MIT
#include "views/references/graph/reference_graph_view.h"

namespace heapscape::gui {

ReferenceGraphView::ReferenceGraphView(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : QWidget(parent), m_bridge(bridge), m_navigator(navigator) {}

void ReferenceGraphView::showSnapshot(const engine::Snapshot&) {}

void ReferenceGraphView::clear() {}

void ReferenceGraphView::follow(const Location&) {}

}  // namespace heapscape::gui
