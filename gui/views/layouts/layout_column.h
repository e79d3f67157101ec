// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "layout/layout_items.h"
#include "session/layouts/declared_layouts.h"
#include "views/layouts/layout_totals.h"
#include "widgets/layout_diagram/side_by_side_geometry.h"

namespace heapscape::gui {

/// The way to lay a type out that a column shows: by a rule set, as if it declared a Pack, or by another runtime.
struct ColumnKey {
  engine::RuleSet rules = engine::RuleSet::Actual;
  std::uint32_t pack = 0;     // 0 for what is declared
  std::uint32_t runtime = 0;  // major version, 0 for the one it runs on
  auto operator<=>(const ColumnKey&) const = default;
};

/// One way to lay a type out, ready to be drawn; made on the engine thread.
struct LayoutColumn {
  ColumnKey key;
  engine::LayoutVariant variant;
  std::shared_ptr<const engine::LayoutItems> object;   // with header, boxed for a value type
  std::shared_ptr<const engine::LayoutItems> unboxed;  // null unless it is a value type

  const engine::TypeLayout& layout() const { return variant.layout; }
};
LayoutColumn prepareColumn(const ColumnKey& key, engine::LayoutVariant variant);
/// A question for a column that is no part of a study. Pack means something only where the order is
/// declared, so it is asked for with sequential layout.
engine::LayoutQuestion questionFor(const ColumnKey& key);

/// Everything shown of a type. The first column is the one that the others are measured by.
struct PreparedLayout {
  std::vector<LayoutColumn> columns;
  TypePopulation population;
  engine::LayoutTypeId type;  // none if its declaration is not known
  engine::BestOrder best = {};
  std::vector<engine::Advice> advice = {};
  std::string whyNotAsDeclared = {};
  std::string failure = {};                  // why there are no columns but the first; empty if there are
  std::optional<std::uint64_t> length = {};  // of the picked string or array that it is drawn for; nothing for any

  const LayoutColumn& base() const { return columns.front(); }
  const engine::TypeLayout& layout() const { return base().layout(); }
  /// Draws all columns for a string or an array of so many characters or elements.
  void setLength(std::optional<std::uint64_t> lengthOfPicked);
  void addColumn(LayoutColumn column);
};
/// A column of a dump, as its runtime has laid the type out.
PreparedLayout prepareLayout(engine::TypeLayout layout, const TypePopulation& population);
/// The study's columns and advice; the actual layout stays the first.
PreparedLayout prepareStudy(engine::TypeStudy study, const TypePopulation& population);

/// Whether two ways come to the same bytes.
bool isSameLayout(const engine::TypeLayout& left, const engine::TypeLayout& right);

/// "Sequential", "Best order", "Pack 1", ".NET 8".
QString columnName(const ColumnKey& key);
/// The rules of a column in a sentence.
QString columnTip(const ColumnKey& key);

/// A place in the row of columns. Sequential, Auto and Best order always stand there, in this order; one of them is in
/// force, or another one in front of them. What comes to the same bytes as another is a chip.
struct ShownColumn {
  const LayoutColumn* drawn = nullptr;  // of what is in force, what was read
  const LayoutColumn* named = nullptr;  // whose name, reasons and declaration it has
  bool isInForce = false;
  std::optional<std::size_t> sameAs = {};  // the place of the other, for a chip
};
/// `more`: columns that are wanted beside the three.
std::vector<ShownColumn> arrangeColumns(const PreparedLayout& layout, const std::set<ColumnKey>& more);

/// A drawn column by its name, and the chips that come to the same.
using AlikeColumns = std::vector<const LayoutColumn*>;
std::vector<AlikeColumns> alikeColumns(const std::vector<ShownColumn>& shown);
/// "Sequential = Best order".
QString columnNames(const AlikeColumns& columns);

/// Words for what a layout saves over another, per unit and over the objects of the heap.
struct ColumnSaving {
  std::int64_t perUnit = 0;   // of a class after rounding; of a value type unboxed; of an array an element
  std::int64_t overHeap = 0;  // objects of exactly this type alone; boxes of a value type
};
ColumnSaving savingOf(const engine::TypeLayout& base, const engine::TypeLayout& other,
                      const TypePopulation& population);

/// What stands in the picture. `isUnboxed` is for value types.
std::vector<DiagramColumn> diagramColumns(const PreparedLayout& layout, const std::vector<ShownColumn>& shown,
                                          bool isUnboxed);

/// What stands below a column: its size, what it means for this heap, and what to do for it.
struct ColumnFoot {
  std::uint64_t bytes = 0;  // of one unit, and of these the padding
  std::uint64_t paddingBytes = 0;
  QString effect;  // "−98 KB on this heap (6,250 objects)"; empty without a heap
  QString action;  // "Make it auto"; empty for none
  QString actionTip;
  QString code;         // C# that the action copies
  bool isChip = false;  // nothing stands below it
};
std::vector<ColumnFoot> columnFeet(const PreparedLayout& layout, const std::vector<ShownColumn>& shown, bool isUnboxed);

}  // namespace heapscape::gui
