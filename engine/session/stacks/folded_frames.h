// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "session/stacks/stacks_query.h"

namespace heapscape::engine {

/// How many frames of a run belong to one method.
struct MethodShare {
  std::uint32_t frame = 0;  // the innermost of them, in the thread's frames
  std::uint32_t times = 0;
};

/// Frames of a stack that follow each other: as they are (`times` is 1), as a unit of methods that repeats, or, where
/// a few methods call each other without order, as what share each of them has.
struct FrameRun {
  std::uint32_t first = 0;  // in the thread's frames
  std::uint32_t count = 0;  // frames in all: of a unit that repeats unit() * times
  std::uint32_t times = 1;
  std::vector<MethodShare> mix = {};  // the method with most frames first; empty unless they are without order

  std::uint32_t unit() const { return count / times; }
  bool isFolded() const { return times > 1 || !mix.empty(); }
};

/// A frame that is written for one or several.
struct WrittenFrame {
  std::uint32_t frame = 0;  // in the thread's frames: of several the innermost
  std::uint32_t times = 1;  // frames of its method that it stands for; those of all written frames add up to all
  std::uint32_t unit = 1;   // so many frames, of which this is one, repeat together
  bool isMixed = false;     // one of a few methods that call each other without order
};

/// Folds what repeats, innermost frames first as the runtime does it when a stack overflows: the smallest unit of
/// methods that covers most. Frames of a method count as equal wherever in it they are. What saves a few lines only
/// stays as it is. Every frame is in one run, runs in the order of the frames. Takes time in proportion to the frames.
std::vector<FrameRun> foldedFrames(const std::vector<FrameRow>& frames);

/// The frames that are written of folded ones, innermost first.
std::vector<WrittenFrame> writtenFrames(std::span<const FrameRun> runs);

/// "2,282 times: Shop.Tree.Walk -> Shop.Tree.Visit -> Shop.Tree.Walk", outermost caller first as in a call;
/// "1,200 frames of 2 methods: Shop.Tree.Walk 800, Shop.Tree.Visit 400". Of a run that is not folded its count.
std::string textOf(const FrameRun& run, const std::vector<FrameRow>& frames);

}  // namespace heapscape::engine
