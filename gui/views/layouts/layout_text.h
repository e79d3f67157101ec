// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

#include "layout/layout_items.h"
#include "views/layouts/layout_totals.h"

namespace heapscape::gui {

/// The layout as plain text: a line of totals, then a line for each stretch of bytes, nested ones indented.
QString layoutAsText(const engine::TypeLayout& layout, const engine::LayoutItems& items,
                     const TypePopulation& population);

}  // namespace heapscape::gui
