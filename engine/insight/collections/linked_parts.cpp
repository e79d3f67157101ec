// SPDX-License-Identifier: MIT
#include "insight/collections/linked_parts.h"

#include <algorithm>
#include <utility>

#include "insight/insight_input.h"

namespace heapscape::engine {
namespace {

/// Goes from a collection along its references to what it is made of.
class PartSearch {
 public:
  PartSearch(const InsightInput& input, const SurveyedType& type, const SurveyedCollection& collection, bool withNodes)
      : m_input(input), m_type(type), m_collection(collection), m_withNodes(withNodes) {}

  std::vector<std::uint32_t> find() {
    follow(m_collection.object, Role::Part);
    for (std::size_t i = 0; i < m_found.size(); ++i) follow(m_found[i], m_roles[i]);
    return std::move(m_found);
  }

 private:
  enum class Role : std::uint8_t { None, Part, Array, Node };

  /// Arrays hold items, but for those of a table of chains; nodes, too.
  void follow(std::uint32_t from, Role as) {
    if (as == Role::Array && m_type.form != CollectionForm::Chains) return;
    for (const std::uint32_t object : m_input.contents.graph->targetsOf(from)) {
      if (m_found.size() >= kMostLinkedParts) break;
      const Role role = roleOf(object, from);
      if (role == Role::None || (as == Role::Node && role != Role::Node)) continue;
      const auto seen = std::ranges::lower_bound(m_seen, object);
      if (object == m_collection.object || (seen != m_seen.end() && *seen == object)) continue;
      if (role == Role::Node && ++m_nodes > m_collection.count) continue;
      m_seen.insert(seen, object);
      m_found.push_back(object);
      m_roles.push_back(role);
    }
  }

  Role roleOf(std::uint32_t object, std::uint32_t from) const {
    const TypeId type{m_input.objectTypes[object]};
    if (type.isNone()) return Role::None;
    if (m_input.contents.typeReferences->isArray(type)) {
      const bool isStorage = from != m_collection.object || std::ranges::count(m_collection.storage, object);
      return isStorage ? Role::Array : Role::None;
    }
    if (std::ranges::count(m_type.parts, type)) return Role::Part;
    return m_withNodes && std::ranges::count(m_type.nodes, type) ? Role::Node : Role::None;
  }

  const InsightInput& m_input;
  const SurveyedType& m_type;
  const SurveyedCollection& m_collection;
  bool m_withNodes;
  std::vector<std::uint32_t> m_found, m_seen;  // the same in the order of finding, and ascending
  std::vector<Role> m_roles;
  std::uint32_t m_nodes = 0;
};

}  // namespace

std::vector<std::uint32_t> linkedParts(const InsightInput& input, const SurveyedType& type,
                                       const SurveyedCollection& collection, bool withNodes) {
  return PartSearch(input, type, collection, withNodes).find();
}

}  // namespace heapscape::engine
