// SPDX-License-Identifier: MIT
#include "review/svg_colours.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

namespace heapscape::engine {
namespace {

struct Entry {
  SvgColour colour;
  const char* name;
  const char* light;
  const char* dark;
};

constexpr std::array<Entry, 22> kEntries{{{SvgColour::Text, "text", "#1f2328", "#e3e6ea"},
                                          {SvgColour::DimmedText, "dimmed", "#626a75", "#9aa3ae"},
                                          {SvgColour::Line, "line", "#d5d9df", "#3a4048"},
                                          {SvgColour::Surface, "surface", "#ffffff", "#1b1e23"},
                                          {SvgColour::Gen0, "gen0", "#56b4e9", "#6cc3f2"},
                                          {SvgColour::Gen1, "gen1", "#009e73", "#2db88f"},
                                          {SvgColour::Gen2, "gen2", "#0072b2", "#3f9bd8"},
                                          {SvgColour::Large, "large", "#cc79a7", "#da93bc"},
                                          {SvgColour::Pinned, "pinned", "#e69f00", "#f0b33a"},
                                          {SvgColour::Frozen, "frozen", "#8a94a6", "#a3adbd"},
                                          {SvgColour::Free, "free", "#eceef1", "#2a2e35"},
                                          {SvgColour::Reference, "reference", "#0072b2", "#3f9bd8"},
                                          {SvgColour::Primitive, "primitive", "#009e73", "#2db88f"},
                                          {SvgColour::ValueType, "valueType", "#e69f00", "#e69f00"},
                                          {SvgColour::Header, "header", "#c3c8d0", "#474d57"},
                                          {SvgColour::MethodTable, "methodTable", "#aeb5c0", "#565d69"},
                                          {SvgColour::Padding, "padding", "#d55e00", "#f07b2b"},
                                          {SvgColour::LoaderHeap, "loaderHeap", "#9cc9c4", "#2f6e69"},
                                          {SvgColour::JitCode, "jitCode", "#b9c4e4", "#44527e"},
                                          {SvgColour::ThreadStack, "threadStack", "#e6d3a3", "#6e5f33"},
                                          {SvgColour::NativeMemory, "nativeMemory", "#e3bbc6", "#753f52"},
                                          {SvgColour::MappedFile, "mappedFile", "#d3d8df", "#3f4650"}}};

const Entry& entryOf(SvgColour colour) {
  for (const Entry& entry : kEntries) {
    if (entry.colour == colour) return entry;
  }
  return kEntries.front();
}

// The share of the light that a channel reflects, and the eye's weight for it, as WCAG 2 has them.
double luminance(std::string_view colour) {
  static constexpr std::array kWeights{0.2126, 0.7152, 0.0722};
  double sum = 0;
  for (std::size_t channel = 0; channel < kWeights.size(); ++channel) {
    unsigned value = 0;
    std::from_chars(colour.data() + 1 + channel * 2, colour.data() + 3 + channel * 2, value, 16);
    const double share = value / 255.0;
    sum += kWeights[channel] * (share <= 0.04045 ? share / 12.92 : std::pow((share + 0.055) / 1.055, 2.4));
  }
  return sum;
}

// Where black and white stand out equally.
constexpr double kMiddleLuminance = 0.179;

const char* textOn(std::string_view colour) {
  return luminance(colour) > kMiddleLuminance ? "#14171a" : "#ffffff";
}

}  // namespace

std::string classOf(SvgInk ink) {
  return fmt::format("{}{}", ink.isOn ? "on-" : "", entryOf(ink.colour).name);
}

std::string lightColour(SvgInk ink) {
  const char* colour = entryOf(ink.colour).light;
  return ink.isOn ? textOn(colour) : colour;
}

std::string colourStyle() {
  std::string light;
  std::string dark;
  std::string rules;
  for (const Entry& entry : kEntries) {
    light += fmt::format("--{0}:{1};--on-{0}:{2};", entry.name, entry.light, textOn(entry.light));
    dark += fmt::format("--{0}:{1};--on-{0}:{2};", entry.name, entry.dark, textOn(entry.dark));
    rules +=
        fmt::format(".f-{0}{{fill:var(--{0})}}.s-{0}{{stroke:var(--{0})}}.f-on-{0}{{fill:var(--on-{0})}}", entry.name);
  }
  return fmt::format(":root{{{}}}\n@media screen and (prefers-color-scheme:dark){{:root{{{}}}}}\n{}\n", light, dark,
                     rules);
}

}  // namespace heapscape::engine
