// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "base/palette.h"
#include "review/board.h"
#include "review/treemap.h"

namespace heapscape::engine {

/// Kind of what is drawn, and with it its colour of the palette: one meaning each.
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

enum class SvgAlign { Left, Middle, Right };

struct SvgText {
  double size = 11;  // of the font, in points
  SvgAlign align = SvgAlign::Left;
  SvgInk ink = {};
  bool isBold = false;
  bool isFixed = false;  // monospaced
  double room = 1e9;     // text that is likely wider is shortened, and left out where hardly any of it fits
};

/// Draws an SVG of shapes that every reader of SVG Tiny can show. Sizes are in points; y grows downwards.
class SvgDrawing {
 public:
  SvgDrawing(double width, double height) : m_width(width), m_height(height) {}

  /// `title`: said where the pointer rests; empty for none.
  void rect(const TreemapRect& rect, SvgColour fill, std::string_view title = {}, double opacity = 1);
  void frame(const TreemapRect& rect, SvgColour line);
  /// Lines at 45°, cut off at the edges.
  void hatch(const TreemapRect& rect, SvgColour colour, double step = 5);
  /// Fine dots: free space.
  void dots(const TreemapRect& rect, SvgColour colour, double step = 5);
  void line(double x1, double y1, double x2, double y2, SvgColour colour);
  /// `y` is the base line.
  void text(double x, double y, std::string_view text, const SvgText& look = {});

  ReviewPicture take(std::string_view title, bool holdsContents = false) const;

 private:
  double m_width;
  double m_height;
  std::string m_body;
};

/// Width of a text in a common sans-serif font: an estimate on the large side, since the engine knows no fonts.
double likelyWidth(std::string_view text, double size, bool isFixed = false);
/// Cut at its end to fit, with an ellipsis; empty if not even two characters do.
std::string shortened(std::string_view text, double room, double size, bool isFixed = false);

}  // namespace heapscape::engine
