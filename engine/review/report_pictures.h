// SPDX-License-Identifier: MIT
#pragma once

#include "layout/type_layout.h"
#include "review/board.h"
#include "session/process/process_memory.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// Width of all of a report's pictures, in points.
inline constexpr double kReportPictureWidth = 720;

/// A bar for the heap, and for each of several heaps: bytes by generation, free space dotted; with a legend.
ReviewPicture generationsPicture(const Snapshot& snapshot);

/// A treemap by owner and part. Names that the program gave are left out.
ReviewPicture memoryPicture(const ProcessMemory& memory);

/// An object of the type as rows of eight bytes: fields by kind, padding hatched with its bytes. What does not fit is
/// said below.
ReviewPicture layoutPicture(const TypeLayout& layout);

}  // namespace heapscape::engine
