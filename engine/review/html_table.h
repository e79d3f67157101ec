// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "review/board.h"

namespace heapscape::engine {

/// Figures stand to the right and are sorted by number.
bool isFigure(ReviewCellKind kind);
/// Of bytes, the exact number: what a figure that was rounded stands for. Empty where there is no more to say.
std::string exactText(ReviewCellKind kind, const ReviewCell& cell);

void appendHtmlTable(std::string& html, const ReviewTable& table, std::string_view title);

}  // namespace heapscape::engine
