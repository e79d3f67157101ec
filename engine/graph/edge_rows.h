// SPDX-License-Identifier: MIT
#pragma once

#ifdef __SSE2__
#include <emmintrin.h>
#endif
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "base/large_array.h"

namespace heapscape::engine {

/// Where the edges of some vertices in a row begin, in half a cache line.
struct alignas(32) RowLine {
  static constexpr std::uint32_t kVertices = 28;
  static constexpr std::uint8_t kMany = 255;

  // Counts of edges; a wide line has the place of its starts instead, zeros and kMany in the end.
  std::uint8_t counts[kVertices];
  std::uint32_t first;  // edge of the first vertex

  /// Whether one of the vertices has kMany edges or more, so that its starts are written out elsewhere.
  [[gnu::always_inline]] bool isWide() const { return counts[kVertices - 1] == kMany; }
  std::uint32_t placeOfStarts() const {
    std::uint32_t place;
    std::memcpy(&place, counts, sizeof place);
    return place;
  }
  void makeWide(std::uint32_t placeOfStarts) {
    std::memset(counts, 0, sizeof counts);
    std::memcpy(counts, &placeOfStarts, sizeof placeOfStarts);
    counts[kVertices - 1] = kMany;
  }
  /// A bit for each vertex that has no edges; not of a wide line.
  [[gnu::always_inline]] std::uint32_t withoutEdges() const {
#ifdef __SSE2__
    const auto zeros = [](const std::uint8_t* from) {
      const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
      return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_setzero_si128())));
    };
    constexpr std::uint32_t kBoth = 2 * 16 - kVertices;  // vertices that both halves have
    return zeros(counts) | zeros(counts + 16 - kBoth) >> kBoth << 16;
#else
    std::uint32_t bits = 0;
    for (std::uint32_t i = 0; i < kVertices; ++i) bits |= static_cast<std::uint32_t>(counts[i] == 0) << i;
    return bits;
#endif
  }
  /// Edges of so many vertices together, from the first on; not of a wide line.
  [[gnu::always_inline]] std::uint32_t edgesOf(std::uint32_t vertices) const {
#ifdef __SSE2__
    alignas(16) static constexpr auto kMask = [] {
      struct {
        std::uint8_t bytes[64];
      } mask{};
      for (int i = 0; i < 32; ++i) mask.bytes[i] = 0xff;
      return mask;
    }();
    const auto load = [](const std::uint8_t* from) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from)); };
    const std::uint8_t* const mask = kMask.bytes + 32 - vertices;
    const std::uint8_t* const bytes = reinterpret_cast<const std::uint8_t*>(this);
    const __m128i low = _mm_sad_epu8(_mm_and_si128(load(bytes), load(mask)), _mm_setzero_si128());
    const __m128i high = _mm_sad_epu8(_mm_and_si128(load(bytes + 16), load(mask + 16)), _mm_setzero_si128());
    const __m128i sums = _mm_add_epi64(low, high);
    return static_cast<std::uint32_t>(_mm_cvtsi128_si32(sums) + _mm_cvtsi128_si32(_mm_srli_si128(sums, 8)));
#else
    std::uint32_t sum = 0;
    for (std::uint32_t i = 0; i < kVertices; ++i) sum += i < vertices ? counts[i] : 0u;
    return sum;
#endif
  }
};
static_assert(sizeof(RowLine) == 32);

/// Where the edges of each vertex begin among those of all: little more than a byte a vertex, since few have many.
class RowStarts {
 public:
  RowStarts() = default;
  RowStarts(std::span<const RowLine> lines, std::span<const std::uint32_t> wideStarts, std::uint32_t vertices)
      : m_lines(lines.data()), m_wideStarts(wideStarts.data()), m_vertices(vertices) {}

  std::uint32_t vertexCount() const { return m_vertices; }
  /// Where the row of a vertex starts, or behind all edges if there are as many vertices.
  [[gnu::always_inline]] std::uint32_t operator[](std::uint32_t vertex) const {
    const RowLine& line = m_lines[vertex / RowLine::kVertices];
    const std::uint32_t slot = vertex % RowLine::kVertices;
    if (line.isWide()) [[unlikely]]
      return m_wideStarts[line.placeOfStarts() + slot];
    return line.first + line.edgesOf(slot);
  }
  /// How many edges a vertex has.
  [[gnu::always_inline]] std::uint32_t countOf(std::uint32_t vertex) const {
    const RowLine& line = m_lines[vertex / RowLine::kVertices];
    if (line.isWide()) [[unlikely]]
      return (*this)[vertex + 1] - (*this)[vertex];
    return line.counts[vertex % RowLine::kVertices];
  }
  /// A bit for each of 64 vertices, from the first on, that exists and has no edges.
  std::uint64_t withoutEdges(std::uint32_t firstVertex) const {
    std::uint64_t bits = 0;
    const std::uint32_t end = std::min(m_vertices - firstVertex, 64u) + firstVertex;
    for (std::uint32_t line = firstVertex / RowLine::kVertices; line * RowLine::kVertices < end; ++line) {
      const std::uint64_t ofLine = withoutEdgesOf(line);
      const std::uint32_t first = line * RowLine::kVertices;
      bits |= first < firstVertex ? ofLine >> (firstVertex - first) : ofLine << (first - firstVertex);
    }
    return end - firstVertex < 64 ? bits & ((1ull << (end - firstVertex)) - 1) : bits;
  }
  [[gnu::always_inline]] void prefetch(std::uint32_t vertex) const {
    __builtin_prefetch(&m_lines[vertex / RowLine::kVertices]);
  }

 private:
  std::uint32_t withoutEdgesOf(std::uint32_t line) const {
    if (!m_lines[line].isWide()) [[likely]]
      return m_lines[line].withoutEdges();
    std::uint32_t bits = 0;
    const std::uint32_t first = line * RowLine::kVertices;
    for (std::uint32_t i = 0; i < RowLine::kVertices && first + i < m_vertices; ++i)
      bits |= static_cast<std::uint32_t>(countOf(first + i) == 0) << i;
    return bits;
  }

  const RowLine* m_lines = nullptr;
  const std::uint32_t* m_wideStarts = nullptr;
  std::uint32_t m_vertices = 0;
};

/// References by number: the targets of vertex v are targets[rows[v]] to targets[rows[v + 1]], the end left out.
struct EdgeRows {
  RowStarts rows;
  std::span<const std::uint32_t> targets;

  std::uint32_t vertexCount() const { return rows.vertexCount(); }
  std::span<const std::uint32_t> targetsOf(std::uint32_t vertex) const {
    return targets.subspan(rows[vertex], rows.countOf(vertex));
  }
};

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
