// SPDX-License-Identifier: MIT
#include "print/page_flow.h"

namespace heapscape::gui {
namespace {

class Flow {
 public:
  Flow(std::span<const FlowItem> items, double sheetHeight) : m_items(items), m_sheetHeight(sheetHeight) {}

  std::vector<FlowPlace> run() {
    for (std::size_t first = 0; first < m_items.size();) {
      std::size_t end = first + 1;
      while (end < m_items.size() && m_items[end - 1].keepsWithNext) ++end;
      if (m_y > 0 && m_y + heightOf(first, end) > m_sheetHeight) turn(first);
      for (; first < end; ++first) {
        // What is to be kept together may be higher than a sheet.
        if (m_y > 0 && m_y + spaceBefore(first) + m_items[first].height > m_sheetHeight) turn(first);
        place(first);
      }
    }
    return std::move(m_places);
  }

 private:
  double spaceBefore(std::size_t item) const { return m_y > 0 ? m_items[item].spaceBefore : 0; }

  double heightOf(std::size_t first, std::size_t end) const {
    double height = 0;
    for (std::size_t item = first; item < end; ++item) {
      height += m_items[item].height + (item > first || m_y > 0 ? m_items[item].spaceBefore : 0);
    }
    return height;
  }

  void turn(std::size_t next) {
    ++m_sheet;
    m_y = 0;
    if (const auto heading = m_items[next].heading) place(*heading);
  }

  void place(std::size_t item) {
    m_y += spaceBefore(item);
    m_places.push_back({item, m_sheet, m_y});
    m_y += m_items[item].height;
  }

  std::span<const FlowItem> m_items;
  double m_sheetHeight;
  std::vector<FlowPlace> m_places;
  std::size_t m_sheet = 0;
  double m_y = 0;
};

}  // namespace

std::vector<FlowPlace> flowed(std::span<const FlowItem> items, double sheetHeight) {
  return Flow(items, sheetHeight).run();
}

}  // namespace heapscape::gui
