// SPDX-License-Identifier: MIT
#include "output/layouts/layout_box.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/short_type_name.h"
#include "layout/cache_line.h"
#include "output/layouts/field_overlaps.h"
#include "output/text.h"

namespace heapscape::engine {

namespace {

constexpr std::uint32_t kMethodTableBytes = 8;  // an object's address is that of its method table pointer

/// A field or a padding, in the order of offsets.
struct Part {
  std::uint32_t offset = 0;
  std::uint32_t sizeBytes = 0;
  const LayoutField* field = nullptr;  // null for a padding
  bool overlaps = false;

  std::uint32_t end() const { return offset + sizeBytes; }
};

std::string fieldText(const LayoutField& field) {
  const std::string times = field.repeat > 1 ? fmt::format(" × {}", field.repeat) : std::string();
  return printable(shortTypeName(field.typeName)) + times + ' ' + printable(field.name);
}

std::string rangeText(std::uint32_t first, std::uint32_t sizeBytes) {
  return sizeBytes > 1 ? fmt::format("{}-{}", first, first + sizeBytes - 1) : std::to_string(first);
}

std::vector<Part> partsOf(std::span<const LayoutField> fields, std::span<const Padding* const> paddings) {
  const std::vector<bool> overlaps = overlappingFields(fields);
  std::vector<Part> parts;
  for (std::size_t i = 0; i < fields.size(); ++i)
    parts.push_back({fields[i].offset, fields[i].sizeBytes * fields[i].repeat, &fields[i], overlaps[i]});
  for (const Padding* padding : paddings) parts.push_back({padding->offset, padding->sizeBytes, nullptr});
  std::stable_sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.offset < b.offset; });
  return parts;
}

std::vector<Part> ownParts(const TypeLayout& layout) {
  std::vector<const Padding*> paddings;
  for (const Padding& padding : layout.paddings) {
    if (!padding.isNested) paddings.push_back(&padding);
  }
  return partsOf(layout.fields, paddings);
}

bool hasLevels(const TypeLayout& layout) {
  std::set<std::string_view> levels;
  for (const LayoutField& field : layout.fields) levels.insert(field.declaringType);
  return levels.size() > 1;
}

/// Where the cache lines of a whole object begin, met in order.
class CacheLines {
 public:
  CacheLines() = default;
  explicit CacheLines(const TypeLayout& layout)
      : m_next(layout.valueSize ? kCacheLineBytes : kCacheLineBytes - kMethodTableBytes), m_isShown(true) {}

  /// The start of the last line that begins up to here and was not met before.
  std::optional<std::uint32_t> reach(std::uint32_t offset) {
    if (!m_isShown || offset < m_next) return std::nullopt;
    const std::uint32_t line = m_next + (offset - m_next) / kCacheLineBytes * kCacheLineBytes;
    m_next = line + kCacheLineBytes;
    return line;
  }
  bool isCrossedBy(const Part& part) const {
    return m_isShown && part.offset < m_next && part.end() > m_next && part.sizeBytes <= kCacheLineBytes;
  }

 private:
  std::uint32_t m_next = 0;
  bool m_isShown = false;
};

/// The box of an object's fields, or of a value inside it.
class BoxBuilder {
 public:
  BoxBuilder(std::span<const Padding> paddings, std::uint32_t base, CacheLines& lines)
      : m_paddings(paddings), m_base(base), m_lines(lines) {}

  void compareWith(const TypeLayout& before);
  void addParts(TextBox& box, const std::vector<Part>& parts, bool showsLevels);

 private:
  void addRules(TextBox& box, const Part& part, bool isFirst, bool isNewLevel);
  std::string rowText(const Part& part, std::size_t width) const;
  std::string movedText(const LayoutField& field) const;
  TextBox nestedBox(const LayoutField& field);

  std::span<const Padding> m_paddings;  // of the whole object
  std::uint32_t m_base;                 // offset that is shown as 0
  CacheLines& m_lines;
  std::map<std::pair<std::string_view, std::string_view>, const LayoutField*> m_before;  // by declaring type and name
};

