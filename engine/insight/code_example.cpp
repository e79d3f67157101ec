// SPDX-License-Identifier: MIT
#include "insight/code_example.h"

namespace heapscape::engine {
namespace {

/// What "$" stands for in the texts: the type, or of an array its elements.
std::string with(std::string_view text, std::string_view name) {
  std::string all;
  for (const char letter : text) all += letter == '$' ? name : std::string_view(&letter, 1);
  return all;
}

std::string_view elementOf(std::string_view array) {
  return array.ends_with("[]") ? array.substr(0, array.size() - 2) : array;
}

CodeExample wrapperOfOne(std::string_view type) {
  if (type.ends_with("[]"))
    return {with("$[] items = [item];", elementOf(type)),
            with("$ first;  // an array only when there is a second", elementOf(type))};
  return {with("readonly $ items = new();", type), with("Item first;\n$? more;  // made with the second item", type)};
}

}  // namespace

std::optional<CodeExample> codeExampleOf(InsightKind kind, std::string_view typeName) {
  const std::string_view type = typeName.empty() ? "T" : typeName;
  switch (kind) {
    case InsightKind::DuplicateStrings:
      return CodeExample{"order.State = reader.GetString(2);",
                         "order.State = Pool.GetOrAdd(reader.GetString(2));\n"
                         "// a StringPool, or a HashSet<string> of your own"};
    case InsightKind::BoxedValues:
      return CodeExample{with("List<object> all = [];\nall.Add(value);  // a box for each $", type),
                         with("List<$> all = [];\nall.Add(value);", type)};
    case InsightKind::EmptyArrays:
      return CodeExample{with("return new $[0];", elementOf(type)), with("return Array.Empty<$>();", elementOf(type))};
    case InsightKind::UniformArrays:
      return CodeExample{with("var all = new $[count];\nArray.Fill(all, value);", elementOf(type)),
                         with("$ value;  // and an array once an element differs", elementOf(type))};
    case InsightKind::SparseArrays:
      return CodeExample{with("var all = new $[largest + 1];", elementOf(type)),
                         with("var all = new Dictionary<int, $>();", elementOf(type))};
    case InsightKind::EmptyCollections:
      return CodeExample{with("readonly $ items = new();", type),
                         with("$? items;\nvoid Add(…) => (items \?\?= new()).Add(…);", type)};
    case InsightKind::OversizedCollections:
      return CodeExample{with("var items = new $();\nforeach (var one in source) items.Add(one);", type),
                         with("var items = new $(source.Count);\nforeach (var one in source) items.Add(one);\n"
                              "// or, behind the loop: items.TrimExcess();",
                              type)};
    case InsightKind::OneElementCollections:
      return wrapperOfOne(type);
    case InsightKind::PoorHashing:
      return CodeExample{"public override int GetHashCode() => Region;",
                         "public override int GetHashCode() => HashCode.Combine(Region, Id);"};
    case InsightKind::SmallObjects:
      return CodeExample{with("sealed class $ { … }\nList<$> all;", type), with("struct $ { … }\n$[] all;", type)};
    case InsightKind::SingleFieldWrappers:
      return CodeExample{with("sealed class $ { readonly int value; }", type),
                         with("readonly struct $ { readonly int value; }", type)};
    case InsightKind::DelegateLeak:
      return CodeExample{"publisher.Changed += OnChanged;",
                         "publisher.Changed += OnChanged;\n"
                         "public void Dispose() => publisher.Changed -= OnChanged;"};
    case InsightKind::TimerLeak:
      return CodeExample{"new Timer(Tick, null, 0, 1000);",
                         "timer = new Timer(Tick, null, 0, 1000);\npublic void Dispose() => timer.Dispose();"};
    case InsightKind::UndisposedFinalizables:
      return CodeExample{with("var it = new $(…);", type), with("using var it = new $(…);", type)};
    case InsightKind::PendingAsync:
      return CodeExample{"await answer.Task;", "await answer.Task.WaitAsync(timeout, cancellation);"};
    default:
      return std::nullopt;
  }
}

}  // namespace heapscape::engine
