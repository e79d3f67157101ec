// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "review/board.h"
#include "review/svg_colours.h"
#include "review/treemap.h"

namespace heapscape::engine {

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

/// What a text takes in a common sans-serif font: an estimate on the large side, since the engine knows no fonts.
double likelyWidth(std::string_view text, double size, bool isFixed = false);
/// Cut at its end to fit, with an ellipsis; empty if not even two characters do.
std::string shortened(std::string_view text, double room, double size, bool isFixed = false);

}  // namespace heapscape::engine
