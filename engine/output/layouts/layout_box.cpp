// SPDX-License-Identifier: MIT
#include "output/layouts/layout_box.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/short_type_name.h"
#include "layout/advice/separation.h"
#include "layout/layout_items.h"
#include "output/text.h"

namespace heapscape::engine {

namespace {

constexpr std::uint32_t kMethodTableBytes = 8;  // an object's address is that of its method table pointer

std::string fieldText(const LayoutItem& field) {
  const std::string times = field.repeats > 1 ? fmt::format(" × {}", field.repeats) : std::string();
  return printable(shortTypeName(field.typeName)) + times + ' ' + printable(field.name);
}

std::string rangeText(std::int64_t first, std::int64_t sizeBytes) {
  return sizeBytes > 1 ? fmt::format("{}-{}", first, first + sizeBytes - 1) : std::to_string(first);
}

bool hasLevels(const TypeLayout& layout) {
  std::set<std::string_view> levels;
  for (const LayoutField& field : layout.fields) levels.insert(field.declaringType);
  return levels.size() > 1;
}

/// Where the cache lines of a whole object begin, met in order. Offsets as in its items.
class CacheLines {
 public:
  explicit CacheLines(bool isShown) : m_isShown(isShown) {}

  /// The start of the last line that begins up to here and was not met before.
  std::optional<std::int64_t> reach(std::int64_t offset) {
    if (!m_isShown || offset < m_next) return std::nullopt;
    const std::int64_t line = m_next + (offset - m_next) / kCacheLineBytes * kCacheLineBytes;
    m_next = line + kCacheLineBytes;
    return line;
  }
  bool isCrossedBy(const LayoutItem& item) const {
    return m_isShown && item.begin < m_next && item.end > m_next && item.sizeBytes() <= kCacheLineBytes;
  }

 private:
  std::int64_t m_next = kCacheLineBytes;
  bool m_isShown;
};

/// The box of an object's fields, or of a value inside it.
class BoxBuilder {
 public:
  /// `base`: offset that is shown as 0.
  BoxBuilder(const LayoutItems& items, std::int64_t base, CacheLines& lines)
      : m_items(items), m_base(base), m_lines(lines) {}

  void compareWith(const TypeLayout& before);
  void addRows(TextBox& box, const std::vector<std::uint32_t>& items, bool showsLevels);

 private:
  std::vector<const LayoutItem*> shownOf(const std::vector<std::uint32_t>& items) const;
  void addRules(TextBox& box, const LayoutItem& item, bool isFirst, bool isNewLevel);
  std::string rowText(const LayoutItem& item, std::size_t width) const;
  std::string movedText(const LayoutItem& field) const;
  TextBox nestedBox(const LayoutItem& field);

