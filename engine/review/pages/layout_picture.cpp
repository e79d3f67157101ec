// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/short_type_name.h"
#include "layout/layout_items.h"
#include "metadata/names/generated_names.h"
#include "output/text.h"
#include "review/pages/heap_pictures.h"
#include "review/svg_drawing.h"

namespace heapscape::engine {
namespace {

constexpr std::uint32_t kRowBytes = 8;
constexpr std::uint32_t kMostRows = 48;
constexpr double kRowHeight = 24;
constexpr double kLeft = 40;  // of the offsets
constexpr double kByteWidth = 54;
constexpr double kRight = 132;  // of the types' names

// A nested value's ground; its frame is in full colour.
constexpr double kValueOpacity = 0.35;

/// Bytes of an object with one meaning, counted from its header on.
struct Piece {
  std::uint32_t begin = 0, end = 0;
  std::string name;
  std::string type;
  SvgColour colour = SvgColour::Primitive;
  bool isPadding = false;
};

SvgColour colourOf(FieldKind kind) {
  switch (kind) {
    case FieldKind::Reference:
      return SvgColour::Reference;
    case FieldKind::ValueType:
      return SvgColour::ValueType;
    case FieldKind::Primitive:
    case FieldKind::Pointer:
      break;
  }
  return SvgColour::Primitive;
}

bool isObject(const TypeLayout& layout) {
  return layout.kind == TypeKind::Class || layout.kind == TypeKind::Delegate || layout.kind == TypeKind::String ||
         layout.kind == TypeKind::Array;
}

std::vector<Piece> piecesOf(const TypeLayout& layout) {
  std::vector<Piece> pieces;
  const LayoutItems items = buildLayoutItems(layout, !isObject(layout), FieldRows::AsOne);
  for (const LayoutItem& item : items.items) {
    Piece piece;
    piece.begin = static_cast<std::uint32_t>(item.begin - items.begin);
    piece.end = static_cast<std::uint32_t>(item.end - items.begin);
    switch (item.part) {
      case LayoutPart::Header:
        piece.name = "header";
        piece.colour = SvgColour::Header;
        break;
      case LayoutPart::MethodTable:
        piece.name = "method table";
        piece.colour = SvgColour::MethodTable;
        break;
      case LayoutPart::Field:
        if (item.depth > 0) continue;
        piece.name = csharpFieldName(item.name);
        piece.type = item.typeName;
        piece.colour = colourOf(item.kind);
        break;
      case LayoutPart::Padding:
        // That of a union lies in several of its values.
        if (!pieces.empty() && pieces.back().isPadding && pieces.back().begin == piece.begin) continue;
        piece.name = countOf(static_cast<std::uint64_t>(item.sizeBytes()), "byte") + " padding";
        if (item.depth > 0) piece.type = "in " + item.typeName;
        piece.colour = SvgColour::Padding;
        piece.isPadding = true;
        break;
      case LayoutPart::Unused:
      case LayoutPart::Element:
      case LayoutPart::Repeated:
        continue;
    }
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

class LayoutDrawing {
 public:
  explicit LayoutDrawing(std::uint32_t bytes)
      : m_rows(std::min((bytes + kRowBytes - 1) / kRowBytes, kMostRows)),
        m_drawing(kReportPictureWidth, m_rows * kRowHeight + 20 + (bytes > kMostRows * kRowBytes ? 20 : 0)) {
    for (std::uint32_t row = 0; row < m_rows; ++row) {
      m_drawing.text(kLeft - 8, yOf(row) + 16, std::to_string(row * kRowBytes),
                     {.size = 10, .align = SvgAlign::Right, .ink = {SvgColour::DimmedText}, .isFixed = true});
    }
    if (bytes > kMostRows * kRowBytes) {
      m_drawing.text(kLeft, yOf(m_rows) + 16, fmt::format("{} more bytes are not drawn", bytes - m_rows * kRowBytes),
                     {.ink = {SvgColour::DimmedText}});
    }
  }

  void draw(const Piece& piece) {
    bool isLabelled = false;
    for (std::uint32_t row = piece.begin / kRowBytes; row < m_rows && row * kRowBytes < piece.end; ++row) {
      const std::uint32_t begin = std::max(piece.begin, row * kRowBytes);
      const std::uint32_t end = std::min(piece.end, (row + 1) * kRowBytes);
      if (begin >= end) continue;
      const TreemapRect rect{kLeft + (begin - row * kRowBytes) * kByteWidth, yOf(row), (end - begin) * kByteWidth,
                             kRowHeight};
      drawPart(piece, rect, !isLabelled);
      isLabelled = true;
    }
  }

  SvgDrawing& drawing() { return m_drawing; }

 private:
  static double yOf(std::uint32_t row) { return 4 + row * kRowHeight; }

  void drawPart(const Piece& piece, const TreemapRect& rect, bool isLabelled) {
    const std::string title = fmt::format("{}{}{}, {} at {}", piece.type, piece.type.empty() ? "" : " ", piece.name,
                                          countOf(piece.end - piece.begin, "byte"), piece.begin);
    const bool isValue = piece.colour == SvgColour::ValueType;
    m_drawing.rect(rect, piece.isPadding || isValue ? SvgColour::Surface : piece.colour, title);
    if (isValue) m_drawing.rect(rect, piece.colour, title, kValueOpacity);
    if (piece.isPadding) m_drawing.hatch(rect, SvgColour::Padding);
    m_drawing.frame(rect, piece.isPadding || isValue ? piece.colour : SvgColour::Surface);
    if (!isLabelled) return;
    if (piece.isPadding) return labelPadding(piece, rect);
    const double base = rect.y + 16;
    const SvgInk ink = isValue ? SvgInk{} : inkOn(piece.colour);
    m_drawing.text(rect.x + 6, base, piece.name, {.ink = ink, .room = rect.width - 12});
    const double used = likelyWidth(piece.name, 11) + 18;
    if (piece.type.empty() || rect.width - used < 40) return;
    m_drawing.text(rect.x + rect.width - 6, base, shortTypeName(piece.type),
                   {.size = 10, .align = SvgAlign::Right, .ink = ink, .room = rect.width - used});
  }

  /// On ground of its own, so that the hatch does not run through the figures.
  void labelPadding(const Piece& piece, const TreemapRect& rect) {
    const std::string text = std::to_string(piece.end - piece.begin);
    const std::string words = likelyWidth(piece.name, 10) + 16 < rect.width ? piece.name : text;
    const double width = likelyWidth(words, 10) + 6;
    const double middle = rect.x + rect.width / 2;
    m_drawing.rect({middle - width / 2, rect.y + 5, width, rect.height - 10}, SvgColour::Surface);
    m_drawing.text(middle, rect.y + 16, words, {.size = 10, .align = SvgAlign::Middle});
  }

  std::uint32_t m_rows;
  SvgDrawing m_drawing;
};

void drawLegend(LayoutDrawing& drawing, const std::vector<Piece>& pieces) {
  struct Entry {
    SvgColour colour;
    const char* name;
  };
  double y = 4;
  const double x = kReportPictureWidth - kRight;
  for (const Entry& entry : {Entry{SvgColour::Reference, "reference"}, Entry{SvgColour::Primitive, "primitive"},
                             Entry{SvgColour::ValueType, "value type"}, Entry{SvgColour::Padding, "padding"}}) {
    const bool isThere = std::ranges::any_of(pieces, [&](const Piece& piece) { return piece.colour == entry.colour; });
    if (!isThere) continue;
    const TreemapRect sample{x, y + 4, 14, 14};
    const bool isPadding = entry.colour == SvgColour::Padding;
    const bool isValue = entry.colour == SvgColour::ValueType;
    drawing.drawing().rect(sample, isPadding ? SvgColour::Surface : entry.colour, {}, isValue ? kValueOpacity : 1);
    if (isValue) drawing.drawing().frame(sample, entry.colour);
    if (isPadding) drawing.drawing().hatch(sample, SvgColour::Padding, 4);
    if (isPadding) drawing.drawing().frame(sample, SvgColour::Padding);
    drawing.drawing().text(x + 22, y + 15, entry.name, {.ink = {SvgColour::DimmedText}});
    y += 22;
  }
}

}  // namespace

ReviewPicture layoutPicture(const TypeLayout& layout) {
  const std::vector<Piece> pieces = piecesOf(layout);
  std::uint32_t bytes = (isObject(layout) ? 16 : 0) + layout.fieldsBytes;
  for (const Piece& piece : pieces) bytes = std::max(bytes, piece.end);
  LayoutDrawing drawing(bytes);
  for (const Piece& piece : pieces) drawing.draw(piece);
  drawLegend(drawing, pieces);
  return drawing.drawing().take(fmt::format("Layout of {}", layout.typeName));
}

}  // namespace heapscape::engine
