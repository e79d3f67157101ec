// SPDX-License-Identifier: MIT
#include "session/references/path_expression.h"

#include <fmt/format.h>

#include "base/figures.h"
#include "metadata/names/csharp_type_name.h"
#include "metadata/names/generated_names.h"
#include "values/code_address.h"
#include "values/written_fields.h"

// The parts of expressions that follow from values alone.
namespace heapscape::engine {
namespace {

constexpr std::size_t kMostRuns = 100;      // that an expression shows at each end
constexpr std::size_t kStorageRuns = 1000;  // that lead from a collection to one of its items: twice a tree's depth
constexpr std::uint32_t kLongRun = 10;      // steps that are written as one

std::string grouped(std::uint64_t count) {
  std::string digits = std::to_string(count);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

Edge edgeOf(const EdgeRun& run) {
  return {run.holder, {}, run.kind, run.offset};
}

/// The fields as C# writes them, each behind a dot. Hidden ones stay hidden unless `showsAll`.
std::string fieldsText(const std::vector<FieldPathPart>& fields, bool showsAll) {
  std::string text;
  for (const FieldPathPart& part : fields) {
    if (part.element) {
      text += fmt::format("[{}]", *part.element);
      continue;
    }
    const WrittenField written = writtenField(part.declaring->name, part.field->name);
    if (showsAll && written.role == FieldRole::Hidden) {
      text += fmt::format(".{}", csharpFieldName(part.field->name));
    } else if (written.role != FieldRole::Hidden) {
      text += fmt::format(".{}", written.name);
    }
  }
  return text;
}

}  // namespace

PathText PathExpressions::write(std::span<const EdgeRun> runs) {
  PathText expression;
  for (std::size_t i = 0; i < runs.size();) {
    if (i == kMostRuns && runs.size() - i > kMostRuns) {
      const std::size_t next = runs.size() - kMostRuns;
      expression.add(fmt::format("…({})…", countOf(runs[next].first - runs[i].first, "step")));
      i = next;
    }
    const std::size_t taken = writeItem(runs.subspan(i), expression);
    if (taken == 0) writeRun(runs[i], i + 1 == runs.size(), expression);
    i += std::max<std::size_t>(taken, 1);
  }
  return expression;
}

void PathExpressions::writeRun(const EdgeRun& run, bool isLast, PathText& to) {
  if (run.kind == EdgeKind::Dependent || run.kind == EdgeKind::Loader) {
    to.add("." + m_names.nameOf(edgeOf(run), run.methodTable));
    return;
  }
  // Which field leads on was not recorded, so nothing that could be written down.
  if (run.kind == EdgeKind::Recorded) {
    if (!to.text.ends_with("…")) to.add("…");
    return;
  }
  const EdgePlace place = m_names.placeOf(edgeOf(run), run.methodTable);
  if (place.element.empty() && place.fields.empty()) {
    to.add(fmt::format(".({})", m_names.nameOf(edgeOf(run), run.methodTable)));
    return;
  }
  const std::string step = place.element + fieldsText(place.fields, isLast);
  if (run.length >= kLongRun && !step.empty()) {
    to.add(fmt::format("{}…×{}", step, grouped(run.length)));
  } else {
    for (std::uint32_t i = 0; i < run.length; ++i) to.add(step);
  }
}

FieldRole PathExpressions::roleOf(const EdgeRun& run) {
  const EdgePlace place = m_names.placeOf(edgeOf(run), run.methodTable);
  if (place.fields.empty()) return FieldRole::Named;
  const FieldPathPart& last = place.fields.back();
  return writtenField(last.declaring->name, last.field->name).role;
}

/// How many runs lead from a collection to one of its items; 0 if they do not.
std::size_t PathExpressions::writeItem(std::span<const EdgeRun> runs, PathText& to) {
  FieldRole role = roleOf(runs.front());
  if (role != FieldRole::Storage && role != FieldRole::Item) return 0;
  for (std::size_t i = 0;; ++i) {
    while (role == FieldRole::Storage || (i > 0 && role == FieldRole::Hidden)) {
      if (++i == runs.size() || i == kStorageRuns) return 0;
      role = roleOf(runs[i]);
    }
    const EdgeRun& last = runs[i];
    const auto item = last.length == 1 ? findItem(m_names.values(), runs.front().holder, last.holder,
                                                  last.holder + last.offset, m_looks)
                                       : std::nullopt;
    if (item) {
      writeFound(*item, to);
      return i + 1;
    }
    // An object of the storage may keep a part of it in a list.
    if (role == FieldRole::Item || i + 1 == runs.size()) return 0;
    role = roleOf(runs[i + 1]);
    if (role != FieldRole::Storage) return 0;
  }
}

void PathExpressions::writeFound(const FoundItem& item, PathText& to) const {
  const PathText label = itemExpression(item);
  to.text += label.text;
  to.redacted += label.redacted;
  const TypeShapes& shapes = m_names.values().shapes();
  const TypeShape* type = shapes.find(item.type);
  if (type && type->type.isValueType) to.add(fieldsText(fieldPathAt(shapes, *type, item.innerOffset), false));
}

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

/// Names of an enum's value; of a flags enum there may be several.
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
  if (!item.isNamedByKey()) return both(positionText(item) + ".Value");
  const std::string_view key = codeAddressOf(item.key).address;
  return {fmt::format("[{}]", item.key.kind == ValueKind::Enum ? enumText(item) : std::string(key)),
          item.key.isString ? "[\"…\"]" : "[…]"};
}

}  // namespace heapscape::engine
