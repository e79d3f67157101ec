// SPDX-License-Identifier: MIT
#include "print/fitted_columns.h"

#include <algorithm>

namespace heapscape::gui {
namespace {

/// Columns that want less than an equal share get what they want, and the others share the rest equally.
void share(std::span<const ColumnNeed> needs, bool canWrap, double room, std::vector<double>& widths) {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < needs.size(); ++i) {
    if (needs[i].canWrap == canWrap) open.push_back(i);
  }
  std::ranges::sort(open, {}, [&needs](std::size_t i) { return needs[i].wanted; });
  for (std::size_t done = 0; done < open.size(); ++done) {
    const double equal = room / static_cast<double>(open.size() - done);
    const std::size_t i = open[done];
    widths[i] = std::max(0.0, std::min(needs[i].wanted, equal));
    room -= widths[i];
  }
}

}  // namespace

std::vector<double> fittedColumns(std::span<const ColumnNeed> needs, double room, double least) {
  double figures = 0;
  double leastWords = 0;
  for (const ColumnNeed& need : needs) {
    (need.canWrap ? leastWords : figures) += need.canWrap ? std::min(need.wanted, least) : need.wanted;
  }
  figures = std::max(0.0, std::min(figures, room - std::min(leastWords, room / 2)));
  std::vector<double> widths(needs.size());
  share(needs, false, figures, widths);
  share(needs, true, room - figures, widths);
  return widths;
}

}  // namespace heapscape::gui
