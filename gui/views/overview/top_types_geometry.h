// SPDX-License-Identifier: MIT
#pragma once

#include <QRectF>
#include <QString>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "heap/segment.h"

namespace heapscape::gui {

/// One of the types that take up most.
struct TopType {
  QString name;
  QString shortName;     // without namespaces, for where the name does not fit
  int prefixLength = 0;  // characters of the namespace in `name`
  engine::Address methodTable;
  std::uint64_t objects = 0;
  std::uint64_t bytes = 0;
  std::array<std::uint64_t, engine::kGenerationCount> generationBytes{};
};

struct TopTypeBar {
  QRectF row;  // what is hit
  QRectF name;
  QRectF figure;                                             // bytes, at the right end
  std::vector<std::pair<engine::Generation, QRectF>> parts;  // the bar, youngest first
};

/// A row each; bars share one scale, on which the largest type fills the room between name and figure.
std::vector<TopTypeBar> topTypeBars(const std::vector<TopType>& types, double width, double rowHeight,
                                    double figureWidth);

}  // namespace heapscape::gui
