// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "layout/layout_items.h"
#include "layout/type_layout.h"
#include "session/objects/array_lengths.h"

namespace heapscape::gui {

/// The objects that the heap holds of a type.
struct TypePopulation {
  std::uint64_t objects = 0;
  std::uint64_t paddingBytes = 0;
  std::optional<engine::ArrayLengths> arrays = {};  // of an array of value types, once it has been studied
  bool hasHeap = true;                              // false for an assembly, of which nothing can be told
};

/// A figure of the headline: "9 B", and what it is of.
struct LayoutFigure {
  QString value;
  QString caption;
  QString tip;
  bool isPadding = false;
};

/// Object bytes, field bytes, padding with its shares, and what it comes to over the heap.
std::vector<LayoutFigure> layoutFigures(const engine::TypeLayout& layout, const TypePopulation& population);

/// A short remark about a type beside its name, with the reason on demand.
struct LayoutChip {
  QString text;
  QString tip;
};
/// "class", "declared sequential, laid out auto", "Pack 1".
std::vector<LayoutChip> layoutChips(const engine::TypeLayout& layout);

/// The layout as plain text: a line of totals, then a line for each stretch of bytes, nested ones indented.
QString layoutAsText(const engine::TypeLayout& layout, const engine::LayoutItems& items,
                     const TypePopulation& population);

}  // namespace heapscape::gui
