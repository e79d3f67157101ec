// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "models/rows/row_list.h"
#include "session/layouts/waste_query.h"

namespace heapscape::gui {

/// The kinds of rows of wasteSchema().
enum class WasteKind : std::size_t { Own, Framework };

/// How the types that waste memory are shown; `waste` tells of what a share is.
RowSchema<engine::WasteRow> wasteSchema(const engine::Waste& waste);
/// Columns of namespaces or assemblies.
RowSchema<engine::WasteGroup> wasteGroupSchema(engine::WasteGrouping grouping);

/// An answer ready to be listed; made on the engine thread.
struct WasteTables {
  engine::Waste waste;  // without its rows, which are in `types`
  std::shared_ptr<const RowList> types;
  std::shared_ptr<const RowList> nameSpaces;
  std::shared_ptr<const RowList> assemblies;
};
WasteTables wasteTables(engine::Waste waste);

}  // namespace heapscape::gui
