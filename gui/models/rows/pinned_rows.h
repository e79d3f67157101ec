// SPDX-License-Identifier: MIT
#pragma once

#include <QModelIndexList>
#include <functional>

#include "review/board.h"

class QAbstractItemView;

namespace heapscape::gui {

inline constexpr int kMostPinnedRows = 1000;

/// The rows of a table or tree as they stand, or if several are picked these alone: in the order shown, columns that
/// are hidden or without words left out, of a tree what is unfolded. Figures bring their exact number. Columns of which
/// the model does not say otherwise may hold contents.
engine::ReviewTable pinnedRows(const QAbstractItemView& view);
/// These rows, by their first cell.
QModelIndexList rowsToPin(const QAbstractItemView& view);

/// Pins the view's rows under its accessible name.
void pinRows(QAbstractItemView& view);
/// Gives the view the action "Pin to review", which does so.
void addPinRowsAction(QAbstractItemView* view);
/// Makes this action call something else.
void replacePinRows(QAbstractItemView& view, const std::function<void()>& pin);

}  // namespace heapscape::gui
