// SPDX-License-Identifier: MIT
// The parts of expressions that follow from values alone.
#include <fmt/format.h>

#include "metadata/names/csharp_type_name.h"
#include "metadata/names/generated_names.h"
#include "session/references/path_expression.h"
#include "values/code_address.h"
#include "values/written_fields.h"

namespace heapscape::engine {
namespace {

constexpr std::string_view kStatic = "static ";

/// "Zoo.P.<Orders>k__BackingField" as "Zoo.P.Orders". Type names have dots in angle brackets, too.
std::string staticText(std::string_view qualified) {
  std::size_t depth = 0;
  for (std::size_t i = qualified.size(); i-- > 0;) {
    if (qualified[i] == '>') ++depth;
    if (qualified[i] == '<' && depth > 0) --depth;
    if (qualified[i] == '.' && depth == 0)
      return fmt::format("{}.{}", qualified.substr(0, i), csharpFieldName(qualified.substr(i + 1)));
  }
  return std::string(qualified);
}

std::string withoutThreadName(std::string_view text) {
  const std::size_t open = text.find(" \"");
  const std::size_t close = text.rfind('"');
  if (open == std::string_view::npos || close <= open + 1) return std::string(text);
  return std::string(text.substr(0, open)) + std::string(text.substr(close + 1));
}

/// "thread 5 \"worker\": Zoo.P.Work, order" in parentheses, without a place that has no name.
std::string stackText(std::string_view name) {
  const std::size_t comma = name.rfind(", ");
  const bool isNamed = comma == std::string_view::npos || !name.substr(comma + 2).starts_with("rsp");
  return fmt::format("({})", isNamed ? name : name.substr(0, comma));
}

/// Of a flags enum several may be named.
std::string enumText(const FoundItem& item) {
  const std::string type = csharpTypeName(item.keyType);
  if (item.key.text.empty() || item.key.text.find_first_of("-0123456789") == 0)
    return fmt::format("({}){}", type, item.key.text);
  std::string text = type + "." + item.key.text;
  for (std::size_t at = text.find(" | "); at != std::string::npos; at = text.find(" | ", at + 3))
    text.insert(at + 3, type + ".");
  return text;
}

std::string positionText(const FoundItem& item) {
  return item.ordinal ? fmt::format(".ElementAt({})", *item.ordinal) : std::string(".ElementAt(…)");
}

PathText both(const std::string& text) {
  return {text, text};
}

}  // namespace

PathText rootExpression(const RootRow& root) {
  std::string_view name = root.name;
  switch (root.kind) {
    case RootKind::Static:
      return both(staticText(name.substr(name.starts_with(kStatic) ? kStatic.size() : 0)));
    case RootKind::ThreadStatic: {
      const std::size_t field = name.find(kStatic);
      if (field == std::string_view::npos) return both(fmt::format("({})", name));
      const std::string_view thread = name.substr(0, field - std::min<std::size_t>(field, 2));
      return both(fmt::format("({}) {}", thread, staticText(name.substr(field + kStatic.size()))));
    }
    case RootKind::Stack: {
      const std::string text = stackText(name);
      return {text, withoutThreadName(text)};
    }
    case RootKind::Given:
      return both(fmt::format("({})", toString(root.object)));
    default:
      return both(root.address ? fmt::format("({} {})", name, toString(root.address)) : fmt::format("({})", name));
  }
}

PathText itemExpression(const FoundItem& item) {
  if (item.kind == "PriorityQueue")
    return both(fmt::format(".UnorderedItems{}.{}", positionText(item), item.isKey ? "Priority" : "Element"));
  if (!item.hasKeys)
    return both(hasIndexer(item.kind) && item.ordinal ? fmt::format("[{}]", *item.ordinal) : positionText(item));
  if (item.isKey) return both(".Keys" + positionText(item));
  if (!item.isToldByKey()) return both(positionText(item) + ".Value");
  const std::string_view key = codeAddressOf(item.key).address;
  return {fmt::format("[{}]", item.key.kind == ValueKind::Enum ? enumText(item) : std::string(key)),
          item.key.isString ? "[\"…\"]" : "[…]"};
}

}  // namespace heapscape::engine
