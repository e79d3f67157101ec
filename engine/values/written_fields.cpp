// SPDX-License-Identifier: MIT
#include "values/written_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>

#include "base/limits.h"
#include "metadata/names/generated_names.h"

namespace heapscape::engine {
namespace {

std::uint64_t sizeOf(const TypeShape& declaring, const FieldShape& field) {
  return std::uint64_t{field.slot.sizeBytes} * declaring.repeat;
}

/// The field around an offset; of fields that lie over each other a reference wins.
const FieldShape* fieldAround(const TypeShape& type, std::uint64_t offset) {
  const FieldShape* around = nullptr;
  for (const FieldShape& field : type.fields) {
    if (offset < field.offset || offset - field.offset >= sizeOf(type, field)) continue;
    if (field.slot.kind == Slot::Kind::Reference) return &field;
    if (!around) around = &field;
  }
  return around;
}

/// In the type or one of its bases.
FieldPathPart partAround(const TypeShapes& shapes, const TypeShape& type, std::uint64_t offset) {
  const TypeShape* level = &type;
  for (std::size_t depth = 0; level && depth < kLimits.parentDepth; ++depth) {
    if (const FieldShape* field = fieldAround(*level, offset)) return {level, field};
    level = type.type.isValueType || !level->type.parent ? nullptr : shapes.find(level->type.parent);
  }
  return {};
}

}  // namespace

std::vector<FieldPathPart> fieldPathAt(const TypeShapes& shapes, const TypeShape& type, std::uint64_t offset) {
  std::vector<FieldPathPart> path;
  const TypeShape* level = &type;
  while (level && path.size() < kLimits.nestingDepth) {
    FieldPathPart part = partAround(shapes, *level, offset);
    if (!part.field) break;
    offset -= part.field->offset;
    const Slot& slot = part.field->slot;
    if (part.declaring->repeat > 1 && slot.sizeBytes) {
      part.element = static_cast<std::uint32_t>(offset / slot.sizeBytes);
      offset %= slot.sizeBytes;
    }
    path.push_back(part);
    level = slot.kind == Slot::Kind::ValueType ? shapes.find(slot.type) : nullptr;
  }
  return path;
}

std::string toString(const std::vector<FieldPathPart>& path) {
  std::string text;
  for (const FieldPathPart& part : path) {
    if (part.element) {
      text += fmt::format("[{}]", *part.element);
    } else {
      if (!text.empty()) text += '.';
      text += csharpFieldName(part.field->name);
    }
  }
  return text;
}

namespace {

struct KnownField {
  std::string_view type;  // without type arguments
  std::string_view field;
  FieldRole role = FieldRole::Named;
  std::string_view name = {};  // where it is not the field's own

