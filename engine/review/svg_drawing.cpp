// SPDX-License-Identifier: MIT
#include "review/svg_drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "output/text.h"
#include "review/html_page.h"

namespace heapscape::engine {
namespace {

struct Entry {
  SvgColour colour;
  const char* name;
  Shades shades;
};

constexpr std::array<Entry, 25> kEntries{{{SvgColour::Text, "text", palette::kText},
                                          {SvgColour::DimmedText, "dimmed", palette::kDimmedText},
                                          {SvgColour::Line, "line", palette::kGridLine},
                                          {SvgColour::Surface, "surface", palette::kSurface},
                                          {SvgColour::Gen0, "gen0", palette::kGen0},
                                          {SvgColour::Gen1, "gen1", palette::kGen1},
                                          {SvgColour::Gen2, "gen2", palette::kGen2},
                                          {SvgColour::Large, "large", palette::kLarge},
                                          {SvgColour::Pinned, "pinned", palette::kPinned},
                                          {SvgColour::Frozen, "frozen", palette::kFrozen},
                                          {SvgColour::Free, "free", palette::kFree},
                                          {SvgColour::FreeDots, "freeDots", palette::kFreeDots},
                                          {SvgColour::Reference, "reference", palette::kReference},
                                          {SvgColour::Primitive, "primitive", palette::kPrimitive},
                                          {SvgColour::ValueType, "valueType", palette::kValueType},
                                          {SvgColour::Header, "header", palette::kHeader},
                                          {SvgColour::MethodTable, "methodTable", palette::kMethodTable},
                                          {SvgColour::Padding, "padding", palette::kPadding},
                                          {SvgColour::GcBookkeeping, "gcBookkeeping", palette::kGcBookkeeping},
                                          {SvgColour::LoaderHeap, "loaderHeap", palette::kLoaderHeap},
                                          {SvgColour::JitCode, "jitCode", palette::kJitCode},
                                          {SvgColour::ThreadStack, "threadStack", palette::kThreadStack},
                                          {SvgColour::NativeMemory, "nativeMemory", palette::kNativeMemory},
                                          {SvgColour::MappedFile, "mappedFile", palette::kMappedFile},
                                          {SvgColour::Outline, "outline", palette::kOutline}}};

const Entry& entryOf(SvgColour colour) {
  for (const Entry& entry : kEntries) {
    if (entry.colour == colour) return entry;
  }
  return kEntries.front();
}

// Where black and white stand out equally.
constexpr double kMiddleLuminance = 0.179;

std::uint32_t textOn(std::uint32_t colour) {
  return luminanceOf(colour) > kMiddleLuminance ? 0x14171A : 0xFFFFFF;
}

}  // namespace

std::string classOf(SvgInk ink) {
  return fmt::format("{}{}", ink.isOn ? "on-" : "", entryOf(ink.colour).name);
}

Shades shadesOf(SvgColour colour) {
  return entryOf(colour).shades;
}

std::string lightColour(SvgInk ink) {
  const std::uint32_t colour = shadesOf(ink.colour).light;
  return fmt::format("#{:06x}", ink.isOn ? textOn(colour) : colour);
}

std::string colourStyle() {
  std::string light;
  std::string dark;
  std::string rules;
  for (const Entry& entry : kEntries) {
    light +=
        fmt::format("--{0}:#{1:06x};--on-{0}:#{2:06x};", entry.name, entry.shades.light, textOn(entry.shades.light));
    dark += fmt::format("--{0}:#{1:06x};--on-{0}:#{2:06x};", entry.name, entry.shades.dark, textOn(entry.shades.dark));
    rules +=
        fmt::format(".f-{0}{{fill:var(--{0})}}.s-{0}{{stroke:var(--{0})}}.f-on-{0}{{fill:var(--on-{0})}}", entry.name);
  }
  return fmt::format(":root{{{}}}\n@media screen and (prefers-color-scheme:dark){{:root{{{}}}}}\n{}\n", light, dark,
                     rules);
}

namespace {

constexpr const char* kFont = "system-ui, 'Noto Sans', 'Segoe UI', Helvetica, Arial, sans-serif";
constexpr const char* kFixedFont = "ui-monospace, 'Noto Sans Mono', 'DejaVu Sans Mono', monospace";
constexpr double kFixedWidth = 0.61;
constexpr std::size_t kMostMarks = 20'000;  // lines or dots of one area

std::string fill(SvgInk ink) {
  return fmt::format("class=\"f-{}\" fill=\"{}\"", classOf(ink), lightColour(ink));
}

std::string stroke(SvgColour colour, double width) {
  return fmt::format("class=\"s-{}\" stroke=\"{}\" fill=\"none\" stroke-width=\"{:.4g}\"", classOf({colour}),
                     lightColour({colour}), width);
}

double characterWidth(unsigned char lead) {
  constexpr std::string_view kNarrow = "iljtfr.,:;'|!()[] ";
  constexpr std::string_view kWide = "mwMWGOQ@%&";
  if (lead >= 0xe0) return 1;
  if (kNarrow.find(static_cast<char>(lead)) != std::string_view::npos) return 0.4;
  if (kWide.find(static_cast<char>(lead)) != std::string_view::npos) return 0.95;
  return lead >= 'A' && lead <= 'Z' ? 0.72 : 0.63;
}

}  // namespace

double likelyWidth(std::string_view text, double size, bool isFixed) {
  double width = 0;
  for (const char character : text) {
    const auto byte = static_cast<unsigned char>(character);
    if ((byte & 0xc0) == 0x80) continue;
    width += isFixed ? kFixedWidth : characterWidth(byte);
  }
  return width * size;
}

std::string shortened(std::string_view text, double room, double size, bool isFixed) {
  if (likelyWidth(text, size, isFixed) <= room) return std::string(text);
  const double left = room - likelyWidth("…", size, isFixed);
  std::size_t end = 0;
  std::size_t characters = 0;
  while (end < text.size()) {
    std::size_t next = end + 1;
    while (next < text.size() && (static_cast<unsigned char>(text[next]) & 0xc0) == 0x80) ++next;
    if (likelyWidth(text.substr(0, next), size, isFixed) > left) break;
    end = next;
    ++characters;
  }
  return characters < 2 ? std::string() : std::string(text.substr(0, end)) + "…";
}

void SvgDrawing::rect(const TreemapRect& rect, SvgColour colour, std::string_view title, double opacity) {
  m_body += fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" {}", rect.x, rect.y,
                        std::max(0.0, rect.width), std::max(0.0, rect.height), fill({colour}));
  if (opacity < 1) m_body += fmt::format(" fill-opacity=\"{:.2f}\"", opacity);
  m_body += title.empty() ? "/>" : fmt::format("><title>{}</title></rect>", escapedMarkup(printable(title)));
}

