// SPDX-License-Identifier: MIT
#pragma once

#include <QPixmap>

#include "review/board.h"

namespace heapscape::gui {

inline constexpr QSize kThumbnailSize{64, 44};

/// What a page shows, small and on white: a picture as it is, of tables and notes where their words stand.
QPixmap pageThumbnail(const engine::ReviewPage& page);

}  // namespace heapscape::gui
