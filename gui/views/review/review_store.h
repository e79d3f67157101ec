// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

#include "review/board.h"
#include "views/review/review_file.h"

namespace heapscape::gui {

// Reading and writing of reviews. All of these wait for disks: never on the GUI thread.

struct LoadedReview {
  ReviewFile file;
  engine::Result<engine::ReviewBoard> board = engine::ReviewBoard();
};
/// The review of a dump or assembly, an empty one if it has none yet.
LoadedReview loadReviewOf(const QString& dump);
engine::Result<engine::ReviewBoard> loadReview(const QString& path);

struct WrittenReview {
  ReviewFile file;  // where it is now
  QString trouble;  // why it is not; else empty
};
/// To `file`; where a file beside `dump` cannot be written to, below the user's data. `dump` is empty for a review that
/// was opened by itself.
WrittenReview writeReview(const engine::ReviewBoard& board, const ReviewFile& file, const QString& dump);

}  // namespace heapscape::gui
