// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include "review/board.h"

namespace heapscape::engine::test {

inline constexpr const char* kSecret = "hunter2 is the password";

/// A note, a table with a column of contents, a safe picture, and one that shows contents.
inline ReviewBoard sampleBoard() {
  ReviewBoard board{.title = "Review of <shop>", .dump = "shop.core", .summary = "12 objects", .pages = {}};
  board.pages.push_back({.title = "Why", .note = "First line\nsecond & last"});
  ReviewTable table{
      .columns = {{"Type", ColumnKind::TypeName}, {"Bytes", ColumnKind::Bytes}, {"Text", ColumnKind::Text, true}},
      .rows = {{{"Shop.Order<System.Int32>"}, {"1.46 KB", 1500}, {kSecret}}, {{"Shop.Line"}, {"12 B", 12}, {kSecret}}},
      .rowsLeftOut = 7};
  board.pages.push_back({.title = "Types", .source = "Types, gen2 only", .content = std::move(table)});
  board.pages.push_back({.title = "Ages",
                         .content = ReviewPicture{"<svg width=\"20\" height=\"10\"><rect width=\"20\" height=\"10\" "
                                                  "fill=\"#0072b2\"/><text>gen2</text></svg>",
                                                  20, 10, false}});
  board.pages.push_back(
      {.title = "Object", .content = ReviewPicture{fmt::format("<svg><text>{}</text></svg>", kSecret), 20, 10, true}});
  return board;
}

}  // namespace heapscape::engine::test
