// SPDX-License-Identifier: MIT
#include "graph/edge_rows.h"

namespace heapscape::engine {

StoredRows StoredRows::viewOf(std::span<const RowLine> lines, std::span<const std::uint32_t> wideStarts,
                              std::uint32_t vertices) {
  StoredRows rows;
  rows.m_lines = LargeArray<RowLine>::viewOf(lines);
  rows.m_wideStarts = LargeArray<std::uint32_t>::viewOf(wideStarts);
  rows.m_vertices = vertices;
  return rows;
}

void StoredRows::moveBack(std::uint32_t firstVertex, std::uint32_t endVertex, std::uint32_t edges) {
  const std::uint32_t end = (endVertex + RowLine::kVertices - 1) / RowLine::kVertices;
  for (std::uint32_t line = (firstVertex + RowLine::kVertices - 1) / RowLine::kVertices; line < end; ++line)
    m_lines[line].first += edges;
}

void StoredRows::finish(std::span<const LongRow> longRows, std::uint32_t edges) {
  if (m_vertices % RowLine::kVertices == 0) m_lines[m_vertices / RowLine::kVertices].first = edges;
  std::vector<std::uint32_t> wideStarts;
  for (auto row = longRows.begin(); row != longRows.end();) {
    RowLine& line = m_lines[row->vertex / RowLine::kVertices];
    const auto place = static_cast<std::uint32_t>(wideStarts.size());
    std::uint32_t start = line.first;
    for (const std::uint8_t count : line.counts) {
      wideStarts.push_back(start);
      start += count < RowLine::kMany ? count : (row++)->edges;
    }
    line.makeWide(place);
  }
  m_wideStarts = LargeArray<std::uint32_t>(wideStarts.size());
  std::ranges::copy(wideStarts, m_wideStarts.data());
}

}  // namespace heapscape::engine