  constexpr auto key() const { return std::tuple(type, field); }
};

using enum FieldRole;

// Names as in the class library of .NET 8 to 11, Newtonsoft.Json 13 and FSharp.Core.
constexpr std::array kKnownFields{
    KnownField{"Microsoft.FSharp.Collections.FSharpList", "head", Item},
    KnownField{"Microsoft.FSharp.Collections.FSharpList", "tail", Storage},
    KnownField{"Microsoft.FSharp.Collections.FSharpMap", "tree", Storage},
    KnownField{"Microsoft.FSharp.Collections.FSharpSet", "tree", Storage},
    KnownField{"Microsoft.FSharp.Collections.MapTree", "k", Item},
    KnownField{"Microsoft.FSharp.Collections.MapTree", "v", Item},
    KnownField{"Microsoft.FSharp.Collections.MapTreeNode", "left", Storage},
    KnownField{"Microsoft.FSharp.Collections.MapTreeNode", "right", Storage},
    KnownField{"Microsoft.FSharp.Collections.SetTree", "k", Item},
    KnownField{"Microsoft.FSharp.Collections.SetTreeNode", "left", Storage},
    KnownField{"Microsoft.FSharp.Collections.SetTreeNode", "right", Storage},
    KnownField{"Microsoft.FSharp.Core.FSharpOption", "value", Named, "Value"},
    KnownField{"Newtonsoft.Json.Linq.JArray", "_values", Hidden},
    KnownField{"Newtonsoft.Json.Linq.JConstructor", "_values", Hidden},
    KnownField{"Newtonsoft.Json.Linq.JObject", "_properties", Storage},
    KnownField{"Newtonsoft.Json.Linq.JProperty", "_content", Storage, "Value"},
    KnownField{"Newtonsoft.Json.Linq.JProperty+JPropertyList", "_token", Item},
    KnownField{"Newtonsoft.Json.Linq.JValue", "_value", Named, "Value"},
    KnownField{"System.ArraySegment", "_array", Named, "Array"},
    KnownField{"System.Collections.ArrayList", "_items", Hidden},
    KnownField{"System.Collections.ArrayList+FixedSizeArrayList", "_list", Hidden},
    KnownField{"System.Collections.ArrayList+IListWrapper", "_list", Hidden},
    KnownField{"System.Collections.ArrayList+ReadOnlyArrayList", "_list", Hidden},
    KnownField{"System.Collections.ArrayList+SyncArrayList", "_list", Hidden},
    KnownField{"System.Collections.Concurrent.BlockingCollection", "_collection", Hidden},
    KnownField{"System.Collections.Concurrent.ConcurrentBag", "_workStealingQueues", Storage},
    KnownField{"System.Collections.Concurrent.ConcurrentBag+WorkStealingQueue", "_array", Storage},
    KnownField{"System.Collections.Concurrent.ConcurrentBag+WorkStealingQueue", "_nextQueue", Storage},
    KnownField{"System.Collections.Concurrent.ConcurrentDictionary", "_tables", Storage},
    KnownField{"System.Collections.Concurrent.ConcurrentDictionary+Node", "_next", Storage},
    KnownField{"System.Collections.Concurrent.ConcurrentDictionary+Tables", "_buckets", Storage},
    KnownField{"System.Collections.Concurrent.ConcurrentDictionary+VolatileNode", "_node", Storage},
    KnownField{"System.Collections.Concurrent.ConcurrentQueue", "_head", Storage},
    KnownField{"System.Collections.Concurrent.ConcurrentQueue", "_tail", Storage},
    KnownField{"System.Collections.Concurrent.ConcurrentQueueSegment", "_nextSegment", Storage},
    KnownField{"System.Collections.Concurrent.ConcurrentQueueSegment", "_slots", Storage},
    KnownField{"System.Collections.Concurrent.ConcurrentStack", "_head", Storage},
    KnownField{"System.Collections.Concurrent.ConcurrentStack+Node", "_next", Storage},
    KnownField{"System.Collections.Concurrent.SingleProducerSingleConsumerQueue", "_head", Storage},
    KnownField{"System.Collections.Concurrent.SingleProducerSingleConsumerQueue", "_tail", Storage},
    KnownField{"System.Collections.Concurrent.SingleProducerSingleConsumerQueue+Segment", "_array", Storage},
    KnownField{"System.Collections.Concurrent.SingleProducerSingleConsumerQueue+Segment", "_next", Storage},
    KnownField{"System.Collections.Frozen.DenseIntegralFrozenDictionary+WithFullValues", "_keys", Storage},
    KnownField{"System.Collections.Frozen.DenseIntegralFrozenDictionary+WithFullValues", "_values", Storage},
    KnownField{"System.Collections.Frozen.DenseIntegralFrozenDictionary+WithOptionalValues", "_keys", Storage},
    KnownField{"System.Collections.Frozen.DenseIntegralFrozenDictionary+WithOptionalValues", "_values", Storage},
    KnownField{"System.Collections.Frozen.Int32FrozenDictionary", "_values", Storage},
    KnownField{"System.Collections.Frozen.ItemsFrozenSet", "_items", Storage},
    KnownField{"System.Collections.Frozen.KeysAndValuesFrozenDictionary", "_keys", Storage},
    KnownField{"System.Collections.Frozen.KeysAndValuesFrozenDictionary", "_values", Storage},
    KnownField{"System.Collections.Frozen.LengthBucketsFrozenDictionary", "_keys", Storage},
    KnownField{"System.Collections.Frozen.LengthBucketsFrozenDictionary", "_values", Storage},
    KnownField{"System.Collections.Frozen.LengthBucketsFrozenSet", "_items", Storage},
    KnownField{"System.Collections.Frozen.OrdinalStringFrozenDictionary", "_keys", Storage},
    KnownField{"System.Collections.Frozen.OrdinalStringFrozenDictionary", "_values", Storage},
    KnownField{"System.Collections.Frozen.OrdinalStringFrozenSet", "_items", Storage},
    KnownField{"System.Collections.Frozen.SmallFrozenDictionary", "_keys", Storage},
    KnownField{"System.Collections.Frozen.SmallFrozenDictionary", "_values", Storage},
    KnownField{"System.Collections.Frozen.SmallFrozenSet", "_items", Storage},
    KnownField{"System.Collections.Frozen.SmallValueTypeComparableFrozenDictionary", "_keys", Storage},
    KnownField{"System.Collections.Frozen.SmallValueTypeComparableFrozenDictionary", "_values", Storage},
    KnownField{"System.Collections.Frozen.SmallValueTypeComparableFrozenSet", "_items", Storage},
    KnownField{"System.Collections.Frozen.SmallValueTypeDefaultComparerFrozenDictionary", "_keys", Storage},
    KnownField{"System.Collections.Frozen.SmallValueTypeDefaultComparerFrozenDictionary", "_values", Storage},
    KnownField{"System.Collections.Frozen.SmallValueTypeDefaultComparerFrozenSet", "_items", Storage},
    KnownField{"System.Collections.Generic.Deque", "_array", Storage},
    KnownField{"System.Collections.Generic.Dictionary", "_entries", Storage},
    KnownField{"System.Collections.Generic.HashSet", "_entries", Storage},
    KnownField{"System.Collections.Generic.KeyValuePair", "key", Named, "Key"},
    KnownField{"System.Collections.Generic.KeyValuePair", "value", Named, "Value"},
    KnownField{"System.Collections.Generic.LinkedList", "head", Storage, "First"},
    KnownField{"System.Collections.Generic.LinkedListNode", "item", Named, "Value"},
    KnownField{"System.Collections.Generic.LinkedListNode", "list", Named, "List"},
    KnownField{"System.Collections.Generic.LinkedListNode", "next", Storage, "Next"},
    KnownField{"System.Collections.Generic.LinkedListNode", "prev", Storage, "Previous"},
    KnownField{"System.Collections.Generic.List", "_items", Hidden},
    KnownField{"System.Collections.Generic.OrderedDictionary", "_entries", Storage},
    KnownField{"System.Collections.Generic.PriorityQueue", "_nodes", Storage},
    KnownField{"System.Collections.Generic.Queue", "_array", Storage},
    KnownField{"System.Collections.Generic.SortedDictionary", "_set", Storage},
    KnownField{"System.Collections.Generic.SortedList", "keys", Storage},
    KnownField{"System.Collections.Generic.SortedList", "values", Storage},
    KnownField{"System.Collections.Generic.SortedSet", "root", Storage},
    KnownField{"System.Collections.Generic.SortedSet+Node", "<Left>k__BackingField", Storage},
    KnownField{"System.Collections.Generic.SortedSet+Node", "<Right>k__BackingField", Storage},
    KnownField{"System.Collections.Generic.Stack", "_array", Storage},
    KnownField{"System.Collections.Hashtable", "_buckets", Storage},
    KnownField{"System.Collections.Hashtable+SyncHashtable", "_table", Hidden},
    KnownField{"System.Collections.Immutable.ImmutableArray", "array", Hidden},
    KnownField{"System.Collections.Immutable.ImmutableDictionary", "_root", Storage},
    KnownField{"System.Collections.Immutable.ImmutableDictionary+HashBucket", "_additionalElements", Storage},
    KnownField{"System.Collections.Immutable.ImmutableHashSet", "_root", Storage},
    KnownField{"System.Collections.Immutable.ImmutableHashSet+HashBucket", "_additionalElements", Storage},
    KnownField{"System.Collections.Immutable.ImmutableList", "_root", Storage},
    KnownField{"System.Collections.Immutable.ImmutableList+Node", "_left", Storage},
    KnownField{"System.Collections.Immutable.ImmutableList+Node", "_right", Storage},
    KnownField{"System.Collections.Immutable.ImmutableQueue", "_backwards", Storage},
    KnownField{"System.Collections.Immutable.ImmutableQueue", "_forwards", Storage},
    KnownField{"System.Collections.Immutable.ImmutableSortedDictionary", "_root", Storage},
    KnownField{"System.Collections.Immutable.ImmutableSortedDictionary+Node", "_left", Storage},
    KnownField{"System.Collections.Immutable.ImmutableSortedDictionary+Node", "_right", Storage},
    KnownField{"System.Collections.Immutable.ImmutableSortedSet", "_root", Storage},
    KnownField{"System.Collections.Immutable.ImmutableSortedSet+Node", "_left", Storage},
    KnownField{"System.Collections.Immutable.ImmutableSortedSet+Node", "_right", Storage},
    KnownField{"System.Collections.Immutable.ImmutableStack", "_head", Item},
    KnownField{"System.Collections.Immutable.ImmutableStack", "_tail", Storage},
    KnownField{"System.Collections.Immutable.SortedInt32KeyNode", "_left", Storage},
    KnownField{"System.Collections.Immutable.SortedInt32KeyNode", "_right", Storage},
    KnownField{"System.Collections.ObjectModel.Collection", "items", Hidden},
    KnownField{"System.Collections.ObjectModel.ReadOnlyCollection", "list", Hidden},
    KnownField{"System.Collections.ObjectModel.ReadOnlyDictionary", "m_dictionary", Hidden},
    KnownField{"System.Collections.Queue", "_array", Storage},
    KnownField{"System.Collections.Queue+SynchronizedQueue", "_q", Hidden},
    KnownField{"System.Collections.SortedList", "keys", Storage},
    KnownField{"System.Collections.SortedList", "values", Storage},
    KnownField{"System.Collections.SortedList+SyncSortedList", "_list", Hidden},
    KnownField{"System.Collections.Stack", "_array", Storage},
    KnownField{"System.Collections.Stack+SyncStack", "_s", Hidden},
    KnownField{"System.Delegate", "_helperObject", Named, "GetInvocationList()"},  // since .NET 11
    KnownField{"System.Delegate", "_target", Named, "Target"},
    KnownField{"System.Delegate+Wrapper", "Value", Hidden},
    KnownField{"System.Exception", "_data", Named, "Data"},
    KnownField{"System.Exception", "_innerException", Named, "InnerException"},
    KnownField{"System.Exception", "_message", Named, "Message"},
    KnownField{"System.Lazy", "_value", Named, "Value"},
    KnownField{"System.Linq.Grouping", "_elements", Storage},
    KnownField{"System.Linq.Grouping", "_hashNext", Storage},
    KnownField{"System.Linq.Grouping", "_next", Storage},
    KnownField{"System.Linq.Lookup", "_groupings", Storage},
    KnownField{"System.Linq.Lookup", "_lastGrouping", Storage},
    KnownField{"System.MulticastDelegate", "_invocationList", Named, "GetInvocationList()"},
    KnownField{"System.Nullable", "value", Named, "Value"},
    KnownField{"System.Text.Json.JsonPropertyDictionary", "_propertyDictionary", Storage},
    KnownField{"System.Text.Json.JsonPropertyDictionary", "_propertyList", Storage},
    KnownField{"System.Text.Json.Nodes.JsonArray", "_list", Hidden},
    KnownField{"System.Text.Json.Nodes.JsonObject", "_dictionary", Hidden},
    KnownField{"System.Threading.Channels.BoundedChannel", "_items", Hidden},
    KnownField{"System.Threading.Channels.SingleConsumerUnboundedChannel", "_items", Hidden},
    KnownField{"System.Threading.Channels.UnboundedChannel", "_items", Hidden},
    KnownField{"System.Threading.Channels.UnboundedPrioritizedChannel", "_items", Hidden},
    KnownField{"System.Threading.Tasks.Task", "m_result", Named, "Result"},
    KnownField{"System.Threading.Tasks.TaskCompletionSource", "_task", Named, "Task"},
    KnownField{"System.Tuple", "m_Item1", Named, "Item1"},
    KnownField{"System.Tuple", "m_Item2", Named, "Item2"},
    KnownField{"System.Tuple", "m_Item3", Named, "Item3"},
    KnownField{"System.Tuple", "m_Item4", Named, "Item4"},
    KnownField{"System.Tuple", "m_Item5", Named, "Item5"},
    KnownField{"System.Tuple", "m_Item6", Named, "Item6"},
    KnownField{"System.Tuple", "m_Item7", Named, "Item7"},
    KnownField{"System.Tuple", "m_Rest", Named, "Rest"},
};
static_assert(std::ranges::is_sorted(kKnownFields, {}, &KnownField::key));

constexpr std::array<std::string_view, 3> kNamespaces{"System.", "Microsoft.FSharp.", "Newtonsoft.Json."};

constexpr std::array<std::string_view, 10> kIndexed{
    "ArrayList", "Collection", "FSharpList", "ImmutableArray",       "ImmutableList",
    "JArray",    "JsonArray",  "List",       "ObservableCollection", "ReadOnlyCollection"};
static_assert(std::ranges::is_sorted(kIndexed));

}  // namespace

WrittenField writtenField(std::string_view declaringType, std::string_view fieldName) {
  if (isCapturedScope(fieldName)) return {Hidden, fieldName};
  const bool isKnown = std::ranges::any_of(kNamespaces, [&](auto name) { return declaringType.starts_with(name); });
  if (isKnown) {
    const std::string type = withoutTypeArguments(declaringType);
    // F# adds the line of the source: "tree@690".
    const std::tuple key(std::string_view(type), fieldName.substr(0, fieldName.find('@')));
    const auto known = std::ranges::lower_bound(kKnownFields, key, {}, &KnownField::key);
    if (known != kKnownFields.end() && known->key() == key)
      return {known->role, known->name.empty() ? csharpFieldName(fieldName) : known->name};
  }
  return {Named, csharpFieldName(fieldName)};
}

std::string withoutTypeArguments(std::string_view typeName) {
  std::string name;
  std::size_t depth = 0;
  for (const char c : typeName) {
    if (c == '>' && depth > 0)
      --depth;
    else if (c == '<')
      ++depth;
    else if (depth == 0)
      name += c;
  }
  return name;
}

bool hasIndexer(std::string_view collectionKind) {
  return std::ranges::binary_search(kIndexed, collectionKind);
}

}  // namespace heapscape::engine
