// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "base/given_name.h"
#include "output/text.h"
#include "review/pages/heap_pictures.h"
#include "review/review_cells.h"
#include "review/svg_drawing.h"
#include "review/treemap.h"
#include "session/process/process_memory.h"

namespace heapscape::engine {
namespace {

constexpr double kHeight = 380;
constexpr double kGap = 1;
constexpr double kHeadHeight = 18;
constexpr std::size_t kMostParts = 60;  // of one owner; the rest is one rectangle

// What is the GC's as in pictures of the heap; a calm tint for each other owner.
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

}  // namespace heapscape::engine
