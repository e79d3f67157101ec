// SPDX-License-Identifier: MIT
#include "widgets/layout_diagram/layout_diagram_geometry.h"

#include <algorithm>
#include <map>

namespace heapscape::gui {

using engine::LayoutItem;
using engine::LayoutPart;

std::optional<std::int64_t> crossesCacheLine(std::int64_t begin, std::int64_t end) {
  // Offsets before the object are those of its header; −8 belongs to the line before.
  const std::int64_t shifted = begin + kCacheLineBytes;
  const std::int64_t next = (shifted / kCacheLineBytes + 1) * kCacheLineBytes - kCacheLineBytes;
  if (next >= end) return std::nullopt;
  return next;
}

std::optional<std::int64_t> straddles(const LayoutItem& item) {
  const bool isValue = item.part == LayoutPart::Field || item.part == LayoutPart::Element;
  if (!isValue || item.sizeBytes() > kCacheLineBytes) return std::nullopt;
  return crossesCacheLine(item.begin, item.end);
}

using engine::LayoutItem;
using engine::LayoutItems;

namespace {

/// Neighbours whose bytes overlap, directly or through others; each lane holds some that do not.
struct OverlapCluster {
  std::vector<std::vector<std::uint32_t>> lanes;
};

/// Most clusters are one item in one lane. `siblings` must be sorted by begin.
std::vector<OverlapCluster> clusterOverlaps(const LayoutItems& items, const std::vector<std::uint32_t>& siblings) {
  std::vector<OverlapCluster> clusters;
  std::int64_t clusterEnd = items.begin;
  for (const std::uint32_t number : siblings) {
    const LayoutItem& item = items[number];
    if (clusters.empty() || item.begin >= clusterEnd) clusters.emplace_back();
    auto& lanes = clusters.back().lanes;
    const auto free =
        std::ranges::find_if(lanes, [&](const auto& lane) { return items[lane.back()].end <= item.begin; });
    if (free != lanes.end()) {
      free->push_back(number);
    } else {
      lanes.push_back({number});
    }
    clusterEnd = std::max(clusterEnd, item.end);
  }
  return clusters;
}

/// Heights that something needs in the rows from `first` on.
struct Heights {
  std::size_t first = 0;
  std::vector<double> byRow;

  double at(std::size_t row) const { return row >= first && row - first < byRow.size() ? byRow[row - first] : 0; }
};

/// The room of a frame in the rows from `first` on.
struct Bands {
  std::size_t first = 0;
  std::vector<QRectF> byRow;
  const QRectF& at(std::size_t row) const { return byRow[row - first]; }
};

class DiagramBuilder {
 public:
  DiagramBuilder(const LayoutItems& items, const std::vector<bool>& isOpen, std::vector<DiagramRow> rows,
                 const DiagramMetrics& metrics)
      : m_items(items), m_isOpen(isOpen), m_metrics(metrics), m_needs(items.items.size()) {
    m_geometry.rows = std::move(rows);
  }

  std::vector<double> measureRows() {
    if (rows().empty()) return {};
    std::vector<double> heights = measureSiblings(m_items.roots, 0, rows().size()).byRow;
    m_strips.assign(rows().size(), 0);
    if (m_metrics.nameWidth) {
      for (std::size_t row = 0; row < m_strips.size(); ++row) heights[row] += measureStrip(row);
    }
    return heights;
  }

  /// After measureRows().
  DiagramGeometry build(const std::vector<double>& heights) {
    if (rows().empty()) return {};
    Bands bands{0, placeRows(heights)};
    placeSiblings(m_items.roots, bands);
    placeBrackets();
    placeCallouts();
    return std::move(m_geometry);
  }

 private:
  const std::vector<DiagramRow>& rows() const { return m_geometry.rows; }

  std::size_t rowAt(std::int64_t offset) const {
    const auto behind = std::ranges::upper_bound(rows(), offset, {}, &DiagramRow::begin);
    return behind == rows().begin() ? 0 : static_cast<std::size_t>(behind - rows().begin()) - 1;
  }
  std::size_t firstRow(const LayoutItem& item) const { return rowAt(item.begin); }
  std::size_t lastRow(const LayoutItem& item) const { return rowAt(std::max(item.begin, item.end - 1)); }

  const std::vector<OverlapCluster>& clustersOf(const std::vector<std::uint32_t>& siblings) {
    const auto [entry, isNew] = m_clusters.try_emplace(&siblings);
    if (isNew) entry->second = clusterOverlaps(m_items, siblings);
    return entry->second;
  }

