// SPDX-License-Identifier: MIT
#include "output/layouts/layout_box.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/short_type_name.h"
#include "layout/advice/separation.h"
#include "layout/layout_items.h"
#include "output/layouts/layout_output.h"
#include "output/text.h"

namespace heapscape::engine {
namespace {

constexpr std::string_view kRowStart = "| ";
constexpr std::string_view kBoxStart = "|   ";
constexpr std::string_view kEnd = " |";

std::string padded(std::string_view text, std::size_t width) {
  std::string line(text);
  line.append(width - std::min(width, textWidth(text)), ' ');
  return line;
}

std::string rule(char character, const std::string& title, std::size_t width) {
  std::string line = "|";
  if (!title.empty()) line += std::string(2, character) + ' ' + title + ' ';
  line.append(width - textWidth(line) - 1, character);
  return line + '|';
}

}  // namespace

void TextBox::addRow(std::string text) {
  m_items.push_back({0, std::move(text), {}});
}

void TextBox::addBox(TextBox box) {
  m_items.push_back({0, {}, {std::move(box)}});
}

void TextBox::addRule(char character, std::string title) {
  m_items.push_back({character, std::move(title), {}});
}

std::vector<std::string> TextBox::draw(std::size_t minimumWidth) const {
  const std::size_t total = std::max(minimumWidth, width());
  std::vector<std::string> lines;
  for (const Item& item : m_items) {
    if (item.rule) {
      lines.push_back(rule(item.rule, item.text, total));
    } else if (item.box.empty()) {
      const std::size_t inner = total - kRowStart.size() - kEnd.size();
      lines.push_back(std::string(kRowStart) + padded(item.text, inner) + std::string(kEnd));
    } else {
      const std::size_t inner = total - kBoxStart.size() - kEnd.size();
      for (const std::string& line : item.box.front().draw(inner)) {
        lines.push_back(std::string(kBoxStart) + line + std::string(kEnd));
      }
    }
  }
  return lines;
}

std::size_t TextBox::width() const {
  std::size_t widest = 0;
  for (const Item& item : m_items) {
    std::size_t needed = textWidth(item.text) + kRowStart.size() + kEnd.size();
    if (item.rule && !item.text.empty()) needed = textWidth(item.text) + 6;
    if (!item.box.empty()) needed = item.box.front().width() + kBoxStart.size() + kEnd.size();
    widest = std::max(widest, needed);
  }
  return widest;
}

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
  // The first of fields in a row stands for all.
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

namespace {

constexpr std::size_t kGap = 3;

std::string sizeLine(const TypeLayout& layout, const TypeLayout& first) {
  const std::uint32_t bytes = layout.unitBytes();
  const std::uint32_t before = first.unitBytes();
  const std::string size = bytesText(bytes) + (layout.unit() == LayoutUnit::Element ? " an element" : "");
  if (bytes == before) return size;
  const std::uint32_t difference = std::max(bytes, before) - std::min(bytes, before);
  return fmt::format("{}, {} {} than {}", size, difference, bytes < before ? "fewer" : "more", before);
}

std::string paddingLine(const TypeLayout& layout) {
  const TypeLayout& unit = layout.unitLayout();
  const std::uint32_t padding = unit.paddingBytes();
  return fmt::format("padding {}, {}% of the {}", padding, percentOf(padding, unit.fieldsBytes),
                     spaceOf(layout.unit()));
}

/// A remark may be long, and a column is as wide as its box.
std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
  std::vector<std::string> lines;
  std::string line;
  std::size_t from = 0;
  while (from < text.size()) {
    const std::size_t to = std::min(text.find(' ', from), text.size());
    const std::string word = text.substr(from, to - from);
    if (!line.empty() && textWidth(line) + 1 + textWidth(word) > width) {
      lines.push_back(std::move(line));
      line.clear();
    }
    if (!line.empty()) line += ' ';
    line += word;
    from = to + 1;
  }
  if (!line.empty()) lines.push_back(std::move(line));
  return lines;
}

struct BoxColumn {
  std::vector<std::string> head;
  std::vector<std::string> box;
  std::size_t width = 0;
};

BoxColumn columnOf(const LayoutVariant& variant, const LayoutVariant& first, bool withRuntime) {
  LayoutBoxMarks marks{.cacheLines = true};
  if (&variant != &first) marks.before = &first.layout;
  BoxColumn column;
  column.box = layoutBox(variant.layout, marks).draw();
  column.head = {captionOf(variant, withRuntime), sizeLine(variant.layout, first.layout), paddingLine(variant.layout)};
  for (const std::string& line : column.box) column.width = std::max(column.width, textWidth(line));
  for (const std::string& line : column.head) column.width = std::max(column.width, textWidth(line));
  for (std::string& line : wrapped(printable(variant.remark), column.width)) column.head.push_back(std::move(line));
  return column;
}

void writeLines(Output& output, const std::vector<BoxColumn>& columns,
                const std::vector<std::string> BoxColumn::*lines) {
  std::size_t count = 0;
  for (const BoxColumn& column : columns) count = std::max(count, (column.*lines).size());
  for (std::size_t i = 0; i < count; ++i) {
    std::string row;
    std::size_t width = 0;
    for (const BoxColumn& column : columns) {
      const std::vector<std::string>& texts = column.*lines;
      if (i < texts.size() && !texts[i].empty()) {
        row.append(width - textWidth(row), ' ');
        row += texts[i];
      }
      width += column.width + kGap;
    }
    output.write(row);
    output.write('\n');
  }
}

}  // namespace

std::string captionOf(const LayoutVariant& variant, bool withRuntime) {
  std::string caption = toString(variant.question.rules);
  if (variant.question.pack) caption += fmt::format(", Pack={}", *variant.question.pack);
  if (withRuntime && variant.question.runtimeMajor)
    caption = fmt::format(".NET {}, {}", *variant.question.runtimeMajor, caption);
  return caption;
}

void writeLayoutColumns(Output& output, std::span<const LayoutVariant> layouts) {
  const LayoutVariant& first = layouts.front();
  const bool withRuntime = std::ranges::any_of(layouts, [&](const LayoutVariant& variant) {
    return variant.question.runtimeMajor != first.question.runtimeMajor;
  });
  std::vector<BoxColumn> columns;
  for (const LayoutVariant& variant : layouts) columns.push_back(columnOf(variant, first, withRuntime));
  writeLayoutTitle(output, first.layout);
  writeLines(output, columns, &BoxColumn::head);
  writeLines(output, columns, &BoxColumn::box);
}

}  // namespace heapscape::engine
