// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"
#include "review/board.h"

namespace heapscape::engine {

inline constexpr std::string_view kBoardEnding = ".heapscape-review.json";

/// What a board may ask for; a file with more is refused. Pages that are made here stay below.
struct BoardLimits {
  std::size_t fileBytes = 64u << 20;
  std::size_t pages = 1000;
  std::size_t columns = 64;
  std::size_t rows = 10'000;          // of one table
  std::size_t cellBytes = 64 * 1024;  // of one cell or title
  std::size_t noteBytes = 1u << 20;
};
inline constexpr BoardLimits kBoardLimits{};

/// Where a dump's review is kept: beside it, "shop.core" → "shop.core.heapscape-review.json".
std::filesystem::path boardPathBeside(const std::filesystem::path& dump);

/// The board as a JSON document of schema "heapscape-review/1".
std::string writtenBoard(const ReviewBoard& board);
/// Reads what writtenBoard() wrote, checking everything: it may come from anywhere. Fails with Damaged.
Result<ReviewBoard> parseBoard(std::string_view text);

/// Whether the file holds a JSON document, as reviews do and neither dumps nor assemblies; loadBoard() tells if it is
/// one.
bool looksLikeBoard(const std::filesystem::path& path);

/// Writes to a file beside it first, so that what was there before is never lost. Fails with FileUnreadable.
Result<void> saveBoard(const ReviewBoard& board, const std::filesystem::path& path);
/// Fails with FileUnreadable or Damaged.
Result<ReviewBoard> loadBoard(const std::filesystem::path& path);

}  // namespace heapscape::engine
