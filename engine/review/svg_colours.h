// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/palette.h"

namespace heapscape::engine {

/// What is drawn, and with it its colour of the palette: one meaning each.
enum class SvgColour {
  Text,
  DimmedText,
  Line,
  Surface,
  Gen0,
  Gen1,
  Gen2,
  Large,
  Pinned,
  Frozen,
  Free,
  FreeDots,
  Reference,
  Primitive,
  ValueType,
  Header,
  MethodTable,
  Padding,
  GcBookkeeping,
  LoaderHeap,
  JitCode,
  ThreadStack,
  NativeMemory,
  MappedFile,
  Outline
};

/// A colour, or that of text on it: black or white, whichever reads better.
struct SvgInk {
  SvgColour colour = SvgColour::Text;
  bool isOn = false;
};
inline SvgInk inkOn(SvgColour colour) {
  return {colour, true};
}

/// On light and on dark pages.
Shades shadesOf(SvgColour colour);

/// Its name in style sheets: "gen0", "on-gen0".
std::string classOf(SvgInk ink);
/// "#56b4e9".
std::string lightColour(SvgInk ink);

/// Rules that give all of them their colours in pages with a light and a dark look. Inside a drawing each shape has its
/// light colour as well, for programs that know no style sheets.
std::string colourStyle();

}  // namespace heapscape::engine