void SvgDrawing::frame(const TreemapRect& rect, SvgColour colour) {
  m_body += fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" {}/>", rect.x, rect.y,
                        std::max(0.0, rect.width), std::max(0.0, rect.height), stroke(colour, 0.75));
}

// Lines x + y = c; SVG Tiny knows neither patterns nor clipping.
void SvgDrawing::hatch(const TreemapRect& rect, SvgColour colour, double step) {
  if (rect.width <= 0 || rect.height <= 0 || step <= 0) return;
  std::string path;
  const double right = rect.x + rect.width;
  const double bottom = rect.y + rect.height;
  double sum = std::ceil((rect.x + rect.y) / step) * step;
  for (std::size_t line = 0; sum < right + bottom && line < kMostMarks; sum += step, ++line) {
    const double fromX = std::max(rect.x, sum - bottom);
    const double toX = std::min(right, sum - rect.y);
    path += fmt::format("M{:.2f} {:.2f}L{:.2f} {:.2f}", fromX, sum - fromX, toX, sum - toX);
  }
  if (!path.empty()) m_body += fmt::format("<path d=\"{}\" {}/>", path, stroke(colour, 1));
}

void SvgDrawing::dots(const TreemapRect& rect, SvgColour colour, double step) {
  if (rect.width <= 0 || rect.height <= 0 || step <= 0) return;
  std::string path;
  std::size_t marks = 0;
  for (double y = rect.y + step / 2; y < rect.y + rect.height; y += step) {
    for (double x = rect.x + step / 2; x < rect.x + rect.width && marks < kMostMarks; x += step, ++marks) {
      path += fmt::format("M{:.2f} {:.2f}h1", x, y);
    }
  }
  if (!path.empty()) m_body += fmt::format("<path d=\"{}\" {}/>", path, stroke(colour, 1));
}

void SvgDrawing::line(double x1, double y1, double x2, double y2, SvgColour colour) {
  m_body += fmt::format("<line x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\" {}/>", x1, y1, x2, y2,
                        stroke(colour, 0.75));
}

void SvgDrawing::text(double x, double y, std::string_view text, const SvgText& look) {
  const std::string shown = shortened(printable(text), look.room, look.size, look.isFixed);
  if (shown.empty()) return;
  static constexpr const char* kAnchors[] = {"start", "middle", "end"};
  m_body += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" font-size=\"{:.4g}\" text-anchor=\"{}\" {}", x, y, look.size,
                        kAnchors[static_cast<std::size_t>(look.align)], fill(look.ink));
  if (look.isFixed) m_body += fmt::format(" font-family=\"{}\"", kFixedFont);
  if (look.isBold) m_body += " font-weight=\"600\"";
  m_body += fmt::format(">{}</text>", escapedMarkup(shown));
}

ReviewPicture SvgDrawing::take(std::string_view title, bool holdsContents) const {
  const std::string head = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.2f}\" height=\"{1:.2f}\" viewBox=\"0 0 {0:.2f} {1:.2f}\" "
      "role=\"img\" font-family=\"{2}\"><title>{3}</title>",
      m_width, m_height, kFont, escapedMarkup(printable(title)));
  return {.svg = head + m_body + "</svg>", .width = m_width, .height = m_height, .holdsContents = holdsContents};
}

}  // namespace heapscape::engine
