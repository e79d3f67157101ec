// SPDX-License-Identifier: MIT
#pragma once

#include <QRectF>
#include <Qt>
#include <cstddef>
#include <optional>
#include <vector>

namespace heapscape::gui {

/// The box that an arrow key leads to: the nearest whose middle lies on that side, those straight ahead before those
/// aside. Nothing if there is none.
std::optional<std::size_t> nearestNode(const std::vector<QRectF>& boxes, std::size_t from, Qt::Key key);

}  // namespace heapscape::gui
