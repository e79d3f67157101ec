// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QStringList>

#include "widgets/layout_diagram/layout_items.h"

namespace heapscape::gui {

/// "Customer", "object header", "padding", "8,188 more"; of a property's own field, the property's name.
QString itemName(const LayoutItem& item);
/// The type's name without namespaces; empty for what has none.
QString itemType(const LayoutItem& item);
/// "−8", "0", "64".
QString offsetText(std::int64_t offset);
/// "4 B"; exact up to a few thousand.
QString itemSizeText(const LayoutItem& item);
/// What the pointer is told: type, offsets, size, where it is declared.
QStringList itemFacts(const LayoutItems& items, std::uint32_t item);

}  // namespace heapscape::gui
