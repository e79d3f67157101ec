// SPDX-License-Identifier: MIT
#include <QFontMetricsF>
#include <QPainter>
#include <QTextLayout>
#include <algorithm>

#include "print/fitted_columns.h"
#include "print/print_item.h"
#include "review/html_page.h"
#include "widgets/text/counted_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {
namespace {

constexpr double kPrintTableFontSize = 8;  // in points, as all below
constexpr double kGap = 10;                // between columns
constexpr double kRowPadding = 2.5;        // above and below
constexpr double kLeastWords = 60;
constexpr int kMostLines = 10;          // of a cell; what is longer ends in …
constexpr std::size_t kMostRows = 100;  // what is beyond them nobody reads on paper
constexpr int kLongestCell = 2000;      // characters that are laid out
constexpr QChar kCutOff(0x2026);
constexpr QRgb kPrintTableRule = 0xffdfe2e7;
constexpr QRgb kHeadRule = 0xff9aa3ae;
constexpr QRgb kBar = 0xffbcd9ea;

/// Where the columns of a table stand, shared by its rows.
struct Columns {
  Columns(const PrintStyle& printStyle, const engine::ReviewTable& table) : style(printStyle) {
    const double gap = style.points(kGap);
    std::vector<ColumnNeed> needs;
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
      const engine::ReviewColumn& about = table.columns[column];
      isFigure.push_back(engine::isFigure(about.kind));
      most.push_back(mostOf(table, column));
      const bool isFixed = isFigure.back() || about.kind == engine::ReviewCellKind::Address;
      needs.push_back({wantedBy(table, column) + gap, !isFixed});
    }
    widths = fittedColumns(needs, style.width + gap, style.points(kLeastWords));
    for (double& width : widths) width = std::max(0.0, width - gap);
  }

  QFont font(bool isHead) const { return style.font(kPrintTableFontSize, isHead ? QFont::DemiBold : QFont::Normal); }
  QFont deviceFont(bool isHead) const { return {font(isHead), const_cast<QPaintDevice*>(style.device)}; }

  const PrintStyle style;
  std::vector<double> widths;
  std::vector<bool> isFigure;
  std::vector<std::int64_t> most;  // bytes, to draw bars; 0 for columns without

 private:
  double wantedBy(const engine::ReviewTable& table, std::size_t column) const {
    const QFontMetricsF metrics(deviceFont(false));
    double wanted = QFontMetricsF(deviceFont(true)).horizontalAdvance(fromEngine(table.columns[column].title));
    for (const auto& row : table.rows) {
      wanted = std::max(wanted, metrics.horizontalAdvance(fromEngine(row[column].text).left(kLongestCell)));
    }
    return wanted + style.points(1);
  }

  static std::int64_t mostOf(const engine::ReviewTable& table, std::size_t column) {
    std::int64_t most = 0;
    if (table.columns[column].kind != engine::ReviewCellKind::Bytes) return most;
    for (const auto& row : table.rows) most = std::max(most, row[column].number.value_or(0));
    return most;
  }
};

class Row : public PrintItem {
 public:
  struct Cell {
    QString text;
    double share = 0;  // of the column's largest
  };

  Row(std::shared_ptr<const Columns> columns, std::vector<Cell> cells, bool isHead)
      : m_columns(std::move(columns)), m_cells(std::move(cells)), m_isHead(isHead) {
    int lines = 1;
    for (std::size_t column = 0; column < m_cells.size(); ++column) {
      if (!m_columns->isFigure[column]) lines = std::max(lines, static_cast<int>(linesOf(column).size()));
    }
    m_lineHeight = QFontMetricsF(m_columns->deviceFont(isHead)).lineSpacing();
    flow.height = lines * m_lineHeight + m_columns->style.points(2 * kRowPadding);
  }

  void paint(QPainter& painter, double y) const override {
    const PrintStyle& style = m_columns->style;
    painter.setFont(m_columns->font(m_isHead));
    painter.setPen(QColor(0x1f, 0x23, 0x28));
    double x = 0;
    for (std::size_t column = 0; column < m_cells.size(); ++column) {
      const double width = m_columns->widths[column];
      paintCell(painter, column, QRectF(x, y + style.points(kRowPadding), width, m_lineHeight));
      x += width + style.points(kGap);
    }
    const double thickness = style.points(m_isHead ? 0.8 : 0.4);
    painter.fillRect(QRectF(0, y + flow.height - thickness, style.width, thickness),
                     QColor::fromRgba(m_isHead ? kHeadRule : kPrintTableRule));
  }

