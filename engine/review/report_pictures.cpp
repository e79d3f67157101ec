// SPDX-License-Identifier: MIT
#include "review/report_pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/given_name.h"
#include "base/short_type_name.h"
#include "layout/layout_items.h"
#include "metadata/names/generated_names.h"
#include "output/text.h"
#include "review/review_cells.h"
#include "review/svg_drawing.h"
#include "review/treemap.h"
#include "session/process/process_memory.h"

namespace heapscape::engine {
namespace {

constexpr double kBarHeight = 30;
constexpr double kBarGap = 10;
constexpr double kNameWidth = 64;
constexpr double kFigureWidth = 72;
constexpr double kLegendLine = 20;
constexpr std::size_t kMostBars = 33;  // the whole, and 32 heaps

using Totals = std::array<ObjectTotals, kGenerationCount>;

struct Bar {
  std::string name;
  Totals totals;
  std::uint64_t bytes = 0;
};

constexpr std::array<SvgColour, kGenerationCount> kColours{SvgColour::Gen0,  SvgColour::Gen1,   SvgColour::Gen2,
                                                           SvgColour::Large, SvgColour::Pinned, SvgColour::Frozen};

std::vector<Bar> barsOf(const Snapshot& snapshot) {
  std::map<std::uint32_t, Bar> heaps;
  Bar whole{.name = "Heap", .totals = {}};
  for (const GenerationRow& row : snapshot.generations()) {
    Bar& bar = heaps[row.heap];
    const auto generation = static_cast<std::size_t>(row.generation);
    for (Bar* each : {&bar, &whole}) {
      each->totals[generation] += row.totals;
      each->bytes += row.totals.bytes;
    }
  }
  std::vector<Bar> bars{whole};
  if (heaps.size() < 2) return bars;
  for (auto& [heap, bar] : heaps) {
    bar.name = fmt::format("Heap {}", heap);
    if (bars.size() < kMostBars) bars.push_back(std::move(bar));
  }
  return bars;
}

void drawBar(SvgDrawing& drawing, const Bar& bar, std::uint64_t most, double y, double room) {
  const double perByte = most ? room / static_cast<double>(most) : 0;
  double x = kNameWidth;
  drawing.text(0, y + kBarHeight * 0.64, bar.name, {.size = 12, .isBold = y == 0});
  for (std::size_t i = 0; i < kGenerationCount; ++i) {
    const ObjectTotals& totals = bar.totals[i];
    if (totals.bytes == 0) continue;
    const double used = static_cast<double>(totals.bytes - std::min(totals.bytes, totals.freeBytes)) * perByte;
    const double width = static_cast<double>(totals.bytes) * perByte;
    const std::string title = fmt::format("{}: {} bytes in objects, {} bytes free", toString(kGenerations[i]),
                                          readableCount(totals.bytes - std::min(totals.bytes, totals.freeBytes)),
                                          readableCount(totals.freeBytes));
    drawing.rect({x, y, used, kBarHeight}, kColours[i], title);
    drawing.rect({x + used, y, width - used, kBarHeight}, SvgColour::Free, title);
    drawing.dots({x + used, y, width - used, kBarHeight}, kColours[i]);
    drawing.text(x + 6, y + kBarHeight * 0.64, toString(kGenerations[i]),
                 {.ink = inkOn(kColours[i]), .room = used - 10});
    x += width;
  }
  drawing.frame({kNameWidth, y, static_cast<double>(bar.bytes) * perByte, kBarHeight}, SvgColour::Line);
  drawing.text(kReportPictureWidth, y + kBarHeight * 0.64, readableBytes(bar.bytes),
               {.size = 12, .align = SvgAlign::Right, .isBold = y == 0});
}

void drawLegendLine(SvgDrawing& drawing, std::size_t i, const ObjectTotals& totals, std::uint64_t whole, double y) {
  const double base = y + 10;
  const std::uint64_t live = totals.bytes - std::min(totals.bytes, totals.freeBytes);
  drawing.rect({kNameWidth, y, 12, 12}, kColours[i]);
  drawing.text(kNameWidth + 20, base, toString(kGenerations[i]));
  drawing.text(kNameWidth + 160, base, readableBytes(totals.bytes), {.align = SvgAlign::Right});
  drawing.text(kNameWidth + 220, base, percentText(totals.bytes, whole),
               {.align = SvgAlign::Right, .ink = {SvgColour::DimmedText}});
  drawing.text(kNameWidth + 350, base, countOf(totals.objects - std::min(totals.objects, totals.freeObjects), "object"),
               {.align = SvgAlign::Right});
  drawing.text(kNameWidth + 480, base,
               totals.freeBytes ? fmt::format("{} free ({})", readableBytes(totals.freeBytes),
                                              percentText(totals.freeBytes, live + totals.freeBytes))
                                : "nothing free",
               {.align = SvgAlign::Right, .ink = {SvgColour::DimmedText}});
}

}  // namespace

ReviewPicture generationsPicture(const Snapshot& snapshot) {
  const std::vector<Bar> bars = barsOf(snapshot);
  const auto lines = static_cast<double>(
      std::ranges::count_if(bars[0].totals, [](const ObjectTotals& totals) { return totals.bytes > 0; }));
  const double legend = static_cast<double>(bars.size()) * (kBarHeight + kBarGap) + 8;
  SvgDrawing drawing(kReportPictureWidth, legend + lines * kLegendLine);
  const double room = kReportPictureWidth - kNameWidth - kFigureWidth;
  for (std::size_t i = 0; i < bars.size(); ++i) {
    std::uint64_t most = bars[0].bytes;
    if (i > 0) most = std::ranges::max_element(bars.begin() + 1, bars.end(), {}, &Bar::bytes)->bytes;
    drawBar(drawing, bars[i], most, static_cast<double>(i) * (kBarHeight + kBarGap), room);
  }
  double y = legend;
  for (std::size_t i = 0; i < kGenerationCount; ++i) {
    if (bars[0].totals[i].bytes == 0) continue;
    drawLegendLine(drawing, i, bars[0].totals[i], bars[0].bytes, y);
    y += kLegendLine;
  }
  return drawing.take("Bytes of the heap by generation");
}

namespace {

constexpr double kHeight = 380;
constexpr double kGap = 1;
constexpr double kHeadHeight = 18;
constexpr std::size_t kMostParts = 60;  // of one owner; the rest is one rectangle

// Colours of the GC's memory as in pictures of the heap; a calm tint for each other owner.
SvgColour colourOf(MemoryOwner owner) {
  switch (owner) {
    case MemoryOwner::GcUsed:
      return SvgColour::Gen2;
    case MemoryOwner::GcFree:
      return SvgColour::Free;
    case MemoryOwner::GcBookkeeping:
      return SvgColour::GcBookkeeping;
    case MemoryOwner::LoaderHeap:
      return SvgColour::LoaderHeap;
    case MemoryOwner::JitCode:
      return SvgColour::JitCode;
    case MemoryOwner::ThreadStack:
      return SvgColour::ThreadStack;
    case MemoryOwner::MappedFile:
      return SvgColour::MappedFile;
    case MemoryOwner::NativeHeap:
      return SvgColour::NativeMemory;
    case MemoryOwner::GcCommittedUnused:
    case MemoryOwner::Other:
      break;
  }
  return SvgColour::Surface;
}

// Objects by generation, which is the name of the part.
SvgColour colourOf(MemoryOwner owner, std::string_view part) {
  if (owner != MemoryOwner::GcUsed) return colourOf(owner);
  for (const SvgColour colour :
       {SvgColour::Gen0, SvgColour::Gen1, SvgColour::Gen2, SvgColour::Large, SvgColour::Pinned, SvgColour::Frozen}) {
    if (classOf(SvgInk{colour}) == part) return colour;
  }
  return colourOf(owner);
}

TreemapRect inset(const TreemapRect& rect, double by) {
  return {rect.x + by, rect.y + by, std::max(0.0, rect.width - 2 * by), std::max(0.0, rect.height - 2 * by)};
}

struct Tile {
  std::string name;
  std::uint64_t bytes = 0;
};

std::vector<Tile> tilesOf(const OwnedMemory& owner) {
  std::vector<Tile> tiles;
  Tile rest;
  for (std::size_t i = 0; i < owner.parts.size(); ++i) {
    const MemoryPart& part = owner.parts[i];
    if (i < kMostParts) {
      tiles.push_back({withoutGivenName(part.name), part.bytes});
    } else {
      rest.bytes += part.bytes;
    }
  }
  rest.name = countOf(owner.parts.size() - std::min(owner.parts.size(), kMostParts), "smaller part");
  if (rest.bytes) tiles.push_back(rest);
  return tiles;
}

void drawTile(SvgDrawing& drawing, const OwnedMemory& owner, const Tile& tile, const TreemapRect& rect) {
  const SvgColour colour = colourOf(owner.owner, tile.name);
  const std::string title = fmt::format("{}{}{}: {} bytes", titleOf(owner.owner), tile.name.empty() ? "" : ", ",
                                        tile.name, readableCount(tile.bytes));
  drawing.rect(rect, colour, title);
  if (owner.owner == MemoryOwner::GcFree) drawing.dots(rect, SvgColour::FreeDots);
  if (owner.owner != MemoryOwner::GcUsed) drawing.frame(rect, SvgColour::Outline);
  if (rect.height < 16) return;
  const double room = rect.width - 10;
  drawing.text(rect.x + 5, rect.y + 13, tile.name, {.size = 10, .ink = inkOn(colour), .room = room});
  if (rect.height < 30 || tile.name.empty()) return;
  drawing.text(rect.x + 5, rect.y + 26, readableBytes(tile.bytes), {.size = 10, .ink = inkOn(colour), .room = room});
}

void drawOwner(SvgDrawing& drawing, const OwnedMemory& owner, TreemapRect rect) {
  rect = inset(rect, kGap);
  const SvgColour colour = colourOf(owner.owner);
  const bool hasHead = rect.height > 2 * kHeadHeight && rect.width > 60;
  if (hasHead) {
    const TreemapRect head{rect.x, rect.y, rect.width, kHeadHeight};
    drawing.rect(head, colour, fmt::format("{}: {} bytes", titleOf(owner.owner), readableCount(owner.bytes)));
    if (owner.owner != MemoryOwner::GcUsed) drawing.frame(head, SvgColour::Outline);
    drawing.text(rect.x + 5, rect.y + 13, fmt::format("{} · {}", titleOf(owner.owner), readableBytes(owner.bytes)),
                 {.size = 11, .ink = inkOn(colour), .isBold = true, .room = rect.width - 10});
    rect.y += kHeadHeight + kGap;
    rect.height -= kHeadHeight + kGap;
  }
  const std::vector<Tile> tiles = tilesOf(owner);
  std::vector<double> weights;
  for (const Tile& tile : tiles) weights.push_back(static_cast<double>(tile.bytes));
  const std::vector<TreemapRect> places = squarify(weights, rect);
  for (std::size_t i = 0; i < tiles.size(); ++i) drawTile(drawing, owner, tiles[i], inset(places[i], kGap / 2));
}

}  // namespace

ReviewPicture memoryPicture(const ProcessMemory& memory) {
  std::vector<OwnedMemory> owners = memoryByOwner(memory);
  std::ranges::stable_sort(owners, std::greater(), &OwnedMemory::bytes);
  std::vector<double> weights;
  for (const OwnedMemory& owner : owners) weights.push_back(static_cast<double>(owner.bytes));
  SvgDrawing drawing(kReportPictureWidth, kHeight);
  const std::vector<TreemapRect> places = squarify(weights, {0, 0, kReportPictureWidth, kHeight});
  for (std::size_t i = 0; i < owners.size(); ++i) drawOwner(drawing, owners[i], places[i]);
  return drawing.take("The process's memory by owner");
}

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
    if (piece.isPadding) {
      labelPadding(piece, rect);
      return;
    }
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
