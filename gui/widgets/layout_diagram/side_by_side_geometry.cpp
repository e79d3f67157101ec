// SPDX-License-Identifier: MIT
#include "widgets/layout_diagram/side_by_side_geometry.h"

#include <fmt/format.h>
#include <algorithm>
#include <iterator>
#include <utility>

namespace heapscape::gui {

using engine::LayoutItem;
using engine::LayoutItems;
using engine::LayoutPart;

namespace {

std::string nameOf(const LayoutItem& item, std::size_t column, std::uint32_t number) {
  switch (item.part) {
    case LayoutPart::Padding:
      return fmt::format("padding {} {}", column, number);
    case LayoutPart::Header:
      return "header";
    case LayoutPart::MethodTable:
      return "method table";
    case LayoutPart::Unused:
      return "unused";
    case LayoutPart::Repeated:
      return "repeated " + item.declaringType;
    case LayoutPart::Field:
    case LayoutPart::Element:
      break;
  }
  return item.declaringType + "::" + item.name;
}

}  // namespace

FieldMatches::FieldMatches(const std::vector<const LayoutItems*>& columns) {
  for (const LayoutItems* items : columns) addColumn(*items);
  for (std::size_t column = 0; column < columns.size(); ++column) {
    m_items.emplace_back(m_keys.size(), LayoutItem::kNoItem);
    for (std::uint32_t item = 0; item < m_fields[column].size(); ++item) m_items[column][m_fields[column][item]] = item;
  }
}

void FieldMatches::addColumn(const LayoutItems& items) {
  const std::size_t column = m_fields.size();
  std::vector<std::uint32_t> fields;
  std::unordered_map<std::string, std::uint32_t> seen;  // the same name twice is told apart by its turn
  fields.reserve(items.items.size());
  for (std::uint32_t number = 0; number < items.items.size(); ++number) {
    const LayoutItem& item = items[number];
    // Parents come before their children.
    const std::string holder = item.parent == LayoutItem::kNoItem ? std::string() : m_keys[fields[item.parent]];
    const std::string key = holder + '/' + nameOf(item, column, number);
    const std::uint32_t turn = seen[key]++;
    fields.push_back(numberOf(turn == 0 ? key : fmt::format("{} #{}", key, turn)));
  }
  m_fields.push_back(std::move(fields));
}

std::uint32_t FieldMatches::numberOf(const std::string& key) {
  const auto [entry, isNew] = m_numbers.try_emplace(key, count());
  if (isNew) m_keys.push_back(key);
  return entry->second;
}

std::uint32_t FieldMatches::itemOf(std::size_t column, std::uint32_t field) const {
  return column < m_items.size() && field < m_items[column].size() ? m_items[column][field] : LayoutItem::kNoItem;
}

std::uint32_t FieldMatches::find(const std::string& key) const {
  const auto found = m_numbers.find(key);
  return found == m_numbers.end() ? kNone : found->second;
}

using engine::LayoutItem;
using engine::LayoutItems;

namespace {

constexpr double kCurveMargin = 3;     // between a curve's end and the bytes
constexpr double kShareMargin = 0.14;  // of a row's height, that curves keep from its edges

void shift(DiagramGeometry& geometry, const QPointF& by) {
  for (DiagramRow& row : geometry.rows) row.rect.translate(by);
  for (DiagramBox& box : geometry.boxes) {
    for (QRectF& part : box.parts) part.translate(by);
  }
  for (DiagramCallout& callout : geometry.callouts) {
    callout.from += by;
    callout.to += by;
    callout.label.translate(by);
  }
  for (DiagramBracket& bracket : geometry.brackets) {
    bracket.from += by;
    bracket.to += by;
    bracket.label.translate(by);
  }
  geometry.bytes.translate(by);
}

class SideBySideBuilder {
 public:
  SideBySideBuilder(const std::vector<DiagramSource>& columns, const FieldMatches& matches,
                    const SideBySideMetrics& metrics)
      : m_columns(columns), m_matches(matches), m_metrics(metrics) {}

