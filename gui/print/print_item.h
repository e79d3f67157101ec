// SPDX-License-Identifier: MIT
#pragma once

#include <QFont>
#include <QPaintDevice>
#include <QString>
#include <memory>
#include <vector>

#include "print/page_flow.h"
#include "review/board.h"

class QPainter;

namespace heapscape::gui {

/// Measures of a printed sheet, in the device's units.
struct PrintStyle {
  explicit PrintStyle(const QPaintDevice& device);

  double points(double number) const { return number * unit; }
  QFont font(double pointSize, QFont::Weight weight = QFont::Normal) const;

  const QPaintDevice* device;
  double unit;   // of a point
  double width;  // between the margins
};

/// Something on paper that is never divided.
class PrintItem {
 public:
  virtual ~PrintItem() = default;
  virtual void paint(QPainter& painter, double y) const = 0;

  FlowItem flow;
};

using PrintItems = std::vector<std::unique_ptr<PrintItem>>;

struct ParagraphLook {
  double size = 9.5;  // in points
  QFont::Weight weight = QFont::Normal;
  QColor colour = QColor(0x1f, 0x23, 0x28);
  double spaceBefore = 4;  // in points
  bool hasRule = false;    // a line above it
  bool isNote = false;     // what somebody has written: on ground of its own
};

/// Each paragraph of the text is an item, so that a long text may go over several sheets.
void addParagraphs(PrintItems& items, const PrintStyle& style, const QString& text, const ParagraphLook& look);
/// A head that is repeated on each sheet, and a row each, at most a hundred.
void addTable(PrintItems& items, const PrintStyle& style, const engine::ReviewTable& table);
/// As wide as it is, smaller only where the sheet is.
void addPicture(PrintItems& items, const PrintStyle& style, const engine::ReviewPicture& picture, double sheetHeight);

}  // namespace heapscape::gui
