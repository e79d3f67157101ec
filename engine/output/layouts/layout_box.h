// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include "layout/type_layout.h"
#include "output/output.h"
#include "session/layouts/declared_layouts.h"

namespace heapscape::engine {

/// Rows in a frame of bars and rules; a row may be a box of its own, set in a little. All right bars are in one line.
class TextBox {
 public:
  void addRow(std::string text);
  void addBox(TextBox box);
  /// A line of this character, with a title in it if there is one.
  void addRule(char character, std::string title = {});

  /// The box, line by line, at least so many columns wide.
  std::vector<std::string> draw(std::size_t minimumWidth = 0) const;

 private:
  struct Item {
    char rule = 0;  // 0 for a row or a box
    std::string text;
    std::vector<TextBox> box;  // none or one
  };

  std::size_t width() const;

  std::vector<Item> m_items;
};

/// Marks of a box beside fields and paddings.
struct LayoutBoxMarks {
  const TypeLayout* before = nullptr;  // another layout of the type: fields that lie elsewhere in it say where
  bool cacheLines = false;             // as if the object, or the unboxed value, began a line of 64 bytes
};

/// A row for each field and padding, and a box in the row of each value type's field. Offsets count from the start of
/// the fields, in an inner box from the start of its value.
TextBox layoutBox(const TypeLayout& layout, const LayoutBoxMarks& marks = {});

/// "1 byte", "12 bytes".
std::string bytesText(std::uint64_t bytes);

/// Several layouts of one type next to each other: what each takes, what it saves against the first, and their boxes,
/// where fields that lie elsewhere in the first say where, and cache lines are marked. At least one.
void writeLayoutColumns(Output& output, std::span<const LayoutVariant> layouts);

/// "declared", "best, Pack=1", ".NET 8, declared": what the layout is by; the runtime only if they differ in it.
std::string captionOf(const LayoutVariant& variant, bool withRuntime);

}  // namespace heapscape::engine
