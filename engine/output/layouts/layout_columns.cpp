// SPDX-License-Identifier: MIT
#include "output/layouts/layout_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "output/layouts/layout_box.h"
#include "output/layouts/layout_output.h"
#include "output/text.h"

namespace heapscape::engine {

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
