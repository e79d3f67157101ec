// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

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

}  // namespace heapscape::gui
