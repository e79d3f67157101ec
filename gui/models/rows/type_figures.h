// SPDX-License-Identifier: MIT
#pragma once

#include <QVariant>
#include <array>
#include <cstdint>
#include <optional>

#include "models/cells/generation_cells.h"
#include "tables/type_tables.h"

namespace heapscape::gui {

/// The figures of a row, of a type or of a namespace.
struct TypeFigures {
  std::uint64_t objects = 0;
  std::uint64_t bytes = 0;
  std::uint64_t paddingBytes = 0;
  std::uint64_t averageBytes = 0;
  GenerationBytes generations{};
  std::optional<std::uint64_t> retainedBytes = {};  // of a type; nothing while it is not known
  std::optional<std::uint64_t> garbageBytes = {};   // nothing while it is not known, and for free objects
  std::uint64_t garbageObjects = 0;                 // of a type

  void raiseTo(const TypeFigures& other);
};
TypeFigures figuresOf(const engine::ListedType& type);

enum TypeTableColumn : int {
  NameColumn,
  ObjectsColumn,
  BytesColumn,
  RetainedColumn,
  GarbageColumn,
  AverageColumn,
  PaddingColumn,
  GenerationsColumn,
  AssemblyColumn,
  TypeTableColumnCount
};

QString typeTableHeadingTip(int column, bool hasPadding);

/// Data of a figure's column in any role; empty for Name and Assembly. `largest` gives the bars their length.
QVariant figureData(const TypeFigures& figures, const TypeFigures& largest, bool hasPadding, int column, int role);

}  // namespace heapscape::gui
