// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "models/rows/row_list.h"
#include "session/layouts/declared_layouts.h"
#include "session/layouts/layout_query.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::gui {

/// A loaded type and what the heap holds of it; or a type of an assembly, and what one instance has.
struct LayoutTypeRow {
  engine::LoadedType type;
  std::uint64_t objects = 0;
  std::uint64_t paddingBytes = 0;
  engine::LayoutTypeId id = {};  // of an assembly's type, as what is below
  std::uint32_t instanceBytes = 0;
  std::string failure = {};  // why it has no layout
};

/// The columns of both. Types of an assembly have their size in place of the number of objects; one without a layout is
/// dimmed and says why.
enum LayoutTypeColumn : int { LayoutNameColumn, LayoutObjectsColumn, LayoutPaddingColumn, LayoutAssemblyColumn };
RowSchema<LayoutTypeRow> layoutTypeSchema(bool isOfAssembly);

/// Those with most objects first, then by name. On the engine thread.
engine::Outcome<std::shared_ptr<const RowList>> readLayoutTypes(const engine::Snapshot& snapshot, std::stop_token stop);
/// Types of an assembly, by name.
engine::Outcome<std::shared_ptr<const RowList>> readLayoutTypes(const engine::DeclaredLayouts& layouts,
                                                                std::stop_token stop);
/// List of rows that are known.
std::shared_ptr<const RowList> layoutTypeList(std::vector<LayoutTypeRow> rows, bool isOfAssembly);

}  // namespace heapscape::gui
