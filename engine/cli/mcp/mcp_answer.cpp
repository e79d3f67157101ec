// SPDX-License-Identifier: MIT
#include "cli/mcp/mcp_answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace heapscape::cli {
namespace {

using nlohmann::json;

constexpr const char* kNext = "next_offset";
constexpr const char* kLeftOut = "left_out";
constexpr std::array<std::size_t, 6> kListLengths{200, 50, 20, 10, 5, 2};
constexpr std::size_t kTextLength = 200;

std::string written(const json& answer) {
  return answer.dump(-1, ' ', false, json::error_handler_t::replace);
}

/// Shortens lists below `value`, and texts where `textLength` is not 0; notes what was left out.
void shorten(json& value, std::size_t listLength, std::size_t textLength, const std::string& path, json& notes) {
  constexpr std::size_t kMostNotes = 20;
  const auto note = [&](const std::string& what) {
    if (notes.size() < kMostNotes) notes.push_back(what);
  };
  if (value.is_array()) {
    if (value.size() > listLength) {
      note(fmt::format("{}: {} of {}", path, listLength, value.size()));
      value.erase(value.begin() + static_cast<std::ptrdiff_t>(listLength), value.end());
    }
    for (std::size_t i = 0; i < value.size(); ++i)
      shorten(value[i], listLength, textLength, fmt::format("{}[{}]", path, i), notes);
  } else if (value.is_object()) {
    for (auto& [name, part] : value.items())
      shorten(part, listLength, textLength, path.empty() ? name : path + "." + name, notes);
  } else if (textLength && value.is_string() && value.get_ref<const std::string&>().size() > textLength) {
    auto& text = value.get_ref<std::string&>();
    note(fmt::format("{}: {} of {} bytes", path, textLength, text.size()));
    std::size_t end = textLength;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;  // not inside a character
    text.resize(end);
  }
}

}  // namespace

void keepPage(json& answer, const std::string& member, const McpPage& page) {
  if (member.empty() || !answer.contains(member) || !answer[member].is_array()) return;
  json& rows = answer[member];
  const std::size_t first = std::min(page.offset, rows.size());
  const std::size_t last = first + std::min(page.limit, rows.size() - first);
  if (last < rows.size()) answer[kNext] = last;
  rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(last), rows.end());
  rows.erase(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(first));
}

std::string boundedText(json& answer, const std::string& member, const McpPage& page, std::size_t mostBytes) {
  std::string text = written(answer);
  if (text.size() <= mostBytes) return text;
  const bool hasRows = !member.empty() && answer.contains(member) && answer[member].is_array();
  const json whole = answer;
  // Lists inside rows first: a person can ask for a row by itself, and for more rows.
  for (const std::size_t length : kListLengths) {
    answer = whole;
    json notes = json::array();
    for (auto& [name, part] : answer.items()) {
      if (hasRows && name == member)
        for (std::size_t i = 0; i < part.size(); ++i)
          shorten(part[i], length, 0, fmt::format("{}[{}]", name, i), notes);
      else
        shorten(part, length, 0, name, notes);
    }
    if (!notes.empty()) answer[kLeftOut] = std::move(notes);
    text = written(answer);
    if (text.size() <= mostBytes) return text;
  }
  while (hasRows && answer[member].size() > 1) {
    json& rows = answer[member];
    rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(rows.size() / 2), rows.end());
    answer[kNext] = page.offset + rows.size();
    text = written(answer);
    if (text.size() <= mostBytes) return text;
  }
  json notes = answer.value(kLeftOut, json::array());
  shorten(answer, kListLengths.back(), kTextLength, {}, notes);
  answer[kLeftOut] = std::move(notes);
  text = written(answer);
  if (text.size() <= mostBytes) return text;
  answer = {{kLeftOut, {"the answer, which is too long"}}};
  return written(answer);
}

}  // namespace heapscape::cli
