// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

#include "review/board_file.h"

namespace heapscape::gui {

/// Where a review is kept.
struct ReviewFile {
  QString path;
  /// False: it is with the user's own data, for the dump's folder cannot be written to or belongs to the program.
  bool isBesideDump = true;
  bool operator==(const ReviewFile&) const = default;
};

/// Beside the dump or assembly; where that cannot be, and of the sample that comes with the program, below the user's
/// data.
ReviewFile reviewFileOf(const QString& dump);
/// The review that comes with the sample; empty for any other dump.
QString bundledReviewOf(const QString& dump);
/// Below the user's data, under a name that no other dump gets.
ReviewFile ownReviewFileOf(const QString& dump);

bool hasReviewName(const QString& path);

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
