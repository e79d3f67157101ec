// SPDX-License-Identifier: MIT
#pragma once

class QWidget;

namespace heapscape::gui {

/// What the colours of bytes mean; under every picture of them.
QWidget* makeLayoutLegend(QWidget* parent);

}  // namespace heapscape::gui
