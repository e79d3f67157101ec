// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "review/board.h"

namespace heapscape::engine {

/// The board as one HTML page that needs nothing but itself: it may be sent by mail, fetches nothing (and is not
/// allowed to), is whole without scripts, and looks right in light, dark and on paper. Everything in it is escaped;
/// pictures are checked again, and one that does more than draw is left out.
std::string htmlPage(const ReviewBoard& board);

}  // namespace heapscape::engine
