// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>

namespace heapscape::cli {

/// The rows of an answer that were asked for.
struct McpPage {
  std::size_t offset = 0;
  std::size_t limit = 50;
};

/// Leaves of the array `member` the rows of the page. Where there are more, "next_offset" says where they begin.
void keepPage(nlohmann::json& answer, const std::string& member, const McpPage& page);

/// Makes an answer no longer than `mostBytes` of text: it shortens the page, then lists inside rows, then texts, and
/// says in "left_out" what it did. Whatever it is given, it ends.
std::string boundedText(nlohmann::json& answer, const std::string& member, const McpPage& page, std::size_t mostBytes);

}  // namespace heapscape::cli
