// SPDX-License-Identifier: MIT
#include "layout/advice/field_order.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

#include "layout/rules/placed_field.h"

namespace heapscape::engine {
namespace {

// Entries of the table of paddings: enough for forty fields of four shapes, and searched within a few milliseconds.
constexpr std::size_t kMaximumEntries = 1 << 17;

}  // namespace

FieldOrderSearch::FieldOrderSearch(std::span<const FieldExtent> fields, std::uint64_t start)
    : m_fields(fields), m_start(start) {
  for (const FieldExtent& field : m_fields) m_bytes += field.sizeBytes;
  m_leastPadding = std::min(endAsGiven(), endOf(descending())) - m_start - m_bytes;
  if (m_leastPadding == 0) return;
  search();
  m_isExact = isSearched();
  if (m_isExact) m_leastPadding = m_paddingLeft[(m_states - 1) * m_period + m_start % m_period];
}

void FieldOrderSearch::groupByShape() {
  for (const FieldExtent& field : m_fields) m_period = std::max(m_period, std::bit_ceil(field.alignment));
  for (std::uint32_t i = 0; i < m_fields.size(); ++i) {
    const std::uint32_t modulo = m_fields[i].sizeBytes % m_period;
    const auto known = std::ranges::find_if(m_shapes, [&](const Shape& shape) {
      return shape.alignment == m_fields[i].alignment && shape.sizeModulo == modulo;
    });
    Shape& shape = known != m_shapes.end() ? *known : m_shapes.emplace_back(m_fields[i].alignment, modulo);
    shape.fields.push_back(i);
    if (m_shapes.size() > kMaximumEntries / m_fields.size()) return;  // hopeless: every field has a shape of its own
  }
}

bool FieldOrderSearch::canBeSearched() {
  std::size_t grouped = 0;
  for (Shape& shape : m_shapes) {
    grouped += shape.fields.size();
    shape.stride = m_states;
    m_states *= shape.fields.size() + 1;
    if (m_states * m_period > kMaximumEntries) return false;
  }
  return grouped == m_fields.size();
}

std::uint32_t FieldOrderSearch::paddingAt(std::size_t residue, const Shape& shape) const {
  return static_cast<std::uint32_t>(alignUp(residue, shape.alignment) - residue);
}

std::size_t FieldOrderSearch::residueBehind(std::size_t residue, const Shape& shape) const {
  return (alignUp(residue, shape.alignment) + shape.sizeModulo) % m_period;
}

// A state with one field less has a smaller number, so that all that a state needs is known before it.
void FieldOrderSearch::search() {
  groupByShape();
  if (!canBeSearched()) return;
  m_paddingLeft.assign(m_states * m_period, std::numeric_limits<std::uint32_t>::max());
  std::fill_n(m_paddingLeft.begin(), m_period, 0u);
  for (std::size_t state = 1; state < m_states; ++state) {
    for (const Shape& shape : m_shapes) {
      if (state / shape.stride % (shape.fields.size() + 1) == 0) continue;
      const std::size_t without = (state - shape.stride) * m_period;
      for (std::size_t residue = 0; residue < m_period; ++residue) {
        std::uint32_t& least = m_paddingLeft[state * m_period + residue];
        least = std::min(least, paddingAt(residue, shape) + m_paddingLeft[without + residueBehind(residue, shape)]);
      }
    }
  }
}

std::vector<std::uint32_t> FieldOrderSearch::orderEndingBy(std::uint64_t end) {
  if (endAsGiven() <= end) return asGiven();
  if (m_shapes.empty()) search();
  if (!isSearched()) return descending();
  std::vector<std::uint32_t> order;
  std::vector<std::size_t> taken(m_shapes.size());
  std::uint64_t paddingToSpend = end - m_start - m_bytes;
  std::size_t residue = m_start % m_period;
  std::size_t state = m_states - 1;
  while (order.size() < m_fields.size()) {
    std::size_t best = m_shapes.size();
    for (std::size_t i = 0; i < m_shapes.size(); ++i) {
      const Shape& shape = m_shapes[i];
      if (taken[i] == shape.fields.size()) continue;
      const std::size_t next = (state - shape.stride) * m_period + residueBehind(residue, shape);
      if (paddingAt(residue, shape) + std::uint64_t{m_paddingLeft[next]} > paddingToSpend) continue;
      if (best == m_shapes.size() || shape.fields[taken[i]] < m_shapes[best].fields[taken[best]]) best = i;
    }
    if (best == m_shapes.size()) return descending();  // asked for an earlier end than there is
    const Shape& shape = m_shapes[best];
    order.push_back(shape.fields[taken[best]++]);
    paddingToSpend -= paddingAt(residue, shape);
    residue = residueBehind(residue, shape);
    state -= shape.stride;
  }
  return order;
}

std::vector<std::uint32_t> FieldOrderSearch::asGiven() const {
  std::vector<std::uint32_t> order(m_fields.size());
  std::iota(order.begin(), order.end(), 0u);
  return order;
}

// Fields whose size is no multiple of their alignment come last, where they push nothing off its alignment.
std::vector<std::uint32_t> FieldOrderSearch::descending() const {
  std::vector<std::uint32_t> order = asGiven();
  const auto rank = [this](std::uint32_t i) {
    const FieldExtent& field = m_fields[i];
    return field.sizeBytes % field.alignment ? 0 : field.alignment;
  };
  std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) { return rank(a) > rank(b); });
  return order;
}

std::uint64_t FieldOrderSearch::endOf(std::span<const std::uint32_t> order) const {
  std::uint64_t end = m_start;
  for (const std::uint32_t i : order) end = alignUp(end, m_fields[i].alignment) + m_fields[i].sizeBytes;
  return end;
}

std::uint64_t FieldOrderSearch::endAsGiven() const {
  std::uint64_t end = m_start;
  for (const FieldExtent& field : m_fields) end = alignUp(end, field.alignment) + field.sizeBytes;
  return end;
}

}  // namespace heapscape::engine
