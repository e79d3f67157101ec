// SPDX-License-Identifier: MIT
#pragma once

#include "review/board.h"
#include "views/references/cuts/cut_list.h"

namespace heapscape::gui {

/// "2 cuts would free 3.3 MB in 40,210 objects: 12% of what is held".
QString freedText(const CutAnswer& answer);
/// What the cuts come to one by one, where that is less; else empty.
QString togetherText(const CutAnswer& answer);

/// The cuts with what each frees, and all together, as a page of a review.
engine::ReviewPage cutPage(const CutAnswer& answer);

}  // namespace heapscape::gui
