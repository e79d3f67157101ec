// SPDX-License-Identifier: MIT
#include "base/palette.h"

#include <array>
#include <cmath>
#include <cstddef>

namespace heapscape::engine {

double luminanceOf(std::uint32_t colour) {
  static constexpr std::array kWeights{0.0722, 0.7152, 0.2126};  // blue, green, red
  double sum = 0;
  for (std::size_t channel = 0; channel < kWeights.size(); ++channel) {
    const double share = (colour >> (8 * channel) & 0xFF) / 255.0;
    sum += kWeights[channel] * (share <= 0.04045 ? share / 12.92 : std::pow((share + 0.055) / 1.055, 2.4));
  }
  return sum;
}

}  // namespace heapscape::engine
