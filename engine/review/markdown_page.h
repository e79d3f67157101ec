// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "review/board.h"

namespace heapscape::engine {

/// Rows of each table in Markdown; an issue is no place for hundreds.
inline constexpr std::size_t kMarkdownRows = 30;

/// The board as GitHub's Markdown, to be pasted into an issue: a heading, the dump, and a section for each page with
/// its note, remark and table. Of pictures the title, since text holds none. Everything is escaped. Strings and values
/// of the dump are as the board has them: see redacted().
std::string markdownOf(const ReviewBoard& board);

/// One page of it, with the dump that it is of.
std::string markdownOf(const ReviewBoard& board, std::size_t page);

}  // namespace heapscape::engine
