// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "query/objects/object_fields.h"
#include "query/objects/object_values.h"
#include "query/query.h"

namespace heapscape::engine {

/// A query made ready for millions of objects: what follows from the type is decided once a type, what is one of few
/// texts once a text, and what is cheap comes first. Refers to query and fields. Safe from any thread.
class ObjectPlan {
 public:
  /// `includesFree`: gaps can fit, too, as they can where the query names them.
  ObjectPlan(const Query& query, const ObjectFields& fields, const ValueReader& values, bool includesFree = false);

  /// Whether no object of the type can fit.
  bool isExcluded(TypeId type) const { return m_verdicts[type.value] == Verdict::No; }
  bool accepts(const ObjectView& object, ObjectValues& values, std::uint64_t& unreadable) const {
    const Verdict verdict = m_verdicts[object.facts.type.value];
    return verdict == Verdict::Yes || (verdict == Verdict::Open && holds(m_root, object, values, unreadable));
  }
  /// Paths of field("…") that begin with a field which no type on the heap has.
  const std::vector<std::string>& unknownFields() const { return m_unknownFields; }

 private:
  enum class Verdict : std::uint8_t { No, Yes, Open };
  struct Node {
    QueryNode::Kind kind = QueryNode::Kind::And;
    std::vector<Node> children = {};
    const QueryComparison* comparison = nullptr;
    ObjectFieldForm form = ObjectFieldForm::Memory;
    std::vector<bool> accepted = {};  // of a Symbol: by symbol
    bool acceptsNull = false;
    std::optional<WholeNumbers> numbers = {};  // of a Number that is asked for as one
    int cost = 0;
  };

  Node prepare(const QueryNode& node) const;
  void prepareComparison(Node& node) const;
  void decideTypes(const ValueReader& values);
  void findUnknownFields(const Query& query, const ValueReader& values);
  Verdict verdictOf(const Node& node, TypeId type, ObjectValues& values) const;
  Verdict verdictOfComparison(const Node& node, TypeId type, ObjectValues& values) const;
  bool holds(const Node& node, const ObjectView& object, ObjectValues& values, std::uint64_t& unreadable) const;
  bool holdsComparison(const Node& node, const ObjectView& object, ObjectValues& values,
                       std::uint64_t& unreadable) const;

  const ObjectFields& m_fields;
  bool m_includesFree = false;
  Node m_root;
  std::vector<Verdict> m_verdicts;  // by TypeId
  std::vector<std::string> m_unknownFields;
};

}  // namespace heapscape::engine
