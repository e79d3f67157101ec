// SPDX-License-Identifier: MIT
#pragma once

#include "review/board.h"

class QAbstractItemView;

namespace heapscape::gui {

inline constexpr int kMostPinnedRows = 1000;

/// The rows of a table or tree as they stand, or if several are picked these alone: in the order shown, columns that
/// are hidden or without words left out, of a tree what is unfolded. Figures bring their exact number. Columns of which
/// the model does not say otherwise may hold contents.
engine::ReviewTable pinnedRows(const QAbstractItemView& view);

/// Gives the view the action "Pin to review", which pins its rows under its accessible name.
void addPinRowsAction(QAbstractItemView* view);

}  // namespace heapscape::gui
