// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>

#include "base/limits.h"
#include "session/types/type_query.h"

namespace heapscape::engine {

std::string_view namespaceOf(std::string_view typeName) {
  // Arguments, nested types and array brackets come behind the namespace and hold dots of their own.
  const std::string_view outermost = typeName.substr(0, typeName.find_first_of("<[+ "));
  const std::size_t dot = outermost.rfind('.');
  return dot == std::string_view::npos ? std::string_view{} : typeName.substr(0, dot);
}

namespace {

/// Builds the tree of namespaces of a selection.
class NamespaceGrouper {
 public:
  NamespaceGrouper(const Snapshot& snapshot, const TypeCounts& counts) : m_snapshot(snapshot), m_counts(counts) {
    m_nodes.emplace_back();
  }

  void add(TypeId type) {
    const std::string& name = m_snapshot.types()[type.value].name;
    const std::string_view nameSpace = shallow(namespaceOf(name));
    const std::uint32_t parent = nodeOf(nameSpace);
    NamespaceNode leaf;
    leaf.fullName = name;
    leaf.name = nameSpace.empty() ? name : name.substr(nameSpace.size() + 1);
    leaf.parent = parent;
    leaf.type = type;
    const auto index = static_cast<std::uint32_t>(m_nodes.size());
    m_nodes.push_back(std::move(leaf));
    m_nodes[parent].children.push_back(index);
    const std::uint64_t padding = paddingBytesOf(m_snapshot, m_counts, type);
    for (std::uint32_t node = index;; node = m_nodes[node].parent) {
      m_nodes[node].objects += m_counts.count[type.value];
      m_nodes[node].bytes += m_counts.bytes[type.value];
      m_nodes[node].paddingBytes += padding;
      if (node == 0) break;
    }
  }

  // In pre-order, each node's children in this order.
  std::vector<NamespaceNode> take(TypeColumn sortBy, bool descending) {
    std::vector<NamespaceNode> ordered;
    ordered.reserve(m_nodes.size());
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pending{{0, 0}};  // node, its parent's new index
    while (!pending.empty()) {
      const auto [node, parent] = pending.back();
      pending.pop_back();
      const auto index = static_cast<std::uint32_t>(ordered.size());
      ordered.push_back(m_nodes[node]);
      ordered[index].parent = parent;
      ordered[index].children.clear();
      if (index != 0) ordered[parent].children.push_back(index);
      std::vector<std::uint32_t> children = m_nodes[node].children;
      std::sort(children.begin(), children.end(), [&](std::uint32_t left, std::uint32_t right) {
        return isBefore(m_nodes[left], m_nodes[right], sortBy, descending);
      });
      for (auto child = children.rbegin(); child != children.rend(); ++child) pending.emplace_back(*child, index);
    }
    return ordered;
  }

 private:
  std::uint64_t figureOf(const NamespaceNode& node, TypeColumn column) const {
    const std::vector<RetainedOfType>& retained = m_snapshot.typeRetained();
    switch (column) {
      case TypeColumn::Count:
        return node.objects;
      case TypeColumn::AverageBytes:
        return node.objects == 0 ? 0 : node.bytes / node.objects;
      case TypeColumn::PaddingBytes:
        return node.paddingBytes;
      case TypeColumn::RetainedBytes:
        return node.type.isNone() || retained.empty() ? node.bytes : retained[node.type.value].retainedBytes;
      default:
        return node.bytes;
    }
  }

  bool isBefore(const NamespaceNode& left, const NamespaceNode& right, TypeColumn sortBy, bool descending) const {
    const bool byName = sortBy == TypeColumn::Name || sortBy == TypeColumn::Assembly;
    if (!byName) {
      const std::uint64_t leftFigure = figureOf(left, sortBy);
      const std::uint64_t rightFigure = figureOf(right, sortBy);
      if (leftFigure != rightFigure) return (leftFigure > rightFigure) == descending;
    }
    const int order = left.name.compare(right.name);
    if (order != 0) return byName && descending ? order > 0 : order < 0;
    return left.bytes > right.bytes;
  }

  // A damaged name may be nothing but dots; behind the deepest level it is taken as one part.
  static std::string_view shallow(std::string_view nameSpace) {
    std::size_t dot = 0;
    for (std::size_t depth = 0; depth < kLimits.nestingDepth; ++depth) {
      dot = nameSpace.find('.', dot);
      if (dot == std::string_view::npos) return nameSpace;
      ++dot;
    }
    return nameSpace.substr(0, dot - 1);
  }

  std::uint32_t nodeOf(std::string_view nameSpace) {
    if (nameSpace.empty()) return 0;
    const auto known = m_byName.find(nameSpace);
    if (known != m_byName.end()) return known->second;
    const std::size_t dot = nameSpace.rfind('.');
    const bool isTop = dot == std::string_view::npos;
    const std::uint32_t parent = isTop ? 0 : nodeOf(nameSpace.substr(0, dot));
    NamespaceNode node;
    node.fullName = nameSpace;
    node.name = isTop ? nameSpace : nameSpace.substr(dot + 1);
    node.parent = parent;
    const auto index = static_cast<std::uint32_t>(m_nodes.size());
    m_nodes.push_back(std::move(node));
    m_nodes[parent].children.push_back(index);
    m_byName.emplace(nameSpace, index);
    return index;
  }

  const Snapshot& m_snapshot;
  const TypeCounts& m_counts;
  std::vector<NamespaceNode> m_nodes;
  std::map<std::string, std::uint32_t, std::less<>> m_byName;
};

}  // namespace

std::vector<NamespaceNode> groupByNamespace(const Snapshot& snapshot, const TypeCounts& counts,
                                            const TypeSelection& selection, TypeColumn sortBy, bool descending) {
  NamespaceGrouper grouper(snapshot, counts);
  for (const TypeId type : selection.types) grouper.add(type);
  return grouper.take(sortBy, descending);
}

}  // namespace heapscape::engine
