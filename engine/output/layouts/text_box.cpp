// SPDX-License-Identifier: MIT
#include "output/layouts/text_box.h"

#include <algorithm>
#include <utility>

#include "output/text.h"

namespace heapscape::engine {

namespace {

constexpr std::string_view kRowStart = "| ";
constexpr std::string_view kBoxStart = "|   ";
constexpr std::string_view kEnd = " |";

std::string padded(std::string_view text, std::size_t width) {
  std::string line(text);
  line.append(width - std::min(width, textWidth(text)), ' ');
  return line;
}

std::string rule(char character, const std::string& title, std::size_t width) {
  std::string line = "|";
  if (!title.empty()) line += std::string(2, character) + ' ' + title + ' ';
  line.append(width - textWidth(line) - 1, character);
  return line + '|';
}

}  // namespace

void TextBox::addRow(std::string text) {
  m_items.push_back({0, std::move(text), {}});
}

void TextBox::addBox(TextBox box) {
  m_items.push_back({0, {}, {std::move(box)}});
}

void TextBox::addRule(char character, std::string title) {
  m_items.push_back({character, std::move(title), {}});
}

std::vector<std::string> TextBox::draw(std::size_t minimumWidth) const {
  const std::size_t total = std::max(minimumWidth, width());
  std::vector<std::string> lines;
  for (const Item& item : m_items) {
    if (item.rule) {
      lines.push_back(rule(item.rule, item.text, total));
    } else if (item.box.empty()) {
      const std::size_t inner = total - kRowStart.size() - kEnd.size();
      lines.push_back(std::string(kRowStart) + padded(item.text, inner) + std::string(kEnd));
    } else {
      const std::size_t inner = total - kBoxStart.size() - kEnd.size();
      for (const std::string& line : item.box.front().draw(inner)) {
        lines.push_back(std::string(kBoxStart) + line + std::string(kEnd));
      }
    }
  }
  return lines;
}

std::size_t TextBox::width() const {
  std::size_t widest = 0;
  for (const Item& item : m_items) {
    std::size_t needed = textWidth(item.text) + kRowStart.size() + kEnd.size();
    if (item.rule && !item.text.empty()) needed = textWidth(item.text) + 6;
    if (!item.box.empty()) needed = item.box.front().width() + kBoxStart.size() + kEnd.size();
    widest = std::max(widest, needed);
  }
  return widest;
}

}  // namespace heapscape::engine
