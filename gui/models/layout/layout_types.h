// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "layout/code_owners.h"
#include "models/rows/row_list.h"
#include "session/layouts/declared_layouts.h"
#include "session/layouts/layout_query.h"
#include "session/layouts/layouts_by_rules.h"
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
  engine::CodeOwner owner = engine::CodeOwner::Own;
  // Once all types are laid out: whether the ways to declare it differ, and what the best would save, see
  // engine::TypeByRules.
  bool differs = false;
  std::optional<std::int64_t> savedBytes = {};
};

/// The columns of both. Types of an assembly have their size in place of the number of objects; one without a layout is
/// dimmed and says why.
enum LayoutTypeColumn : int {
  LayoutNameColumn,
  LayoutObjectsColumn,
  LayoutPaddingColumn,
  LayoutSavingColumn,
  LayoutAssemblyColumn
};
/// Its kinds of rows.
enum class LayoutTypeKind : std::size_t { Differs, Alike };
RowSchema<LayoutTypeRow> layoutTypeSchema(bool isOfAssembly);

/// The reader's own first, then packages, then .NET; among them by what could be saved, by padding, by objects, by
/// name. On the engine thread.
engine::Outcome<std::shared_ptr<const RowList>> readLayoutTypes(const engine::Snapshot& snapshot, std::stop_token stop);
/// Types of an assembly, by name.
engine::Outcome<std::shared_ptr<const RowList>> readLayoutTypes(const engine::DeclaredLayouts& layouts,
                                                                std::stop_token stop);
/// These rows, of the same file, with what is told of all its types.
std::shared_ptr<const RowList> withSavings(const RowList& types, const engine::LayoutsByRules& byRules,
                                           bool isOfAssembly);
/// List of rows that are known.
std::shared_ptr<const RowList> layoutTypeList(std::vector<LayoutTypeRow> rows, bool isOfAssembly);

}  // namespace heapscape::gui
