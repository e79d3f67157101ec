// SPDX-License-Identifier: MIT
#include "access/colour_science.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace heapscape::gui::test {

namespace {

using Triple = std::array<double, 3>;
using Matrix = std::array<Triple, 3>;

double linear(double channel) {
  return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

Triple linear(const QColor& colour) {
  return {linear(colour.redF()), linear(colour.greenF()), linear(colour.blueF())};
}

Triple product(const Matrix& matrix, const Triple& of) {
  Triple result{};
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t column = 0; column < 3; ++column) result[row] += matrix[row][column] * of[column];
  return result;
}

const Matrix& seenBy(Vision vision) {
  static const std::array<Matrix, 4> kMatrices{{
      {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
      {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}},
      {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}},
      {{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}},
  }};
  return kMatrices[static_cast<std::size_t>(vision)];
}

/// CIE L*a*b* under D65.
Triple labOf(const QColor& colour, Vision vision) {
  static const Matrix kToXyz{
      {{0.4124564, 0.3575761, 0.1804375}, {0.2126729, 0.7151522, 0.0721750}, {0.0193339, 0.1191920, 0.9503041}}};
  Triple seen = product(seenBy(vision), linear(colour));
  for (double& channel : seen) channel = std::clamp(channel, 0.0, 1.0);
  const Triple xyz = product(kToXyz, seen);
  const auto f = [](double t) { return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116; };
  const double x = f(xyz[0] / 0.95047), y = f(xyz[1]), z = f(xyz[2] / 1.08883);
  return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

double degrees(double radians) {
  return radians * 180 / std::numbers::pi;
}

double cosine(double angle) {
  return std::cos(angle * std::numbers::pi / 180);
}

double sine(double angle) {
  return std::sin(angle * std::numbers::pi / 180);
}

double hue(double b, double a) {
  const double angle = a == 0 && b == 0 ? 0 : degrees(std::atan2(b, a));
  return angle < 0 ? angle + 360 : angle;
}

// Sharma, Wu and Dalal 2005.
double ciede2000(const Triple& one, const Triple& other) {
  const double meanChroma = (std::hypot(one[1], one[2]) + std::hypot(other[1], other[2])) / 2;
  const double seventh = std::pow(meanChroma, 7);
  const double stretch = 1 + 0.5 * (1 - std::sqrt(seventh / (seventh + std::pow(25.0, 7))));
  const double a1 = one[1] * stretch, a2 = other[1] * stretch;
  const double c1 = std::hypot(a1, one[2]), c2 = std::hypot(a2, other[2]);
  const double h1 = hue(one[2], a1), h2 = hue(other[2], a2);
  const bool isGrey = c1 * c2 == 0;
  double turn = isGrey ? 0 : h2 - h1;
  if (turn > 180) turn -= 360;
  if (turn < -180) turn += 360;
  const double lightness = other[0] - one[0], chroma = c2 - c1, hueStep = 2 * std::sqrt(c1 * c2) * sine(turn / 2);
  const double meanL = (one[0] + other[0]) / 2, meanC = (c1 + c2) / 2;
  double meanH = isGrey ? h1 + h2 : (h1 + h2) / 2;
  if (!isGrey && std::abs(h1 - h2) > 180) meanH += meanH < 180 ? 180 : -180;
  const double t = 1 - 0.17 * cosine(meanH - 30) + 0.24 * cosine(2 * meanH) + 0.32 * cosine(3 * meanH + 6) -
                   0.20 * cosine(4 * meanH - 63);
  const double fromMiddle = (meanL - 50) * (meanL - 50);
  const double sl = 1 + 0.015 * fromMiddle / std::sqrt(20 + fromMiddle), sc = 1 + 0.045 * meanC;
  const double sh = 1 + 0.015 * meanC * t;
  const double meanSeventh = std::pow(meanC, 7);
  const double rotation = -2 * std::sqrt(meanSeventh / (meanSeventh + std::pow(25.0, 7))) *
                          sine(60 * std::exp(-std::pow((meanH - 275) / 25, 2)));
  const double l = lightness / sl, c = chroma / sc, h = hueStep / sh;
  return std::sqrt(l * l + c * c + h * h + rotation * c * h);
}

}  // namespace

double contrast(const QColor& one, const QColor& other) {
  const auto luminance = [](const QColor& colour) {
    const Triple light = linear(colour);
    return 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2];
  };
  const double first = luminance(one) + 0.05, second = luminance(other) + 0.05;
  return std::max(first, second) / std::min(first, second);
}

double difference(const QColor& one, const QColor& other, Vision vision) {
  return ciede2000(labOf(one, vision), labOf(other, vision));
}

}  // namespace heapscape::gui::test
