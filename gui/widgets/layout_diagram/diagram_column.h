// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QStringList>
#include <memory>

#include "layout/layout_items.h"

namespace heapscape::gui {

/// One of the layouts in a picture of several, with what stands above it.
struct DiagramColumn {
  QString title;      // "Actual", "Best"
  QString figure;     // "72 B"
  QStringList facts;  // one line each: padding, saving
  QString tip;        // exact figures
  bool isGain = false;
  std::shared_ptr<const engine::LayoutItems> items;
};

}  // namespace heapscape::gui