  // Each row as high as the neediest cluster in it; a cluster's lanes stand one below the other.
  Heights measureSiblings(const std::vector<std::uint32_t>& siblings, std::size_t first, std::size_t end) {
    Heights heights{first, std::vector<double>(end - first, m_metrics.lineHeight)};
    for (const OverlapCluster& cluster : clustersOf(siblings)) {
      std::map<std::size_t, double> sums;
      for (const auto& lane : cluster.lanes) {
        std::map<std::size_t, double> laneHeights;
        for (const std::uint32_t number : lane) {
          measure(number);
          const Heights& need = m_needs[number];
          for (std::size_t at = 0; at < need.byRow.size(); ++at) {
            double& height = laneHeights[need.first + at];
            height = std::max(height, need.byRow[at]);
          }
        }
        for (const auto& [row, height] : laneHeights) sums[row] += height;
      }
      for (const auto& [row, height] : sums) {
        double& most = heights.byRow[row - first];
        most = std::max(most, height);
      }
    }
    return heights;
  }

  void measure(std::uint32_t number) {
    const LayoutItem& item = m_items[number];
    const std::size_t first = firstRow(item);
    const std::size_t end = lastRow(item) + 1;
    Heights need{first, {}};
    if (!m_isOpen[number]) {
      need.byRow.assign(end - first, m_metrics.lineHeight);
      if (m_metrics.nameWidth && end - first == 1 && isTooThin(item)) m_thin[first].push_back(number);
    } else {
      need = measureSiblings(item.children, first, end);
      need.byRow.front() += m_metrics.captionHeight;
      need.byRow.back() += m_metrics.inset;
    }
    m_needs[number] = std::move(need);
  }

  // Of what fills a row the name is shortened, which leaves more of it than any room beside it.
  bool isTooThin(const LayoutItem& item) const {
    if (item.part != LayoutPart::Field && item.part != LayoutPart::Element) return false;
    if (item.overlaps || (!m_metrics.isBar && item.sizeBytes() >= kRowBytes)) return false;
    return m_metrics.nameWidth(item) > static_cast<double>(item.sizeBytes()) * m_metrics.byteWidth;
  }

  // A name below its box: the line comes down to it at `at`, from the left edge of the bytes.
  struct Hanging {
    std::uint32_t item = 0;
    double at = 0;
    double begin = 0;
    double end = 0;
    std::size_t line = 0;
  };

  // From right to left, each name at its line and right of it, so far down that no line crosses a name. A name that
  // would run out of the room is shifted left, as far as the line before.
  std::vector<Hanging> hang(std::size_t row) const {
    constexpr double kTick = 5;  // from the line to the name
    constexpr double kApart = 4;
    const auto thin = m_thin.find(row);
    if (thin == m_thin.end()) return {};
    const DiagramRow& bytes = rows()[row];
    const double right = static_cast<double>(bytes.end - bytes.begin) * m_metrics.byteWidth + m_metrics.calloutRoom;
    std::vector<Hanging> names;
    for (const std::uint32_t number : thin->second) {
      const LayoutItem& item = m_items[number];
      const auto middle = static_cast<double>(item.begin + item.end) / 2 - static_cast<double>(bytes.begin);
      names.push_back({number, middle * m_metrics.byteWidth});
    }
    std::ranges::sort(names, {}, &Hanging::at);
    for (std::size_t i = names.size(); i-- > 0;) {
      Hanging& name = names[i];
      const double width = m_metrics.nameWidth(m_items[name.item]);
      const double least = i > 0 ? names[i - 1].at + kApart : 0;
      name.begin = std::min(name.at + kTick, std::max(least, right - width));
      name.end = std::min(name.begin + width, right);
      for (std::size_t other = i + 1; other < names.size(); ++other) {
        const double begin = std::min(names[other].at, names[other].begin);
        if (begin < name.end + kApart) name.line = std::max(name.line, names[other].line + 1);
      }
    }
    return names;
  }

  double measureStrip(std::size_t row) {
    std::size_t lines = 0;
    for (const Hanging& name : hang(row)) lines = std::max(lines, name.line + 1);
    return m_strips[row] = static_cast<double>(lines) * m_metrics.calloutHeight;
  }

  void placeCallouts() {
    for (const auto& [row, thin] : m_thin) {
      const QRectF& line = rows()[row].rect;
      double top = line.top();
      std::map<std::uint32_t, QPointF> starts;
      for (const DiagramBox& box : m_geometry.boxes) {
        if (std::ranges::find(thin, box.item) == thin.end()) continue;
        const QRectF& part = box.parts.front();
        starts[box.item] = {part.center().x(), part.bottom()};
        top = std::max(top, part.bottom());
      }
      for (const Hanging& name : hang(row)) {
        const auto start = starts.find(name.item);
        if (start == starts.end()) continue;
        const double y = top + static_cast<double>(name.line) * m_metrics.calloutHeight;
        const QRectF label(line.left() + name.begin, y, name.end - name.begin, m_metrics.calloutHeight);
        const bool isBeside = label.left() > start->second.x();
        const QPointF to(start->second.x(), isBeside ? label.center().y() : label.top() + 2);
        m_geometry.callouts.push_back({name.item, start->second - QPointF(0, 4), to, label});
        m_geometry.size = m_geometry.size.expandedTo({label.right() + m_metrics.gap, 0});
      }
    }
  }

