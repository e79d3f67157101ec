// SPDX-License-Identifier: MIT
#include "widgets/layout_diagram/diagram_rows.h"

#include <algorithm>

namespace heapscape::gui {
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
  if (items.end <= items.begin) return {};
  if (isBar) return {{items.begin, items.end, {}, false}};
  std::vector<std::int64_t> marked{rowOf(items.begin), rowOf(items.end - 1)};
  collectRows(items, items.roots, isOpen, marked);
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
