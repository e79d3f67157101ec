// SPDX-License-Identifier: MIT
#include "views/object/values/value_node.h"

#include <algorithm>

#include "values/string_object.h"
#include "widgets/text/figures.h"
#include "widgets/text/value_text.h"

namespace heapscape::gui {

std::vector<ValueRange> divideValues(const ValueRange& all) {
  if (all.count <= kValuesShownAtOnce) return {};
  std::uint64_t step = kValuesShownAtOnce;
  while ((all.count - 1) / step >= kValuesShownAtOnce) step *= kValuesShownAtOnce;
  std::vector<ValueRange> ranges;
  std::uint64_t first = all.first;
  for (std::uint64_t left = all.count; left > 0; left -= ranges.back().count) {
    ranges.push_back({first, std::min(step, left)});
    first += step;
  }
  return ranges;
}

namespace {

template <class T>
engine::Outcome<T> asOutcome(engine::Result<T> result) {
  if (!result) return tl::unexpected(engine::Unfinished(std::move(result.error())));
  return std::move(*result);
}

}  // namespace

engine::Outcome<ValueAnswer> readValues(const engine::Snapshot& snapshot, const ValueQuestion& question,
                                        std::stop_token stop) {
  ValueAnswer answer;
  switch (question.kind) {
    case ValueQuestion::Kind::Object: {
      HEAPSCAPE_TRY(answer.object, asOutcome(engine::objectDetails(snapshot, question.object)));
      break;
    }
    case ValueQuestion::Kind::Elements: {
      HEAPSCAPE_TRY(answer.elements,
                    asOutcome(engine::arrayElements(snapshot, question.object, question.first, question.count)));
      break;
    }
    case ValueQuestion::Kind::Items: {
      HEAPSCAPE_TRY(answer.items,
                    engine::collectionItems(snapshot, question.object, question.first, question.count, stop));
      break;
    }
  }
  return answer;
}

namespace {

using engine::FieldValue;
using engine::ObjectDetails;

// Strings are whole in their line; every other object has something inside.
bool leadsOn(const engine::Value& value) {
  return value.kind == engine::ValueKind::Reference && value.object && !engine::isStringObject(value);
}

std::unique_ptr<ValueNode> valueNode(const FieldValue& value, const ObjectDetails* shown) {
  auto node = std::make_unique<ValueNode>();
  node->name = fieldNameText(value.name);
  node->value = value;
  node->value.nested.clear();  // they become children
  if (shown && value.address >= shown->row.address) {
    const auto begin = static_cast<std::int64_t>(value.address - shown->row.address);
    node->span = {begin, begin + value.sizeBytes};
  }
  for (const FieldValue& inner : value.nested) node->children.push_back(valueNode(inner, shown));
  if (node->children.empty() && leadsOn(value.value)) {
    node->state = ValueNode::Children::Unasked;
    node->question = ValueQuestion{.object = value.value.object};
  }
  return node;
}

ValueNodes valueNodes(const std::vector<FieldValue>& values, const ObjectDetails* shown) {
  ValueNodes nodes;
  nodes.reserve(values.size());
  for (const FieldValue& value : values) nodes.push_back(valueNode(value, shown));
  return nodes;
}

QString rangeName(const ValueRange& range) {
  return u"[%1 … %2]"_s.arg(countText(range.first), countText(range.first + range.count - 1));
}

std::unique_ptr<ValueNode> rangeNode(const ValueRange& range, const ValueQuestion& about, ByteSpan elements,
                                     std::int64_t stride) {
  auto node = std::make_unique<ValueNode>();
  node->kind = ValueNode::Kind::Range;
  node->name = rangeName(range);
  node->state = ValueNode::Children::Unasked;
  node->question = about;
  node->question->first = range.first;
  node->question->count = static_cast<std::size_t>(range.count);
  node->value.sizeBytes = static_cast<std::uint32_t>(stride);
  if (!elements.isEmpty()) {
    const auto count = static_cast<std::int64_t>(range.count);
    node->span = {elements.begin, elements.begin + count * stride};
  }
  return node;
}

// `whole`: the bytes of all the elements in the object shown; empty for another object's.
ValueNodes dividedNodes(const ValueRange& all, const ValueQuestion& about, ByteSpan whole, std::int64_t stride) {
  ValueNodes nodes;
  for (const ValueRange& range : divideValues(all)) {
    ByteSpan span = whole;
    if (!whole.isEmpty()) span.begin += static_cast<std::int64_t>(range.first - all.first) * stride;
    nodes.push_back(rangeNode(range, about, span, stride));
  }
  return nodes;
}

ValueNodes elementNodes(const ObjectDetails& object, bool isShown) {
  const engine::ArrayDetails& array = *object.array;
  const ValueRange all{0, array.count};
  const std::int64_t stride = array.elementSize;
  ByteSpan whole;
  // What an absurd length claims to hold beyond the object is nothing that could be pointed at.
  const bool isInside = array.elementSize > 0 && array.count <= object.row.sizeBytes / array.elementSize;
  if (isShown && isInside) {
    whole = {array.elementOffset, array.elementOffset + static_cast<std::int64_t>(array.count) * stride};
  }
  const ValueQuestion about{.kind = ValueQuestion::Kind::Elements, .object = object.row.address};
  ValueNodes nodes = dividedNodes(all, about, whole, stride);
  if (nodes.empty()) nodes = valueNodes(array.elements, isShown ? &object : nullptr);
  if (!array.damage.empty()) nodes.insert(nodes.begin(), noteNode(fromEngine(array.damage), true));
  if (nodes.empty()) nodes.push_back(noteNode(u"no elements"_s, false));
  return nodes;
}

// An item as a line: "[42]" or its key, and what it holds.
std::unique_ptr<ValueNode> itemNode(const engine::CollectionItem& item) {
  FieldValue value;
  value.value = item.value;
  value.nested = item.valueFields;
  value.address = item.valueAddress;
  value.typeName = item.value.objectType;
  auto node = valueNode(value, nullptr);
  const bool hasKey = item.key.kind != engine::ValueKind::Null;
  node->name = hasKey ? u"[%1]"_s.arg(valueText(item.key)) : fromEngine(item.label);
  return node;
}

ValueNodes itemNodes(const std::vector<engine::CollectionItem>& items) {
  ValueNodes nodes;
  for (const engine::CollectionItem& item : items) nodes.push_back(itemNode(item));
  return nodes;
}

ValueNodes collectionNodes(const ObjectDetails& object) {
  const engine::CollectionDetails& collection = *object.collection;
  const ValueQuestion about{.kind = ValueQuestion::Kind::Items, .object = object.row.address};
  ValueNodes nodes = dividedNodes({0, collection.count}, about, {}, 0);
  if (nodes.empty()) nodes = itemNodes(collection.items);
  if (!collection.damage.empty()) nodes.insert(nodes.begin(), noteNode(fromEngine(collection.damage), true));
  return nodes;
}

ValueNodes groupedByDeclarer(ValueNodes nodes) {
  ValueNodes groups;
  for (auto& node : nodes) {
    const std::string& declarer = node->value.declaringType;
    if (groups.empty() || groups.back()->value.typeName != declarer) {
      auto group = std::make_unique<ValueNode>();
      group->kind = ValueNode::Kind::Declarer;
      group->name = fromEngine(declarer);
      group->value.typeName = declarer;
      groups.push_back(std::move(group));
    }
    ValueNode& group = *groups.back();
    group.span = group.children.empty()
                     ? node->span
                     : ByteSpan{std::min(group.span.begin, node->span.begin), std::max(group.span.end, node->span.end)};
    group.children.push_back(std::move(node));
  }
  return groups;
}

}  // namespace

ValueNodes fieldNodes(const ObjectDetails& object, bool isShown, bool grouped) {
  if (object.array) return elementNodes(object, isShown);
  ValueNodes nodes = valueNodes(object.fields, isShown ? &object : nullptr);
  if (nodes.empty() && object.boxed) {
    FieldValue value;
    value.name = "value";
    value.typeName = object.typeName;
    value.value = object.boxed->value;
    value.address = object.row.address + object.boxed->valueOffset;
    value.offset = object.boxed->valueOffset;
    value.sizeBytes = object.boxed->valueSize;
    nodes.push_back(valueNode(value, isShown ? &object : nullptr));
  }
  if (nodes.empty()) nodes.push_back(noteNode(u"no fields"_s, false));
  const bool hasSeveral = std::ranges::any_of(
      nodes, [&nodes](const auto& node) { return node->value.declaringType != nodes.front()->value.declaringType; });
  return grouped && hasSeveral ? groupedByDeclarer(std::move(nodes)) : std::move(nodes);
}

ValueNodes objectNodes(const ObjectDetails& object) {
  if (!object.collection) return fieldNodes(object, false, false);
  ValueNodes nodes = collectionNodes(object);
  auto internals = std::make_unique<ValueNode>();
  internals->kind = ValueNode::Kind::Internals;
  internals->name = u"internals"_s;
  internals->children = fieldNodes(object, false, false);
  nodes.push_back(std::move(internals));
  return nodes;
}

ValueNodes rangeNodes(const ValueNode& range) {
  const ValueQuestion& question = *range.question;
  return dividedNodes({question.first, question.count}, question, range.span, range.value.sizeBytes);
}

ValueNodes answerNodes(const ValueNode& node, const ValueAnswer& answer) {
  switch (node.question->kind) {
    case ValueQuestion::Kind::Object:
      return objectNodes(*answer.object);
    case ValueQuestion::Kind::Items:
      return itemNodes(answer.items);
    case ValueQuestion::Kind::Elements:
      break;
  }
  if (node.span.isEmpty()) return valueNodes(answer.elements, nullptr);
  ObjectDetails shown;
  shown.row.address = node.question->object;
  return valueNodes(answer.elements, &shown);
}

std::unique_ptr<ValueNode> noteNode(const QString& text, bool isWarning) {
  auto node = std::make_unique<ValueNode>();
  node->kind = ValueNode::Kind::Note;
  node->name = text;
  node->isWarning = isWarning;
  return node;
}

QString pathOf(const ValueNode& node) {
  QString path = node.parent ? pathOf(*node.parent) : QString();
  if (node.kind != ValueNode::Kind::Value || node.name.isEmpty()) return path;
  if (!path.isEmpty() && !node.name.startsWith(QLatin1Char('['))) path += QLatin1Char('.');
  return path + node.name;
}

}  // namespace heapscape::gui
