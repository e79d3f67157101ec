// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace heapscape::gui {

/// Where a review is kept.
struct ReviewFile {
  QString path;
  bool isBesideDump = true;  // false: that folder cannot be written to, so it is with the user's own data
  bool operator==(const ReviewFile&) const = default;
};

/// Beside the dump or assembly; where that cannot be, below the user's data.
ReviewFile reviewFileOf(const QString& dump);
/// Below the user's data, under a name that no other dump gets.
ReviewFile ownReviewFileOf(const QString& dump);

bool hasReviewName(const QString& path);

}  // namespace heapscape::gui
