// SPDX-License-Identifier: MIT
#include "review/board.h"

#include <algorithm>

namespace heapscape::engine {
namespace {

constexpr const char* kPictureLeftOut = "The picture shows strings or values of the dump and was left out.";
constexpr const char* kColumnsLeftOut = "Left out, for they hold strings or values of the dump: ";

void addSentence(std::string& text, const std::string& sentence) {
  if (!text.empty()) text += "\n\n";
  text += sentence;
}

void leaveContentsOut(ReviewTable& table, std::string& note) {
  std::string names;
  for (const ReviewColumn& column : table.columns) {
    if (column.holdsContents) names += (names.empty() ? "" : ", ") + column.title;
  }
  if (names.empty()) return;
  for (std::vector<ReviewCell>& row : table.rows) {
    std::size_t kept = 0;
    for (std::size_t column = 0; column < row.size(); ++column) {
      const bool isKept = column < table.columns.size() && !table.columns[column].holdsContents;
      if (isKept && kept != column) row[kept] = std::move(row[column]);
      kept += isKept;
    }
    row.resize(kept);
  }
  std::erase_if(table.columns, [](const ReviewColumn& column) { return column.holdsContents; });
  if (table.columns.empty()) table.rows.clear();
  addSentence(note, kColumnsLeftOut + names + ".");
}

}  // namespace

std::uint64_t rowsInAll(const ReviewTable& table) {
  return table.rows.size() + table.rowsLeftOut;
}

bool holdsContents(const ReviewPage& page) {
  if (const auto* table = std::get_if<ReviewTable>(&page.content)) {
    return std::ranges::any_of(table->columns, &ReviewColumn::holdsContents);
  }
  const auto* picture = std::get_if<ReviewPicture>(&page.content);
  return picture && picture->holdsContents;
}

ReviewBoard redacted(ReviewBoard board) {
  for (ReviewPage& page : board.pages) {
    if (auto* table = std::get_if<ReviewTable>(&page.content)) leaveContentsOut(*table, page.remark);
    const auto* picture = std::get_if<ReviewPicture>(&page.content);
    if (!picture || !picture->holdsContents) continue;
    page.content = std::monostate();
    addSentence(page.remark, kPictureLeftOut);
  }
  return board;
}

}  // namespace heapscape::engine
