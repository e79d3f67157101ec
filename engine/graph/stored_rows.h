// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/large_array.h"
#include "graph/row_starts.h"

namespace heapscape::engine {

/// A vertex with RowLine::kMany edges or more.
struct LongRow {
  std::uint32_t vertex = 0;
  std::uint32_t edges = 0;
};

/// The rows of a graph with their memory.
class StoredRows {
 public:
  /// Sets counts and first edges of vertices in ascending order. Several threads may write rows at once, each of its
  /// own vertices; where each line's first vertex is, there its first edge is set.
  class Writer {
   public:
    Writer(StoredRows& rows, std::uint32_t firstVertex)
        : m_line(rows.m_lines.data() + firstVertex / RowLine::kVertices), m_slot(firstVertex % RowLine::kVertices) {}

    /// The next vertex: its edges, and how many come before them.
    [[gnu::always_inline]] void add(std::uint32_t edges, std::uint32_t before) {
      if (m_slot == 0) m_line->first = before;
      m_line->counts[m_slot] = edges < RowLine::kMany ? static_cast<std::uint8_t>(edges) : RowLine::kMany;
      if (++m_slot < RowLine::kVertices) return;
      m_slot = 0;
      ++m_line;
    }

   private:
    RowLine* m_line;
    std::uint32_t m_slot;
  };

  StoredRows() = default;
  explicit StoredRows(std::uint32_t vertices) : m_lines(lineCountOf(vertices)), m_vertices(vertices) {}
  /// Rows that lie elsewhere, as in a mapped file, and stay there for longer than these.
  static StoredRows viewOf(std::span<const RowLine> lines, std::span<const std::uint32_t> wideStarts,
                           std::uint32_t vertices);

  static std::size_t lineCountOf(std::uint32_t vertices) { return vertices / RowLine::kVertices + 1; }

  /// Lets the edges of these vertices begin so much further behind, as far as lines begin with one of them.
  void moveBack(std::uint32_t firstVertex, std::uint32_t endVertex, std::uint32_t edges);
  /// Once all vertices have been written: with all long rows in ascending order, and how many edges there are.
  void finish(std::span<const LongRow> longRows, std::uint32_t edges);

  std::uint32_t vertexCount() const { return m_vertices; }
  [[gnu::always_inline]] std::uint32_t operator[](std::uint32_t vertex) const { return starts()[vertex]; }
  [[gnu::always_inline]] std::uint32_t countOf(std::uint32_t vertex) const { return starts().countOf(vertex); }
  RowStarts starts() const { return {m_lines.elements(), m_wideStarts.elements(), m_vertices}; }
  std::span<const RowLine> lines() const { return m_lines.elements(); }
  std::span<const std::uint32_t> wideStarts() const { return m_wideStarts.elements(); }
  std::uint64_t memoryBytes() const { return m_lines.memoryBytes() + m_wideStarts.memoryBytes(); }

 private:
  LargeArray<RowLine> m_lines;
  LargeArray<std::uint32_t> m_wideStarts;  // RowLine::kVertices for each wide line
  std::uint32_t m_vertices = 0;
};

}  // namespace heapscape::engine
