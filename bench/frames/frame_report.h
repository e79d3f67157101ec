// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <vector>

#include "frames/frame_meter.h"

namespace heapscape::gui {

/// At 60 pictures a second each has so long.
inline constexpr double kFrameMs = 16;

/// Frames as a line of figures; times in milliseconds.
struct FrameFigures {
  std::size_t count = 0;
  FrameTime median;
  FrameTime p99;
  FrameTime longest;
  std::size_t over = 0;  // frames with more than kFrameMs of processor time

  static FrameFigures of(std::vector<FrameTime> times);
};

/// What is written of a run: frames by what caused them, the longest ones with what took the time, and every part with
/// its figures, the longest first. Lines of tab-separated values under a heading each.
QString frameReport(const FrameTimes& times);

}  // namespace heapscape::gui
