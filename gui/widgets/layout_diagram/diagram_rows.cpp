// SPDX-License-Identifier: MIT
#include "widgets/layout_diagram/diagram_rows.h"

#include <algorithm>

namespace heapscape::gui {

using engine::LayoutItem;
using engine::LayoutItems;

namespace {

constexpr std::int64_t kFewRows = 4;  // alike, that are not worth folding

std::int64_t rowOf(std::int64_t offset) {
  return offset >= 0 ? offset / kRowBytes : -((-offset + kRowBytes - 1) / kRowBytes);
}

void collectRows(const LayoutItems& items, const std::vector<std::uint32_t>& siblings, const std::vector<bool>& isOpen,
                 std::vector<std::int64_t>& rows) {
  for (const std::uint32_t number : siblings) {
    const LayoutItem& item = items[number];
    if (item.sizeBytes() <= 0) continue;
    rows.push_back(rowOf(item.begin));
    rows.push_back(rowOf(item.end - 1));
    if (isOpen[number]) collectRows(items, item.children, isOpen, rows);
  }
}

}  // namespace

std::vector<DiagramRow> divideIntoRows(const LayoutItems& items, const std::vector<bool>& isOpen, bool isBar) {
  return divideIntoRows({DiagramSource{&items, &isOpen}}, isBar);
}

std::vector<DiagramRow> divideIntoRows(const std::vector<DiagramSource>& sources, bool isBar) {
  std::int64_t begin = sources.front().items->begin;
  std::int64_t end = begin;
  for (const DiagramSource& source : sources) {
    begin = std::min(begin, source.items->begin);
    end = std::max(end, source.items->end);
  }
  if (end <= begin) return {};
  if (isBar) return {{begin, end, {}, false}};
  std::vector<std::int64_t> marked{rowOf(begin), rowOf(end - 1)};
  for (const DiagramSource& source : sources) {
    if (source.items->end > source.items->begin) marked.push_back(rowOf(source.items->end - 1));
    collectRows(*source.items, source.items->roots, *source.isOpen, marked);
  }
  std::ranges::sort(marked);
  marked.erase(std::unique(marked.begin(), marked.end()), marked.end());

  std::vector<DiagramRow> rows;
  const auto addRow = [&rows](std::int64_t row) {
    rows.push_back({row * kRowBytes, (row + 1) * kRowBytes, {}, false});
  };
  for (std::size_t index = 0; index < marked.size(); ++index) {
    addRow(marked[index]);
    if (index + 1 == marked.size()) break;
    const std::int64_t first = marked[index] + 1;
    const std::int64_t next = marked[index + 1];
    if (next - first > kFewRows) {
      rows.push_back({first * kRowBytes, next * kRowBytes, {}, true});
    } else {
      for (std::int64_t row = first; row < next; ++row) addRow(row);
    }
  }
  return rows;
}

}  // namespace heapscape::gui