  SideBySideGeometry build() {
    std::vector<DiagramSource> drawn;
    std::ranges::copy_if(m_columns, std::back_inserter(drawn), [](const DiagramSource& c) { return !c.isChip; });
    if (drawn.empty()) return {};
    const std::vector<DiagramRow> rows = divideIntoRows(drawn, m_metrics.diagram.isBar);
    if (m_metrics.diagram.isBar) {
      placeBars(rows);
    } else {
      placeColumns(rows);
    }
    std::optional<std::size_t> before;
    for (std::size_t column = 0; column < m_columns.size(); ++column) {
      if (m_columns[column].isChip) continue;
      if (before) placeCurves(*before, column);
      before = column;
    }
    return std::move(m_geometry);
  }

 private:
  std::vector<double> sharedHeights(const std::vector<DiagramRow>& rows) const {
    std::vector<double> heights(rows.size(), m_metrics.diagram.lineHeight);
    for (const DiagramSource& column : m_columns) {
      if (column.isChip) continue;
      const std::vector<double> own = measureRows(*column.items, *column.isOpen, rows, m_metrics.diagram);
      for (std::size_t row = 0; row < rows.size(); ++row) heights[row] = std::max(heights[row], own[row]);
    }
    return heights;
  }

  void placeColumns(const std::vector<DiagramRow>& rows) {
    const std::vector<double> heights = sharedHeights(rows);
    const double width = static_cast<double>(kRowBytes) * m_metrics.diagram.byteWidth;
    double left = m_metrics.diagram.gutterWidth;  // of the next bytes
    double end = m_metrics.diagram.gap - m_metrics.chipGap;
    bool isFirst = true;  // whose offsets are written beside it
    for (const DiagramSource& column : m_columns) {
      if (column.isChip) {
        end = placeChip({end + m_metrics.chipGap, m_metrics.diagram.gap});
        left = end + m_metrics.chipGap + (isFirst ? m_metrics.diagram.gutterWidth : 0);
        continue;
      }
      DiagramGeometry geometry = layOutInRows(*column.items, *column.isOpen, rows, heights, m_metrics.diagram);
      const double x = left - m_metrics.diagram.gutterWidth;
      shift(geometry, {x, m_metrics.headHeight});
      m_geometry.heads.emplace_back(left, m_metrics.diagram.gap, width, m_metrics.headHeight - m_metrics.diagram.gap);
      grow({x + geometry.size.width(), m_metrics.headHeight + geometry.size.height()});
      end = geometry.bytes.right() + (m_metrics.diagram.showsLevels ? m_metrics.diagram.bracketWidth : 0);
      left = end + m_metrics.curveGutter;
      isFirst = false;
      m_geometry.columns.push_back(std::move(geometry));
    }
  }

  // Returns its right edge.
  double placeChip(const QPointF& at) {
    const QRectF& head = m_geometry.heads.emplace_back(at, QSizeF(m_metrics.chipWidth, m_metrics.chipHeight));
    m_geometry.columns.emplace_back();
    grow({head.right() + m_metrics.diagram.gap, head.bottom()});
    return head.right();
  }

  void grow(const QSizeF& size) { m_geometry.size = m_geometry.size.expandedTo(size); }

  void placeBars(const std::vector<DiagramRow>& rows) {
    const bool hasChips = std::ranges::any_of(m_columns, &DiagramSource::isChip);
    double chipsEnd = m_metrics.diagram.gap - m_metrics.chipGap;
    double y = hasChips ? m_metrics.diagram.gap + m_metrics.chipHeight : 0;
    bool isFirst = true;
    for (const DiagramSource& column : m_columns) {
      if (column.isChip) {
        chipsEnd = placeChip({chipsEnd + m_metrics.chipGap, m_metrics.diagram.gap});
        continue;
      }
      DiagramMetrics metrics = m_metrics.diagram;
      if (!std::exchange(isFirst, false)) metrics.rulerHeight = 0;  // one ruler serves them all
      std::vector<double> heights = measureRows(*column.items, *column.isOpen, rows, metrics);
      for (double& height : heights) height = std::max(height, m_metrics.headHeight);
      DiagramGeometry geometry = layOutInRows(*column.items, *column.isOpen, rows, heights, metrics);
      shift(geometry, {m_metrics.headWidth, y});
      m_geometry.heads.emplace_back(metrics.gap, geometry.bytes.top(), m_metrics.headWidth - metrics.gap,
                                    m_metrics.headHeight);
      grow({m_metrics.headWidth + geometry.size.width(), y + geometry.size.height()});
      y = geometry.bytes.bottom() + m_metrics.curveGutter - metrics.gap;
      m_geometry.columns.push_back(std::move(geometry));
    }
  }

