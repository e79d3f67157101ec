// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QStringList>

#include "layout/layout_items.h"

namespace heapscape::gui {

/// The padding that a repetition has, which has no box of its own: "3 B padding in each"; nothing for none.
QStringList notShownText(const engine::LayoutItem& item);
/// "Customer", "object header", "padding", "8,188 more"; of a property's own field, the property's name.
QString itemName(const engine::LayoutItem& item);
/// The type's name without namespaces; empty for what has none.
QString itemType(const engine::LayoutItem& item);
/// "−8", "0", "64".
QString offsetText(std::int64_t offset);
/// "4 B"; exact up to a few thousand.
QString itemSizeText(const engine::LayoutItem& item);
/// The tip of an item: type, offsets, size, where it is declared.
QStringList itemFacts(const engine::LayoutItems& items, std::uint32_t item);

}  // namespace heapscape::gui
