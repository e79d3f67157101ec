// SPDX-License-Identifier: MIT
#include "review/svg_colours.h"

#include <fmt/format.h>

#include <array>

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

}  // namespace heapscape::engine
