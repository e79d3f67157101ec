// SPDX-License-Identifier: MIT
#include "review/board.h"

#include <unistd.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include "memory/files/regular_file.h"
#include "output/text.h"
#include "review/drawing_check.h"
#include "review/whole_file.h"

namespace heapscape::engine {

std::uint64_t rowsInAll(const ReviewTable& table) {
  return table.rows.size() + table.rowsLeftOut;
}

namespace {

// In files of boards; what is none of these is read as text.
constexpr auto kKindNames = std::to_array<EnumName<ColumnKind>>({{ColumnKind::Text, "text"},
                                                                 {ColumnKind::TypeName, "typeName"},
                                                                 {ColumnKind::Count, "count"},
                                                                 {ColumnKind::Id, "count"},
                                                                 {ColumnKind::Bytes, "bytes"},
                                                                 {ColumnKind::SavedBytes, "signedBytes"},
                                                                 {ColumnKind::GrownBytes, "signedBytes"},
                                                                 {ColumnKind::Share, "percent"},
                                                                 {ColumnKind::Address, "address"}});

const char* kindName(ColumnKind kind) {
  const auto named = std::ranges::find(kKindNames, kind, &EnumName<ColumnKind>::value);
  return named == kKindNames.end() ? "text" : named->name;
}

using Json = nlohmann::ordered_json;

constexpr const char* kSchema = "heapscape-review/1";
constexpr int kDeepestJson = 8;
constexpr double kLargestPicture = 100'000;  // points
constexpr std::size_t kLookedAt = 256;       // bytes in which a document begins

tl::unexpected<Error> damaged(std::string what) {
  return failure(ErrorCode::Damaged, "The review cannot be read: " + std::move(what) + ".",
                 "It may have been cut or changed since it was saved.");
}

Json written(const ReviewCell& cell) {
  Json text = validUtf8(cell.text);
  if (cell.redacted) {
    Json json{{"text", std::move(text)}, {"redacted", validUtf8(*cell.redacted)}};
    if (cell.number) json["number"] = *cell.number;
    return json;
  }
  return cell.number ? Json::array({std::move(text), *cell.number}) : text;
}

Json written(const ReviewTable& table) {
  Json columns = Json::array();
  for (const ReviewColumn& column : table.columns) {
    columns.push_back(
        {{"title", validUtf8(column.title)}, {"kind", kindName(column.kind)}, {"holdsContents", column.holdsContents}});
  }
  Json rows = Json::array();
  for (const std::vector<ReviewCell>& cells : table.rows) {
    Json row = Json::array();
    for (const ReviewCell& cell : cells) {
      row.push_back(written(cell));
    }
    rows.push_back(std::move(row));
  }
  return {{"columns", std::move(columns)}, {"rows", std::move(rows)}, {"rowsLeftOut", table.rowsLeftOut}};
}

Json written(const ReviewPage& page) {
  Json json{{"title", validUtf8(page.title)},
            {"source", validUtf8(page.source)},
            {"remark", validUtf8(page.remark)},
            {"note", validUtf8(page.note)}};
  if (const auto* table = std::get_if<ReviewTable>(&page.content)) json["table"] = written(*table);
  if (const auto* picture = std::get_if<ReviewPicture>(&page.content)) {
    json["picture"] = {{"svg", validUtf8(picture->svg)},
                       {"width", picture->width},
                       {"height", picture->height},
                       {"holdsContents", picture->holdsContents}};
    if (!picture->redactedSvg.empty()) json["picture"]["redactedSvg"] = validUtf8(picture->redactedSvg);
  }
  return json;
}

Result<std::string> text(const Json& object, const char* key, std::size_t limit) {
  const auto found = object.find(key);
  if (found == object.end()) return std::string();
  if (!found->is_string()) return damaged(fmt::format("\"{}\" is no text", key));
  const std::string& value = found->get_ref<const std::string&>();
  if (value.size() > limit) return damaged(fmt::format("\"{}\" is too long", key));
  return value;
}

Result<bool> truth(const Json& object, const char* key) {
  const auto found = object.find(key);
  // Whoever does not say that there are none may well have some.
  if (found == object.end()) return true;
  if (!found->is_boolean()) return damaged(fmt::format("\"{}\" is neither true nor false", key));
  return found->get<bool>();
}

Result<std::int64_t> parsedNumber(const Json& json) {
  if (!json.is_number_integer()) return damaged("a number is none");
  if (json.is_number_unsigned() && json.get<std::uint64_t>() > INT64_MAX) return damaged("a number is too large");
  return json.get<std::int64_t>();
}

/// With what stands in its place when redacted.
Result<ReviewCell> parsedRedactedCell(const Json& json) {
  ReviewCell cell;
  HEAPSCAPE_TRY(cell.text, text(json, "text", kBoardLimits.cellBytes));
  HEAPSCAPE_TRY(cell.redacted, text(json, "redacted", kBoardLimits.cellBytes));
  if (json.contains("number")) {
    HEAPSCAPE_TRY(cell.number, parsedNumber(json["number"]));
  }
  return cell;
}

Result<ReviewCell> parsedCell(const Json& json) {
  if (json.is_object()) return parsedRedactedCell(json);
  const bool hasNumber = json.is_array() && json.size() == 2 && json[0].is_string();
  if (!json.is_string() && !hasNumber) return damaged("a cell is neither text nor a number with its text");
  const std::string& shown = (hasNumber ? json[0] : json).get_ref<const std::string&>();
  if (shown.size() > kBoardLimits.cellBytes) return damaged("a cell is too long");
  ReviewCell cell{shown};
  if (hasNumber) {
    HEAPSCAPE_TRY(cell.number, parsedNumber(json[1]));
  }
  return cell;
}

Result<ReviewColumn> parsedColumn(const Json& json) {
  if (!json.is_object()) return damaged("a column is none");
  ReviewColumn column;
  HEAPSCAPE_TRY(column.title, text(json, "title", kBoardLimits.cellBytes));
  HEAPSCAPE_TRY(const std::string kind, text(json, "kind", kBoardLimits.cellBytes));
  HEAPSCAPE_TRY(column.holdsContents, truth(json, "holdsContents"));
  const auto named = std::ranges::find(kKindNames, kind, &EnumName<ColumnKind>::name);
  if (named != kKindNames.end()) column.kind = named->value;
  return column;
}

Result<ReviewTable> parsedTable(const Json& json) {
  if (!json.is_object() || !json.contains("columns") || !json.contains("rows")) return damaged("a table has no rows");
  const Json& columns = json["columns"];
  const Json& rows = json["rows"];
  if (!columns.is_array() || !rows.is_array()) return damaged("a table has no rows");
  if (columns.size() > kBoardLimits.columns) return damaged("a table has too many columns");
  if (rows.size() > kBoardLimits.rows) return damaged("a table has too many rows");
  ReviewTable table;
  for (const Json& column : columns) {
    HEAPSCAPE_TRY(ReviewColumn parsed, parsedColumn(column));
    table.columns.push_back(std::move(parsed));
  }
  for (const Json& row : rows) {
    if (!row.is_array() || row.size() != columns.size()) return damaged("a row has not a cell for each column");
    std::vector<ReviewCell>& cells = table.rows.emplace_back();
    for (const Json& cell : row) {
      HEAPSCAPE_TRY(ReviewCell parsed, parsedCell(cell));
      cells.push_back(std::move(parsed));
    }
  }
  if (const auto leftOut = json.find("rowsLeftOut"); leftOut != json.end()) {
    if (!leftOut->is_number_unsigned()) return damaged("the number of rows left out is none");
    table.rowsLeftOut = leftOut->get<std::uint64_t>();
  }
  return table;
}

Result<ReviewPicture> parsedPicture(const Json& json) {
  if (!json.is_object()) return damaged("a picture is none");
  HEAPSCAPE_TRY(const std::string svg, text(json, "svg", kLargestDrawing));
  ReviewPicture picture;
  HEAPSCAPE_TRY(picture.svg, checkedDrawing(svg));
  HEAPSCAPE_TRY(picture.holdsContents, truth(json, "holdsContents"));
  HEAPSCAPE_TRY(const std::string redactedSvg, text(json, "redactedSvg", kLargestDrawing));
  if (!redactedSvg.empty()) {
    HEAPSCAPE_TRY(picture.redactedSvg, checkedDrawing(redactedSvg));
  }
  for (const auto& [key, value] : {std::pair{"width", &picture.width}, std::pair{"height", &picture.height}}) {
    const auto found = json.find(key);
    if (found == json.end() || !found->is_number()) return damaged("a picture has no size");
    *value = found->get<double>();
    if (!(*value > 0) || *value > kLargestPicture) return damaged("a picture has no size");
  }
  return picture;
}

Result<ReviewPage> parsedPage(const Json& json) {
  if (!json.is_object()) return damaged("a page is none");
  ReviewPage page;
  HEAPSCAPE_TRY(page.title, text(json, "title", kBoardLimits.cellBytes));
  HEAPSCAPE_TRY(page.source, text(json, "source", kBoardLimits.cellBytes));
  HEAPSCAPE_TRY(page.remark, text(json, "remark", kBoardLimits.noteBytes));
  HEAPSCAPE_TRY(page.note, text(json, "note", kBoardLimits.noteBytes));
  if (json.contains("table")) {
    HEAPSCAPE_TRY(page.content, parsedTable(json["table"]));
  } else if (json.contains("picture")) {
    HEAPSCAPE_TRY(page.content, parsedPicture(json["picture"]));
  }
  return page;
}

Result<ReviewBoard> parsedBoard(const Json& json) {
  if (!json.is_object() || json.value("schema", Json()) != kSchema) {
    return failure(ErrorCode::Damaged, "This is no review of Heapscape.",
                   fmt::format("Its files begin with \"schema\": \"{}\".", kSchema));
  }
  ReviewBoard board;
  HEAPSCAPE_TRY(board.title, text(json, "title", kBoardLimits.cellBytes));
  HEAPSCAPE_TRY(board.dump, text(json, "dump", kBoardLimits.cellBytes));
  HEAPSCAPE_TRY(board.summary, text(json, "summary", kBoardLimits.cellBytes));
  const auto pages = json.find("pages");
  if (pages == json.end() || !pages->is_array()) return damaged("it has no pages");
  if (pages->size() > kBoardLimits.pages) return damaged("it has too many pages");
  for (const Json& page : *pages) {
    HEAPSCAPE_TRY(ReviewPage parsed, parsedPage(page));
    board.pages.push_back(std::move(parsed));
  }
  return board;
}

}  // namespace

std::string writtenBoard(const ReviewBoard& board) {
  Json pages = Json::array();
  for (const ReviewPage& page : board.pages) pages.push_back(written(page));
  const Json json{{"schema", kSchema},
                  {"title", validUtf8(board.title)},
                  {"dump", validUtf8(board.dump)},
                  {"summary", validUtf8(board.summary)},
                  {"pages", std::move(pages)}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<ReviewBoard> parseBoard(std::string_view text) {
  if (text.size() > kBoardLimits.fileBytes) return damaged("it is too large");
  bool isTooDeep = false;
  const auto watch = [&isTooDeep](int depth, Json::parse_event_t, const Json&) {
    isTooDeep = isTooDeep || depth > kDeepestJson;
    return !isTooDeep;
  };
  const Json json = Json::parse(text, watch, false);
  if (isTooDeep || json.is_discarded()) return damaged("it is no JSON document");
  return parsedBoard(json);
}

bool looksLikeBoard(const std::filesystem::path& path) {
  const auto opened = openRegularFile(path, {});
  if (!opened) return false;
  std::array<char, kLookedAt> bytes;
  const ssize_t taken = ::pread(opened->file.get(), bytes.data(), bytes.size(), 0);
  std::string_view begin(bytes.data(), static_cast<std::size_t>(std::max<ssize_t>(taken, 0)));
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (begin.starts_with(kByteOrderMark)) begin.remove_prefix(kByteOrderMark.size());
  const std::size_t first = begin.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && begin[first] == '{';
}

Result<void> saveBoard(const ReviewBoard& board, const std::filesystem::path& path) {
  return writeWholeFile(path, writtenBoard(board));
}

Result<ReviewBoard> loadBoard(const std::filesystem::path& path) {
  HEAPSCAPE_TRY(const std::string text, readWholeFile(path, kBoardLimits.fileBytes));
  return parseBoard(text);
}

}  // namespace heapscape::engine
