// SPDX-License-Identifier: MIT
#include "graph/graph_cuts.h"

#include <algorithm>
#include <utility>

namespace heapscape::engine {
namespace {

template <class Value>
std::vector<Value> sortedOnce(std::vector<Value> values) {
  std::ranges::sort(values);
  values.erase(std::ranges::unique(values).begin(), values.end());
  return values;
}

}  // namespace

GraphCuts::GraphCuts(std::vector<Reference> references, std::vector<std::uint32_t> objects,
                     std::vector<std::uint32_t> unrooted)
    : m_references(sortedOnce(std::move(references))),
      m_objects(sortedOnce(std::move(objects))),
      m_unrooted(sortedOnce(std::move(unrooted))) {
  std::vector<std::uint32_t> letGo = m_objects;
  letGo.insert(letGo.end(), m_unrooted.begin(), m_unrooted.end());
  for (const Reference& reference : m_references) letGo.push_back(reference.to);
  m_letGo = sortedOnce(std::move(letGo));
}

bool GraphCuts::goes(std::uint32_t object) const {
  return std::ranges::binary_search(m_objects, object);
}

bool GraphCuts::isCut(std::uint32_t holder, std::uint32_t object) const {
  if (!std::ranges::binary_search(m_letGo, object)) return false;
  if (goes(object)) return true;
  if (holder == kNone) return std::ranges::binary_search(m_unrooted, object);
  return std::ranges::binary_search(m_references, Reference{holder, object});
}

}  // namespace heapscape::engine
