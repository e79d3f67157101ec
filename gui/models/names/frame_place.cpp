// SPDX-License-Identifier: MIT
#include "models/names/frame_place.h"

#include <algorithm>

#include "widgets/text/figures.h"

namespace heapscape::gui {

QString frameSource(const engine::FrameRow& frame) {
  return frame.line == 0 ? fromEngine(frame.file) : u"%1:%2"_s.arg(fromEngine(frame.file)).arg(frame.line);
}

// File name of a path of any system.
QString frameSourceName(const engine::FrameRow& frame) {
  const QString path = frameSource(frame);
  return path.mid(std::max(path.lastIndexOf(QLatin1Char('/')), path.lastIndexOf(QLatin1Char('\\'))) + 1);
}

}  // namespace heapscape::gui
