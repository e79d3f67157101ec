// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "output/text.h"
#include "review/board.h"
#include "review/drawing_check.h"

namespace heapscape::engine {
namespace {

constexpr const char* kPictureLeftOut = "The picture shows strings or values of the dump and was left out.";

void addSentence(std::string& text, const std::string& sentence, const char* between) {
  if (sentence.empty()) return;
  if (!text.empty()) text += between;
  text += sentence;
}

std::string columnsLeftOut(const ReviewTable& table) {
  std::string names;
  for (const ReviewColumn& column : table.columns) {
    if (column.holdsContents) names += (names.empty() ? "" : ", ") + column.title;
  }
  return names.empty() ? names : fmt::format("Left out, for they hold strings or values of the dump: {}.", names);
}

/// Number of redacted cells in columns that stay.
std::uint64_t cellsRedacted(const ReviewTable& table) {
  std::uint64_t cells = 0;
  for (const std::vector<ReviewCell>& row : table.rows) {
    for (std::size_t column = 0; column < std::min(row.size(), table.columns.size()); ++column) {
      cells += !table.columns[column].holdsContents && row[column].redacted.has_value();
    }
  }
  return cells;
}

std::string redactionText(const ReviewTable& table) {
  std::string text = columnsLeftOut(table);
  const std::uint64_t cells = cellsRedacted(table);
  if (cells) addSentence(text, fmt::format("Strings and names are left out of {}.", countOf(cells, "cell")), " ");
  return text;
}

std::string redactionText(const ReviewPicture& picture) {
  if (!picture.holdsContents) return {};
  if (picture.redactedSvg.empty()) {
    if (!drawingWithoutText(picture.svg)) return kPictureLeftOut;
    return fmt::format("{} stands for each text of the picture: which of them are strings or values is not known.",
                       kContentsLeftOut);
  }
  return fmt::format("{} stands for strings and values in the picture.", kContentsLeftOut);
}

void leaveContentsOut(ReviewTable& table) {
  for (std::vector<ReviewCell>& row : table.rows) {
    std::size_t kept = 0;
    for (std::size_t column = 0; column < row.size(); ++column) {
      const bool isKept = column < table.columns.size() && !table.columns[column].holdsContents;
      if (isKept && row[column].redacted) row[column].text = *std::exchange(row[column].redacted, std::nullopt);
      if (isKept && kept != column) row[kept] = std::move(row[column]);
      kept += isKept;
    }
    row.resize(kept);
  }
  std::erase_if(table.columns, [](const ReviewColumn& column) { return column.holdsContents; });
  if (table.columns.empty()) table.rows.clear();
}

void leaveContentsOut(ReviewPage& page, ReviewPicture& picture) {
  if (!picture.holdsContents) return;
  if (picture.redactedSvg.empty()) {
    auto drawing = drawingWithoutText(picture.svg);
    if (!drawing) {
      page.content = std::monostate();
      return;
    }
    picture.svg = std::move(*drawing);
  } else {
    picture.svg = std::exchange(picture.redactedSvg, {});
  }
  picture.holdsContents = false;
}

}  // namespace

bool holdsContents(const ReviewPage& page) {
  return !redactionText(page).empty();
}

std::string redactionText(const ReviewPage& page) {
  if (const auto* table = std::get_if<ReviewTable>(&page.content)) return redactionText(*table);
  const auto* picture = std::get_if<ReviewPicture>(&page.content);
  return picture ? redactionText(*picture) : std::string();
}

ReviewBoard redacted(ReviewBoard board) {
  for (ReviewPage& page : board.pages) {
    addSentence(page.remark, redactionText(page), "\n\n");
    if (auto* table = std::get_if<ReviewTable>(&page.content)) leaveContentsOut(*table);
    if (auto* picture = std::get_if<ReviewPicture>(&page.content)) leaveContentsOut(page, *picture);
  }
  return board;
}

}  // namespace heapscape::engine