  // Where a curve leaves or reaches a field: at the edge of the bytes, as far down in the row as the field is across,
  // so that the fields of one row get ends of their own.
  QPointF endOf(std::size_t column, const DiagramBox& box, bool isFrom) const {
    const DiagramGeometry& geometry = m_geometry.columns[column];
    const QRectF& part = box.parts.front();
    if (m_metrics.diagram.isBar) {
      const double y = isFrom ? geometry.bytes.bottom() + kCurveMargin : geometry.bytes.top() - kCurveMargin;
      return {part.center().x(), y};
    }
    const double across = (part.center().x() - geometry.bytes.left()) / geometry.bytes.width();
    const double share = box.isOverlapping ? 0.5 : std::clamp(across, kShareMargin, 1 - kShareMargin);
    const double x = isFrom ? geometry.bytes.right() + kCurveMargin : geometry.bytes.left() - kCurveMargin;
    return {x, part.top() + share * part.height()};
  }

  std::vector<const DiagramBox*> boxesByItem(std::size_t column) const {
    std::vector<const DiagramBox*> boxes(m_columns[column].items->items.size());
    for (const DiagramBox& box : m_geometry.columns[column].boxes) boxes[box.item] = &box;
    return boxes;
  }

  // A field inside a value that has moved as a whole has not moved by itself.
  bool hasMoved(const LayoutItem& left, const LayoutItem& right, const LayoutItems& lefts,
                const LayoutItems& rights) const {
    const std::int64_t leftStart = left.parent == LayoutItem::kNoItem ? 0 : lefts[left.parent].begin;
    const std::int64_t rightStart = right.parent == LayoutItem::kNoItem ? 0 : rights[right.parent].begin;
    return left.begin - leftStart != right.begin - rightStart;
  }

  void placeCurves(std::size_t column, std::size_t next) {
    const LayoutItems& lefts = *m_columns[column].items;
    const LayoutItems& rights = *m_columns[next].items;
    const std::vector<const DiagramBox*> toBoxes = boxesByItem(next);
    for (const DiagramBox& box : m_geometry.columns[column].boxes) {
      const std::uint32_t field = m_matches.fieldOf(column, box.item);
      const std::uint32_t other = m_matches.itemOf(next, field);
      if (other == LayoutItem::kNoItem || !toBoxes[other]) continue;
      if (!hasMoved(lefts[box.item], rights[other], lefts, rights)) continue;
      m_geometry.curves.push_back({column, field, endOf(column, box, true), endOf(next, *toBoxes[other], false)});
    }
  }

  const std::vector<DiagramSource>& m_columns;
  const FieldMatches& m_matches;
  const SideBySideMetrics& m_metrics;
  SideBySideGeometry m_geometry;
};

}  // namespace

SideBySideGeometry layOutSideBySide(const std::vector<DiagramSource>& columns, const FieldMatches& matches,
                                    const SideBySideMetrics& metrics) {
  return SideBySideBuilder(columns, matches, metrics).build();
}

std::optional<SideBySideSpot> spotAt(const SideBySideGeometry& geometry, const QPointF& point) {
  for (std::size_t column = 0; column < geometry.columns.size(); ++column) {
    if (const DiagramBox* box = boxAt(geometry.columns[column], point)) return SideBySideSpot{column, box->item};
  }
  return std::nullopt;
}

}  // namespace heapscape::gui
