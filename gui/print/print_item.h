// SPDX-License-Identifier: MIT
#pragma once

#include <QFont>
#include <QPaintDevice>
#include <QString>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "review/board.h"

class QPainter;

namespace heapscape::gui {

/// Something that is printed in one piece, one below the other.
struct FlowItem {
  double height = 0;
  double spaceBefore = 0;                   // not at the top of a sheet
  bool keepsWithNext = false;               // a heading is never the last on its sheet
  std::optional<std::size_t> heading = {};  // index of the item that stands above it on each new sheet: a table's head
};

struct FlowPlace {
  std::size_t item = 0;
  std::size_t sheet = 0;
  double y = 0;
  bool operator==(const FlowPlace&) const = default;
};

/// Where items go on sheets of this height, in their order; headings that are repeated have a place for each time. What
/// is higher than a sheet has one of its own and goes over its edge.
std::vector<FlowPlace> flowed(std::span<const FlowItem> items, double sheetHeight);

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

/// The width that a column of a printed table would like to have.
struct ColumnNeed {
  double wanted = 0;     // for its widest cell in one line
  bool canWrap = false;  // words, which may take several lines; figures never do
};

/// Widths that add up to `room`, or to what is wanted if that is less. Figures get what they want before words do;
/// words share what is left so that short columns are not cut for long ones, and have `least` at least, for which
/// figures give way in the end.
std::vector<double> fittedColumns(std::span<const ColumnNeed> needs, double room, double least);

}  // namespace heapscape::gui
