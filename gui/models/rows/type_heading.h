// SPDX-License-Identifier: MIT
#pragma once

#include "models/rows/table_heading.h"

namespace heapscape::gui {

/// The headings of a table of types; the generations' heading names each cell of the miniature below it.
class TypeHeading : public TableHeading {
  Q_OBJECT

 public:
  using TableHeading::TableHeading;

 protected:
  void paintContent(QPainter* painter, const QRect& rect, int section) const override;
};

}  // namespace heapscape::gui
