// SPDX-License-Identifier: MIT
#pragma once

#include "output/json_writer.h"
#include "output/output.h"
#include "output/row_selection.h"
#include "session/stacks/parallel_stacks.h"
#include "session/stacks/stacks_query.h"

namespace heapscape::engine {

/// Which frames of a thread are written.
struct FrameSelection {
  RowSelection rows = {};  // at most so many of each thread
  bool isFolded = true;    // what repeats stands for itself once, with how often
};

/// Writes the members of a thread's frames: "frameCount", "framesLeftOut" and "frames", innermost first.
void writeFrames(JsonWriter& json, const ThreadStackRow& row, const FrameSelection& selection);
/// Writes the frames for people, a line each.
void writeFrames(Output& output, const ThreadStackRow& row, const FrameSelection& selection);

/// Writes the member "threads": stacks, innermost frame first, each with the roots of the frames that are written.
void writeStacks(JsonWriter& json, const StackList& list, const FrameSelection& selection);
/// Writes the member "parallel": frames with their parents by index, and "activities".
void writeParallelStacks(JsonWriter& json, const StackList& list, const ParallelStacks& stacks,
                         const std::vector<ActivityGroup>& activities);

/// A paragraph a thread: a line for each frame, and below it, where the list has them, what it refers to.
void writeStacksText(Output& output, const StackList& list, const FrameSelection& selection);
/// Threads by what they do, then a tree: frames indented below the frame that called them, with the threads in each.
void writeParallelText(Output& output, const StackList& list, const ParallelStacks& stacks,
                       const std::vector<ActivityGroup>& activities);

}  // namespace heapscape::engine