  std::vector<QRectF> placeRows(const std::vector<double>& heights) {
    const double left = m_metrics.isBar ? m_metrics.gap : m_metrics.gutterWidth;
    double y = m_metrics.gap + m_metrics.rulerHeight;
    std::vector<QRectF> bands;
    for (std::size_t row = 0; row < rows().size(); ++row) {
      DiagramRow& line = m_geometry.rows[row];
      const auto bytes = static_cast<double>(m_metrics.isBar ? line.end - line.begin : kRowBytes);
      line.rect = {left, y, bytes * m_metrics.byteWidth, heights[row]};
      y += line.rect.height();
      bands.push_back(line.rect);
    }
    m_geometry.bytes = QRectF(rows().front().rect.topLeft(), rows().back().rect.bottomRight());
    return bands;
  }

  void placeSiblings(const std::vector<std::uint32_t>& siblings, const Bands& bands) {
    for (const OverlapCluster& cluster : clustersOf(siblings)) placeCluster(cluster, bands);
  }

  void placeCluster(const OverlapCluster& cluster, const Bands& bands) {
    const bool isOverlapping = cluster.lanes.size() > 1;
    if (!isOverlapping) {
      for (const std::uint32_t number : cluster.lanes.front()) place(number, bands, false);
      return;
    }
    // Height of each row, and how much of it the lanes before have taken.
    std::map<std::size_t, double> whole;
    std::vector<std::map<std::size_t, double>> byLane(cluster.lanes.size());
    for (std::size_t lane = 0; lane < cluster.lanes.size(); ++lane) {
      for (const std::uint32_t number : cluster.lanes[lane]) {
        const Heights& need = m_needs[number];
        for (std::size_t at = 0; at < need.byRow.size(); ++at) {
          double& height = byLane[lane][need.first + at];
          height = std::max(height, need.byRow[at]);
        }
      }
      for (const auto& [row, height] : byLane[lane]) whole[row] += height;
    }
    std::map<std::size_t, double> taken;
    for (std::size_t lane = 0; lane < cluster.lanes.size(); ++lane) {
      const std::size_t first = byLane[lane].begin()->first;
      const std::size_t last = byLane[lane].rbegin()->first;
      Bands laneBands{first, {}};
      for (std::size_t row = first; row <= last; ++row) laneBands.byRow.push_back(bands.at(row));
      for (const auto& [row, height] : byLane[lane]) {
        const QRectF& band = bands.at(row);
        const double scale = band.height() / whole[row];
        laneBands.byRow[row - first] = {band.left(), band.top() + taken[row] * scale, band.width(), height * scale};
        taken[row] += height;
      }
      for (const std::uint32_t number : cluster.lanes[lane]) place(number, laneBands, true);
    }
  }

  QRectF partInRow(const LayoutItem& item, std::size_t row, const QRectF& band) const {
    const DiagramRow& line = rows()[row];
    const double scale = line.rect.width() / static_cast<double>(line.end - line.begin);
    const double left = line.rect.left() + static_cast<double>(std::max(item.begin, line.begin) - line.begin) * scale;
    const double right = line.rect.left() + static_cast<double>(std::min(item.end, line.end) - line.begin) * scale;
    return QRectF(QPointF(left, band.top()), QPointF(right, band.bottom())).intersected(band);
  }

  void place(std::uint32_t number, const Bands& bands, bool isOverlapping) {
    const LayoutItem& item = m_items[number];
    if (item.sizeBytes() <= 0) return;
    const std::size_t first = firstRow(item);
    const std::size_t last = lastRow(item);
    DiagramBox box{number, {}, m_isOpen[number], isOverlapping};
    for (std::size_t row = first; row <= last; ++row) {
      QRectF band = bands.at(row);
      // What goes on in the next row stays in one piece.
      if (!m_isOpen[number] && row == last && !isOverlapping) band.adjust(0, 0, 0, -m_strips[row]);
      box.parts.push_back(partInRow(item, row, band));
    }
    Bands inner{first, box.parts};
    m_geometry.boxes.push_back(std::move(box));
    if (!m_isOpen[number]) return;
    for (QRectF& band : inner.byRow) band.adjust(m_metrics.inset, 0, -m_metrics.inset, 0);
    inner.byRow.front().adjust(0, m_metrics.captionHeight, 0, 0);
    inner.byRow.back().adjust(0, 0, 0, -m_metrics.inset);
    placeSiblings(item.children, inner);
  }