  const LayoutItems& m_items;
  std::int64_t m_base;
  CacheLines& m_lines;
  std::map<std::pair<std::string_view, std::string_view>, const LayoutField*> m_before;  // by declaring type and name
};

void BoxBuilder::compareWith(const TypeLayout& before) {
  for (const LayoutField& field : before.fields) m_before[{field.declaringType, field.name}] = &field;
}

std::string BoxBuilder::movedText(const LayoutItem& field) const {
  const auto found = m_before.find({field.declaringType, field.name});
  if (found == m_before.end() || found->second->offset == field.begin - m_items.fieldsBegin) return {};
  const LayoutField& before = *found->second;
  return fmt::format(" ↕ was {}", rangeText(before.offset, std::int64_t{before.sizeBytes} * before.repeat));
}

std::string BoxBuilder::rowText(const LayoutItem& item, std::size_t width) const {
  const std::string range = rangeText(item.begin - m_base, item.sizeBytes());
  const std::string bytes = bytesText(static_cast<std::uint64_t>(item.sizeBytes()));
  if (item.part == LayoutPart::Padding) return fmt::format("{:>{}}: padding ({})", range, width, bytes);
  std::string remarks;
  if (item.overlaps) remarks += ", overlaps";
  if (!item.canOpen() && item.repeats == 1 && m_lines.isCrossedBy(item)) remarks += ", in two cache lines";
  return fmt::format("{:>{}}: {} ({}{}){}", range, width, fieldText(item), bytes, remarks, movedText(item));
}

void BoxBuilder::addRules(TextBox& box, const LayoutItem& item, bool isFirst, bool isNewLevel) {
  const auto line = m_lines.reach(item.begin);
  if (line) box.addRule('-', fmt::format("{} ── cache line", *line - m_base));
  if (isNewLevel || (!isFirst && !line)) {
    box.addRule('-', isNewLevel ? printable(item.declaringType) : std::string());
  }
}

// Fields and paddings by offset; of those that begin together, as they were declared.
std::vector<const LayoutItem*> BoxBuilder::shownOf(const std::vector<std::uint32_t>& items) const {
  std::vector<std::uint32_t> numbers(items);
  std::ranges::sort(numbers);
  std::vector<const LayoutItem*> shown;
  for (const std::uint32_t number : numbers) {
    const LayoutItem& item = m_items[number];
    if (item.part == LayoutPart::Field || item.part == LayoutPart::Padding) shown.push_back(&item);
  }
  std::ranges::stable_sort(shown, {}, &LayoutItem::begin);
  return shown;
}

void BoxBuilder::addRows(TextBox& box, const std::vector<std::uint32_t>& items, bool showsLevels) {
  const std::vector<const LayoutItem*> shown = shownOf(items);
  std::size_t width = 5;
  for (const LayoutItem* item : shown)
    width = std::max(width, rangeText(item->begin - m_base, item->sizeBytes()).size());
  const std::string* level = nullptr;
  for (const LayoutItem* item : shown) {
    const bool isField = item->part == LayoutPart::Field;
    const bool isNewLevel = showsLevels && isField && (!level || *level != item->declaringType);
    if (isNewLevel) level = &item->declaringType;
    addRules(box, *item, item == shown.front(), isNewLevel);
    box.addRow(rowText(*item, width));
    if (item->canOpen()) box.addBox(nestedBox(*item));
  }
}

TextBox BoxBuilder::nestedBox(const LayoutItem& field) {
  // Of fields in a row the first stands for all.
  const std::int64_t end = field.begin + field.sizeBytes() / static_cast<std::int64_t>(field.repeats);
  std::vector<std::uint32_t> inside = field.children;
  std::erase_if(inside, [&](std::uint32_t child) { return m_items[child].begin >= end; });
  TextBox box;
  box.addRule('=');
  BoxBuilder(m_items, field.begin, m_lines).addRows(box, inside, false);
  box.addRule('=');
  return box;
}

void addElements(TextBox& box, const TypeLayout& layout, const TypeLayout* before) {
  box.addRule('=');
  box.addRow(fmt::format("{:>5}: {} elements ({} each)", fmt::format("{}-", layout.elementOffset - 8),
                         printable(shortTypeName(layout.elementTypeName)), bytesText(layout.componentSize)));
  for (const TypeLayout& element : layout.elementLayout) {
    TextBox inner;
    CacheLines none(false);
    inner.addRule('=');
    const LayoutItems items = buildLayoutItems(element, true, FieldRows::AsOne);
    BoxBuilder builder(items, items.fieldsBegin, none);
    if (before && !before->elementLayout.empty()) builder.compareWith(before->elementLayout.front());
    builder.addRows(inner, items.roots, false);
    inner.addRule('=');
    box.addBox(std::move(inner));
  }
}

void addLengths(TextBox& box, const TypeLayout& layout) {
  const std::uint32_t bytes = layout.elementOffset - kMethodTableBytes;
  box.addRow(fmt::format("{:>5}: {} ({})", rangeText(0, bytes),
                         layout.rank > 1 ? "length, lengths and lower bounds" : "length", bytesText(bytes)));
}

}  // namespace

std::string bytesText(std::uint64_t bytes) {
  return fmt::format("{} byte{}", bytes, bytes == 1 ? "" : "s");
}

TextBox layoutBox(const TypeLayout& layout, const LayoutBoxMarks& marks) {
  TextBox box;
  box.addRule('=');
  if (!layout.valueSize) {
    box.addRow("Object header (8 bytes)");
    box.addRule('-');
    box.addRow("Method table pointer (8 bytes)");
    box.addRule('=');
  }
  const bool isArray = layout.kind == TypeKind::Array && layout.elementOffset >= kMethodTableBytes;
  if (isArray && layout.fields.empty()) {
    addLengths(box, layout);
  } else {
    const LayoutItems items = buildLayoutItems(layout, true, FieldRows::AsOne);
    CacheLines lines(marks.cacheLines);
    BoxBuilder builder(items, items.fieldsBegin, lines);
    if (marks.before) builder.compareWith(*marks.before);
    builder.addRows(box, items.roots, hasLevels(layout));
  }
  if (isArray) addElements(box, layout, marks.before);
  box.addRule('=');
  return box;
}

}  // namespace heapscape::engine
