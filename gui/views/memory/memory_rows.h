// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "models/rows/row_list.h"
#include "session/process/process_memory.h"

namespace heapscape::gui {

/// A part and where it stands in the memory's list.
struct MemoryRow {
  engine::MemoryPart part;
  std::size_t index = 0;
};

RowSchema<MemoryRow> memorySchema(std::uint64_t mappedBytes);
std::shared_ptr<const RowList> memoryRows(const engine::ProcessMemory& memory);

}  // namespace heapscape::gui