void BoxBuilder::compareWith(const TypeLayout& before) {
  for (const LayoutField& field : before.fields) m_before[{field.declaringType, field.name}] = &field;
}

std::string BoxBuilder::movedText(const LayoutField& field) const {
  const auto found = m_before.find({field.declaringType, field.name});
  if (found == m_before.end() || found->second->offset == field.offset) return {};
  const LayoutField& before = *found->second;
  return fmt::format(" ↕ was {}", rangeText(before.offset, before.sizeBytes * before.repeat));
}

std::string BoxBuilder::rowText(const Part& part, std::size_t width) const {
  const std::string range = rangeText(part.offset - m_base, part.sizeBytes);
  if (!part.field) return fmt::format("{:>{}}: padding ({})", range, width, bytesText(part.sizeBytes));
  std::string remarks;
  if (part.overlaps) remarks += ", overlaps";
  if (part.field->nested.empty() && part.field->repeat == 1 && m_lines.isCrossedBy(part))
    remarks += ", in two cache lines";
  return fmt::format("{:>{}}: {} ({}{}){}", range, width, fieldText(*part.field), bytesText(part.sizeBytes), remarks,
                     movedText(*part.field));
}

void BoxBuilder::addRules(TextBox& box, const Part& part, bool isFirst, bool isNewLevel) {
  const auto line = m_lines.reach(part.offset);
  if (line) box.addRule('-', fmt::format("{} ── cache line", *line - m_base));
  if (isNewLevel || (!isFirst && !line)) {
    box.addRule('-', isNewLevel ? printable(part.field->declaringType) : std::string());
  }
}

void BoxBuilder::addParts(TextBox& box, const std::vector<Part>& parts, bool showsLevels) {
  std::size_t width = 5;
  for (const Part& part : parts) width = std::max(width, rangeText(part.offset - m_base, part.sizeBytes).size());
  const std::string* level = nullptr;
  for (const Part& part : parts) {
    const bool isNewLevel = showsLevels && part.field && (!level || *level != part.field->declaringType);
    if (isNewLevel) level = &part.field->declaringType;
    addRules(box, part, &part == &parts.front(), isNewLevel);
    box.addRow(rowText(part, width));
    if (part.field && !part.field->nested.empty()) box.addBox(nestedBox(*part.field));
  }
}

TextBox BoxBuilder::nestedBox(const LayoutField& field) {
  // No value type holds itself, so the name alone tells whose padding it is.
  std::vector<const Padding*> paddings;
  for (const Padding& padding : m_paddings) {
    const bool isInside = padding.offset >= field.offset && padding.offset - field.offset < field.sizeBytes;
    if (padding.isNested && isInside && padding.in == field.typeName) paddings.push_back(&padding);
  }
  TextBox box;
  box.addRule('=');
  BoxBuilder(m_paddings, field.offset, m_lines).addParts(box, partsOf(field.nested, paddings), false);
  box.addRule('=');
  return box;
}

void addElements(TextBox& box, const TypeLayout& layout, const TypeLayout* before) {
  box.addRule('=');
  box.addRow(fmt::format("{:>5}: {} elements ({} each)", fmt::format("{}-", layout.elementOffset - 8),
                         printable(shortTypeName(layout.elementTypeName)), bytesText(layout.componentSize)));
  for (const TypeLayout& element : layout.elementLayout) {
    TextBox inner;
    CacheLines none;
    inner.addRule('=');
    BoxBuilder builder(element.paddings, 0, none);
    if (before && !before->elementLayout.empty()) builder.compareWith(before->elementLayout.front());
    builder.addParts(inner, ownParts(element), false);
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
    CacheLines lines = marks.cacheLines ? CacheLines(layout) : CacheLines();
    BoxBuilder builder(layout.paddings, 0, lines);
    if (marks.before) builder.compareWith(*marks.before);
    builder.addParts(box, ownParts(layout), hasLevels(layout));
  }
  if (isArray) addElements(box, layout, marks.before);
  box.addRule('=');
  return box;
}

}  // namespace heapscape::engine
