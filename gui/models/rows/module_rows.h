// SPDX-License-Identifier: MIT
#pragma once

#include "models/rows/row_list.h"
#include "session/door/snapshot.h"
#include "tables/heap_tables.h"

namespace heapscape::gui {

/// Where a module's metadata was found.
QString metadataText(engine::MetadataSource source);
/// "ReadyToRun", "IL", "made at run time".
QString moduleCodeText(const engine::ModuleRow& module);
/// "default, collectible"; empty if it cannot be told.
QString loadContextText(const engine::ModuleRow& module);

RowSchema<engine::ListedModule> moduleSchema();

}  // namespace heapscape::gui
