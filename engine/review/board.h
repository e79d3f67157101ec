// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "tables/cell.h"

namespace heapscape::engine {

/// Replacement of strings or values of the dump.
inline constexpr const char* kContentsLeftOut = "\u2022\u2022\u2022";

struct ReviewColumn {
  std::string title;
  ColumnKind kind = ColumnKind::Text;
  bool holdsContents = false;  // strings and values of the dump: left out when redacted
};

/// Text as it is shown; of figures the exact number, too, to sort by.
struct ReviewCell {
  std::string text;
  std::optional<std::int64_t> number = {};
  std::optional<std::string> redacted = {};  // stands in its place when redacted; nothing: holds no contents
};

struct ReviewTable {
  std::vector<ReviewColumn> columns = {};
  std::vector<std::vector<ReviewCell>> rows = {};  // each as long as the columns
  std::uint64_t rowsLeftOut = 0;
};

/// A vector picture: an SVG document without anything outside of it, no scripts.
struct ReviewPicture {
  std::string svg;
  double width = 0, height = 0;  // in points
  bool holdsContents = false;    // shows strings or values
  std::string redactedSvg = {};  // the same without them; empty if nobody drew it, so that all text has to go
};

struct ReviewPage {
  std::string title = {};
  std::string source = {};                                                // where it was pinned: "Types, gen2 only"
  std::string remark = {};                                                // what there is to say of the figures
  std::string note = {};                                                  // the user's own
  std::variant<std::monostate, ReviewTable, ReviewPicture> content = {};  // a page may be a note alone
};

/// Pages for a review, in order, readable without the dump.
struct ReviewBoard {
  std::string title;
  std::string dump;     // file name
  std::string summary;  // ".NET 10.0.12, workstation, 1.4 GB in 15,190,395 objects"
  std::vector<ReviewPage> pages;
};

std::uint64_t rowsInAll(const ReviewTable& table);
/// Whether redacted() leaves something of the page out.
bool holdsContents(const ReviewPage& page);
/// Parts of the page that redacted() leaves out, in sentences; empty for nothing.
std::string redactionText(const ReviewPage& page);

/// Without strings and values of the dump: columns of them are left out, in cells and pictures that show some something
/// else stands in their place, and the page says so. Titles, sources and remarks hold none; notes are the user's own
/// and stay.
ReviewBoard redacted(ReviewBoard board);

/// Ending of the file that a board is kept in.
inline constexpr std::string_view kBoardEnding = ".heapscape-review.json";

/// Limits of a board; a file with more is refused. Pages that are made here stay below.
struct BoardLimits {
  std::size_t fileBytes = 64u << 20;
  std::size_t pages = 1000;
  std::size_t columns = 64;
  std::size_t rows = 10'000;          // of one table
  std::size_t cellBytes = 64 * 1024;  // of one cell or title
  std::size_t noteBytes = 1u << 20;
};
inline constexpr BoardLimits kBoardLimits{};

/// The board as a JSON document of schema "heapscape-review/1".
std::string writtenBoard(const ReviewBoard& board);
/// Reads what writtenBoard() wrote, checking everything: it may come from anywhere. Fails with Damaged.
Result<ReviewBoard> parseBoard(std::string_view text);

/// Whether the file holds a JSON document, as reviews do and neither dumps nor assemblies; see loadBoard().
bool looksLikeBoard(const std::filesystem::path& path);

/// Writes to a file beside it first, so that what was there before is never lost. Fails with FileUnreadable.
Result<void> saveBoard(const ReviewBoard& board, const std::filesystem::path& path);
/// Fails with FileUnreadable or Damaged.
Result<ReviewBoard> loadBoard(const std::filesystem::path& path);

}  // namespace heapscape::engine
