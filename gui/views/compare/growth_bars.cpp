// SPDX-License-Identifier: MIT
#include "views/compare/growth_bars.h"

#include <algorithm>
#include <cmath>

namespace heapscape::gui {

namespace {

constexpr double kNameShare = 0.36;
constexpr double kGap = 8;
constexpr double kBarShare = 0.6;  // of a line's height

}  // namespace

std::vector<GrowthBar> growthBars(const std::vector<engine::TypeChange>& types, std::size_t each) {
  std::vector<GrowthBar> bars;
  for (std::size_t i = 0; i < types.size() && bars.size() < each && types[i].bytes.difference() > 0; ++i)
    bars.push_back({types[i].name, types[i].bytes, static_cast<std::uint32_t>(i)});
  std::vector<GrowthBar> shrunk;
  for (std::size_t i = types.size(); i-- > 0 && shrunk.size() < each && types[i].bytes.difference() < 0;)
    shrunk.push_back({types[i].name, types[i].bytes, static_cast<std::uint32_t>(i)});
  bars.insert(bars.end(), shrunk.begin(), shrunk.end());
  return bars;
}

GrowthPicture layOutGrowth(const std::vector<GrowthBar>& bars, QSizeF size, double lineHeight, double figureWidth) {
  double most = 0;  // of each direction
  double least = 0;
  for (const GrowthBar& bar : bars) {
    most = std::max(most, static_cast<double>(bar.bytes.difference()));
    least = std::max(least, -static_cast<double>(bar.bytes.difference()));
  }
  const double left = std::floor(size.width() * kNameShare) + kGap;
  // Figures stand beyond the ends of the bars, in each direction that there is.
  const double room = size.width() - left - kGap - (most > 0 ? figureWidth : 0) - (least > 0 ? figureWidth : 0);
  const double scale = most + least > 0 ? std::max(room, 1.0) / (most + least) : 0;
  GrowthPicture picture;
  picture.axis = left + (least > 0 ? figureWidth : 0) + std::floor(least * scale);
  double top = 0;
  for (const GrowthBar& bar : bars) {
    if (top + lineHeight > size.height()) break;
    const auto difference = static_cast<double>(bar.bytes.difference());
    const double width = std::max(1.0, std::fabs(difference) * scale);
    GrowthBarShape shape;
    shape.isGrowth = difference >= 0;
    shape.line = {0, top, size.width(), lineHeight};
    shape.name = {kGap, top, left - 2 * kGap, lineHeight};
    const double barHeight = std::floor(lineHeight * kBarShare);
    const double barTop = top + std::floor((lineHeight - barHeight) / 2);
    shape.bar = {shape.isGrowth ? picture.axis : picture.axis - width, barTop, width, barHeight};
    shape.figure = {shape.isGrowth ? shape.bar.right() : shape.bar.left() - figureWidth, top, figureWidth, lineHeight};
    picture.bars.push_back(shape);
    top += lineHeight;
  }
  return picture;
}

}  // namespace heapscape::gui
