// SPDX-License-Identifier: MIT
#pragma once

#include "print/print_item.h"

namespace heapscape::gui {

/// A page of the review and the sheet that it begins on.
class ContentsLine : public PrintItem {
 public:
  ContentsLine(const PrintStyle& style, std::size_t number, const QString& title);

  void setSheet(std::size_t sheet) { m_sheet = sheet; }
  void paint(QPainter& painter, double y) const override;

 private:
  const PrintStyle& m_style;
  std::size_t m_number;
  QString m_title;
  std::size_t m_sheet = 0;
};

}  // namespace heapscape::gui
