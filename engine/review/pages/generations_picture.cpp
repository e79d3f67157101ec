// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

#include "output/text.h"
#include "review/pages/heap_pictures.h"
#include "review/review_cells.h"
#include "review/svg_drawing.h"

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

}  // namespace heapscape::engine
