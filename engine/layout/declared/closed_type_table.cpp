// SPDX-License-Identifier: MIT
#include "layout/declared/closed_type_table.h"

#include <algorithm>

#include "base/limits.h"

namespace heapscape::engine {
namespace {

static_assert(kLimits.nestingDepth < 255);

std::size_t hashOf(const ClosedType& type) {
  std::uint64_t hash = static_cast<std::uint64_t>(type.element);
  const auto mix = [&hash](std::uint64_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 29;
  };
  mix(type.assembly.value);
  mix(type.typeDefRow);
  mix(type.rank);
  for (const ClosedTypeId argument : type.arguments) mix(argument.value);
  return hash;
}

bool isSame(const ClosedType& a, const ClosedType& b) {
  return a.element == b.element && a.assembly == b.assembly && a.typeDefRow == b.typeDefRow && a.rank == b.rank &&
         a.arguments == b.arguments;
}

}  // namespace

std::size_t ClosedTypeTable::depthOf(const ClosedType& type) const {
  std::size_t depth = 0;
  for (const ClosedTypeId argument : type.arguments) {
    depth = std::max(depth, std::size_t{m_depths[argument.value]} + 1);
  }
  return depth;
}

Result<ClosedTypeId> ClosedTypeTable::intern(ClosedType type) {
  const std::size_t hash = hashOf(type);
  const auto [first, last] = m_byHash.equal_range(hash);
  for (auto known = first; known != last; ++known) {
    if (isSame(at(known->second), type)) return known->second;
  }
  const std::size_t depth = depthOf(type);
  if (depth > kLimits.nestingDepth) return failure(ErrorCode::Damaged, "Generic types are nested without end.");
  if (m_types.size() >= kLimits.closedTypes) {
    return failure(ErrorCode::Damaged, "There are more types than any program has.");
  }
  const ClosedTypeId id{static_cast<std::uint32_t>(m_types.size())};
  m_types.push_back(std::move(type));
  m_depths.push_back(static_cast<std::uint8_t>(depth));
  m_byHash.emplace(hash, id);
  return id;
}

}  // namespace heapscape::engine
