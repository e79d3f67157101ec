// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

#include "session/process/process_memory.h"

namespace heapscape::gui {

/// "Objects", "Loader heaps".
QString memoryOwnerText(engine::MemoryOwner owner);
QString memoryOwnerTip(engine::MemoryOwner owner);

}  // namespace heapscape::gui