 private:
  void paintCell(QPainter& painter, std::size_t column, const QRectF& firstLine) const {
    const Cell& cell = m_cells[column];
    if (m_columns->isFigure[column]) {
      if (cell.share > 0) {
        const double length = firstLine.width() * std::min(cell.share, 1.0);
        const double thickness = m_columns->style.points(1.2);
        painter.fillRect(QRectF(firstLine.right() - length, firstLine.bottom(), length, thickness),
                         QColor::fromRgba(kBar));
      }
      const QFontMetricsF metrics(m_columns->deviceFont(m_isHead));
      const QString shown = metrics.elidedText(cell.text, Qt::ElideRight, firstLine.width() + 1);
      return painter.drawText(firstLine, Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip, shown);
    }
    QRectF place = firstLine;
    for (const QString& line : linesOf(column)) {
      painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, line);
      place.translate(0, m_lineHeight);
    }
  }

  /// The text broken to the column's width; the last line is elided if there are more.
  QStringList linesOf(std::size_t column) const {
    const QFont font = m_columns->deviceFont(m_isHead);
    const double width = std::max(m_columns->widths[column], 1.0);
    QString text = m_cells[column].text;
    if (text.size() > kLongestCell) text = text.left(kLongestCell) + kCutOff;
    const QStringList paragraphs = text.split(QLatin1Char('\n'));
    QStringList lines;
    for (qsizetype i = 0; i < paragraphs.size(); ++i) {
      const QString& paragraph = paragraphs[i];
      QTextLayout layout(paragraph, font);
      QTextOption option;
      option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
      layout.setTextOption(option);
      layout.beginLayout();
      for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(width);
        if (lines.size() + 1 == kMostLines) {
          const QString rest =
              paragraph.mid(line.textStart()) + (i + 1 < paragraphs.size() ? QString(kCutOff) : QString());
          lines << QFontMetricsF(font).elidedText(rest, Qt::ElideRight, width);
          layout.endLayout();
          return lines;
        }
        lines << paragraph.mid(line.textStart(), line.textLength()).trimmed();
      }
      layout.endLayout();
    }
    return lines;
  }

  std::shared_ptr<const Columns> m_columns;
  std::vector<Cell> m_cells;
  bool m_isHead;
  double m_lineHeight = 0;
};

std::vector<Row::Cell> cellsOf(const Columns& columns, const std::vector<engine::ReviewCell>& row) {
  std::vector<Row::Cell> cells;
  for (std::size_t column = 0; column < columns.widths.size(); ++column) {
    const engine::ReviewCell& cell = row[column];
    const std::int64_t most = columns.most[column];
    const double share = most > 0 ? static_cast<double>(cell.number.value_or(0)) / static_cast<double>(most) : 0;
    cells.push_back({linesFromEngine(cell.text), share});
  }
  return cells;
}

}  // namespace

void addTable(PrintItems& items, const PrintStyle& style, const engine::ReviewTable& whole) {
  if (whole.columns.empty()) return;
  engine::ReviewTable table = whole;
  table.rows.resize(std::min(table.rows.size(), kMostRows));
  table.rowsLeftOut = engine::rowsInAll(whole) - table.rows.size();
  const auto columns = std::make_shared<const Columns>(style, table);
  std::vector<Row::Cell> titles;
  for (const engine::ReviewColumn& column : table.columns) titles.push_back({fromEngine(column.title)});
  const std::size_t head = items.size();
  items.push_back(std::make_unique<Row>(columns, std::move(titles), true));
  items.back()->flow.spaceBefore = style.points(8);
  items.back()->flow.keepsWithNext = true;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    items.push_back(std::make_unique<Row>(columns, cellsOf(*columns, table.rows[row]), false));
    items.back()->flow.heading = head;
    // Neither one row alone below the head, nor one alone on the last sheet.
    items.back()->flow.keepsWithNext = row == 0 || row + 2 == table.rows.size();
  }
  if (!items.empty()) items.back()->flow.keepsWithNext = false;
  if (!table.rowsLeftOut) return;
  const QString rows = countedText(table.rowsLeftOut, QStringLiteral("more row"));
  const QString are = table.rowsLeftOut == 1 ? QStringLiteral("is") : QStringLiteral("are");
  addParagraphs(items, style, QStringLiteral("%1 %2 not printed.").arg(rows, are),
                {.size = 8, .colour = QColor(0x5b, 0x63, 0x6e)});
}

}  // namespace heapscape::gui
