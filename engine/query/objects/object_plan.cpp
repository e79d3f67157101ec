// SPDX-License-Identifier: MIT
#include "query/objects/object_plan.h"

#include <algorithm>

namespace heapscape::engine {
namespace {

bool followsFromType(ObjectField field) {
  return field == ObjectField::Type || field == ObjectField::Assembly || field == ObjectField::LoadContext ||
         field == ObjectField::Namespace;
}

int costOf(const QueryFieldReference& reference) {
  constexpr int kOfHead = 1, kOfArrays = 2, kOfReferrers = 3, kOfMemory = 10;
  switch (formOf(reference)) {
    case ObjectFieldForm::Memory:
      return kOfMemory;
    case ObjectFieldForm::Symbol:
      return followsFromType(static_cast<ObjectField>(reference.field)) ? 0 : kOfArrays;
    case ObjectFieldForm::Number:
    case ObjectFieldForm::Flag:
      break;
  }
  switch (static_cast<ObjectField>(reference.field)) {
    case ObjectField::Retained:
    case ObjectField::RetainedObjects:
    case ObjectField::References:
      return kOfArrays;
    case ObjectField::Referrers:
      return kOfReferrers;
    default:
      return kOfHead;
  }
}

// What is looked for in an address are its digits.
bool isTextOfAddress(const QueryComparison& comparison) {
  const bool isAddress =
      comparison.field == referenceTo(ObjectField::Address) || comparison.field == referenceTo(ObjectField::Segment);
  return isAddress && comparison.test.isAboutText();
}

}  // namespace

ObjectPlan::ObjectPlan(const Query& query, const ObjectFields& fields, const ValueReader& values, bool includesFree)
    : m_fields(fields), m_root(prepare(query.root)) {
  m_includesFree = includesFree || std::ranges::any_of(fieldsOf(query), [](const QueryFieldReference& each) {
                     return each == referenceTo(ObjectField::Free);
                   });
  decideTypes(values);
  findUnknownFields(query, values);
}

ObjectPlan::Node ObjectPlan::prepare(const QueryNode& node) const {
  Node prepared{.kind = node.kind};
  for (const QueryNode& child : node.children) {
    prepared.children.push_back(prepare(child));
    prepared.cost = std::max(prepared.cost, prepared.children.back().cost);
  }
  std::ranges::stable_sort(prepared.children, {}, &Node::cost);
  if (node.kind != QueryNode::Kind::Comparison) return prepared;
  prepared.comparison = &node.comparison.front();
  prepareComparison(prepared);
  return prepared;
}

void ObjectPlan::prepareComparison(Node& node) const {
  node.form = formOf(node.comparison->field);
  node.cost = costOf(node.comparison->field);
  const ValueTest& test = node.comparison->test;
  if (node.form == ObjectFieldForm::Number && !isTextOfAddress(*node.comparison)) {
    node.numbers = test.acceptedWholeNumbers();
  }
  if (node.form != ObjectFieldForm::Symbol) return;
  for (const std::string& text : m_fields.symbols(static_cast<ObjectField>(node.comparison->field.field)))
    node.accepted.push_back(test.acceptsText(text));
  node.acceptsNull = test.acceptsNull();
}

void ObjectPlan::decideTypes(const ValueReader& values) {
  ObjectValues reader(m_fields, values);
  const std::vector<TypeRow>& types = m_fields.snapshot().types();
  m_verdicts.resize(types.size(), Verdict::No);
  for (std::uint32_t i = 0; i < types.size(); ++i) {
    if (!types[i].isFree || m_includesFree) m_verdicts[i] = verdictOf(m_root, {i}, reader);
  }
}

void ObjectPlan::findUnknownFields(const Query& query, const ValueReader& values) {
  ObjectValues reader(m_fields, values);
  const std::vector<TypeRow>& types = m_fields.snapshot().types();
  for (const QueryFieldReference& field : fieldsOf(query)) {
    if (field.field != QueryFieldReference::kObjectField) continue;
    bool isKnown = false;
    for (std::uint32_t i = 0; i < types.size() && !isKnown; ++i)
      isKnown = !types[i].isFree && reader.isPossible(field, {i});
    if (!isKnown) m_unknownFields.push_back(field.path);
  }
}

ObjectPlan::Verdict ObjectPlan::verdictOf(const Node& node, TypeId type, ObjectValues& values) const {
  if (node.kind == QueryNode::Kind::Comparison) return verdictOfComparison(node, type, values);
  if (node.kind == QueryNode::Kind::Not) {
    const Verdict inner = verdictOf(node.children.front(), type, values);
    return inner == Verdict::Open ? inner : inner == Verdict::Yes ? Verdict::No : Verdict::Yes;
  }
  const Verdict decisive = node.kind == QueryNode::Kind::And ? Verdict::No : Verdict::Yes;
  Verdict verdict = node.kind == QueryNode::Kind::And ? Verdict::Yes : Verdict::No;
  for (const Node& child : node.children) {
    const Verdict of = verdictOf(child, type, values);
    if (of == decisive) return of;
    if (of == Verdict::Open) verdict = Verdict::Open;
  }
  return verdict;
}

ObjectPlan::Verdict ObjectPlan::verdictOfComparison(const Node& node, TypeId type, ObjectValues& values) const {
  const QueryFieldReference& reference = node.comparison->field;
  const TypeRow& row = m_fields.snapshot().types()[type.value];
  if (node.form == ObjectFieldForm::Memory) {
    // Gaps have no contents.
    return !row.isFree && values.isPossible(reference, type) ? Verdict::Open : Verdict::No;
  }
  const auto field = static_cast<ObjectField>(reference.field);
  if (field == ObjectField::Length && (row.componentSize == 0 || row.isFree)) return Verdict::No;
  const auto decided = [](bool isMet) { return isMet ? Verdict::Yes : Verdict::No; };
  if (field == ObjectField::Free) return decided(node.comparison->test.acceptsFlag(row.isFree));
  if (!followsFromType(field)) return Verdict::Open;
  return decided(node.accepted[m_fields.symbolOfType(field, type)]);
}

bool ObjectPlan::holds(const Node& node, const ObjectView& object, ObjectValues& values,
                       std::uint64_t& unreadable) const {
  switch (node.kind) {
    case QueryNode::Kind::And:
      return std::ranges::all_of(node.children,
                                 [&](const Node& child) { return holds(child, object, values, unreadable); });
    case QueryNode::Kind::Or:
      return std::ranges::any_of(node.children,
                                 [&](const Node& child) { return holds(child, object, values, unreadable); });
    case QueryNode::Kind::Not:
      return !holds(node.children.front(), object, values, unreadable);
    case QueryNode::Kind::Comparison:
      break;
  }
  return holdsComparison(node, object, values, unreadable);
}

bool ObjectPlan::holdsComparison(const Node& node, const ObjectView& object, ObjectValues& values,
                                 std::uint64_t& unreadable) const {
  const ValueTest& test = node.comparison->test;
  const auto field = static_cast<ObjectField>(node.comparison->field.field);
  switch (node.form) {
    case ObjectFieldForm::Symbol: {
      const std::uint32_t symbol = m_fields.symbol(field, object);
      return symbol == ObjectFields::kNoSymbol ? node.acceptsNull : node.accepted[symbol];
    }
    case ObjectFieldForm::Flag:
      return test.acceptsFlag(m_fields.flag(field, object));
    case ObjectFieldForm::Number: {
      const auto number = m_fields.number(field, object);
      if (!number) return false;
      return node.numbers ? node.numbers->contain(*number) : test.accepts(QueryValue::ofAddress(*number));
    }
    case ObjectFieldForm::Memory:
      break;
  }
  return values.holds(*node.comparison, object, unreadable);
}

}  // namespace heapscape::engine