  // How far down in its row an offset lies, so that levels that share a row share its height.
  double heightAt(std::int64_t offset, bool isEnd) const {
    const DiagramRow& row = rows()[rowAt(isEnd ? offset - 1 : offset)];
    const auto share = static_cast<double>(offset - row.begin) / static_cast<double>(row.end - row.begin);
    return row.rect.top() + std::clamp(share, 0.0, 1.0) * row.rect.height();
  }

  void placeBrackets() {
    const QRectF& bytes = m_geometry.bytes;
    m_geometry.size = {bytes.right() + m_metrics.gap, bytes.bottom() + m_metrics.gap};
    if (m_items.levels.empty() || !m_metrics.showsLevels) return;
    if (m_metrics.isBar) {
      placeBracketsBelow();
    } else {
      placeBracketsBeside();
    }
  }

  void placeBracketsBeside() {
    const double x = m_geometry.bytes.right() + 2 * m_metrics.gap;
    const double right = m_geometry.bytes.right() + m_metrics.bracketWidth;
    double free = 0;  // names do not run into each other
    for (std::size_t level = 0; level < m_items.levels.size(); ++level) {
      const double from = heightAt(m_items.levels[level].begin, false) + 2;
      const double to = std::max(from + 2, heightAt(m_items.levels[level].end, true) - 2);
      const double middle = (from + to) / 2 - m_metrics.captionHeight / 2;
      const double top = std::max({from - 2, std::min(middle, to), free});
      const QRectF label(QPointF(x + 2 * m_metrics.gap, top), QPointF(right, top + m_metrics.captionHeight));
      m_geometry.brackets.push_back({level, {x, from}, {x, to}, label});
      free = label.bottom();
    }
    m_geometry.size.setWidth(right + m_metrics.gap);
    m_geometry.size.setHeight(std::max(m_geometry.size.height(), free + m_metrics.gap));
  }

  void placeBracketsBelow() {
    const double y = m_geometry.bytes.bottom() + 2 * m_metrics.gap;
    const double scale = m_metrics.byteWidth;
    for (std::size_t level = 0; level < m_items.levels.size(); ++level) {
      const double from =
          m_geometry.bytes.left() + static_cast<double>(m_items.levels[level].begin - m_items.begin) * scale;
      const double to =
          m_geometry.bytes.left() + static_cast<double>(m_items.levels[level].end - m_items.begin) * scale;
      const QRectF label(from, y + m_metrics.gap, to - from, m_metrics.captionHeight);
      m_geometry.brackets.push_back({level, {from + 2, y}, {to - 2, y}, label});
    }
    m_geometry.size.setHeight(y + m_metrics.captionHeight + 2 * m_metrics.gap);
  }

  const LayoutItems& m_items;
  const std::vector<bool>& m_isOpen;
  const DiagramMetrics& m_metrics;
  std::vector<Heights> m_needs;                              // by item
  std::map<std::size_t, std::vector<std::uint32_t>> m_thin;  // by row, items that are too thin for their names
  std::vector<double> m_strips;                              // by row, the height that their names take
  std::map<const std::vector<std::uint32_t>*, std::vector<OverlapCluster>> m_clusters;
  DiagramGeometry m_geometry;
};

}  // namespace

DiagramGeometry layOutDiagram(const LayoutItems& items, const std::vector<bool>& isOpen,
                              const DiagramMetrics& metrics) {
  DiagramBuilder builder(items, isOpen, divideIntoRows(items, isOpen, metrics.isBar), metrics);
  return builder.build(builder.measureRows());
}

std::vector<double> measureRows(const LayoutItems& items, const std::vector<bool>& isOpen,
                                const std::vector<DiagramRow>& rows, const DiagramMetrics& metrics) {
  return DiagramBuilder(items, isOpen, rows, metrics).measureRows();
}

DiagramGeometry layOutInRows(const LayoutItems& items, const std::vector<bool>& isOpen, std::vector<DiagramRow> rows,
                             const std::vector<double>& heights, const DiagramMetrics& metrics) {
  DiagramBuilder builder(items, isOpen, std::move(rows), metrics);
  builder.measureRows();
  return builder.build(heights);
}

const DiagramBox* boxAt(const DiagramGeometry& geometry, const QPointF& point) {
  for (const DiagramCallout& callout : geometry.callouts) {
    if (callout.label.contains(point)) return &*std::ranges::find(geometry.boxes, callout.item, &DiagramBox::item);
  }
  const auto holds = [&point](const QRectF& part) { return part.contains(point); };
  for (auto box = geometry.boxes.rbegin(); box != geometry.boxes.rend(); ++box) {
    if (std::ranges::any_of(box->parts, holds)) return &*box;
  }
  return nullptr;
}

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
