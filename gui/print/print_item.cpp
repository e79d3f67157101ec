// SPDX-License-Identifier: MIT
#include "print/print_item.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QSvgRenderer>
#include <QTextLayout>
#include <algorithm>

#include "review/html_page.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

constexpr QRgb kRule = 0xffdfe2e7;

class Flow {
 public:
  Flow(std::span<const FlowItem> items, double sheetHeight) : m_items(items), m_sheetHeight(sheetHeight) {}

  std::vector<FlowPlace> run() {
    for (std::size_t first = 0; first < m_items.size();) {
      std::size_t end = first + 1;
      while (end < m_items.size() && m_items[end - 1].keepsWithNext) ++end;
      if (m_y > 0 && m_y + heightOf(first, end) > m_sheetHeight) turn(first);
      for (; first < end; ++first) {
        // What is to be kept together may be higher than a sheet.
        if (m_y > 0 && m_y + spaceBefore(first) + m_items[first].height > m_sheetHeight) turn(first);
        place(first);
      }
    }
    return std::move(m_places);
  }

 private:
  double spaceBefore(std::size_t item) const { return m_y > 0 ? m_items[item].spaceBefore : 0; }

  double heightOf(std::size_t first, std::size_t end) const {
    double height = 0;
    for (std::size_t item = first; item < end; ++item) {
      height += m_items[item].height + (item > first || m_y > 0 ? m_items[item].spaceBefore : 0);
    }
    return height;
  }

  void turn(std::size_t next) {
    ++m_sheet;
    m_y = 0;
    if (const auto heading = m_items[next].heading) place(*heading);
  }

  void place(std::size_t item) {
    m_y += spaceBefore(item);
    m_places.push_back({item, m_sheet, m_y});
    m_y += m_items[item].height;
  }

  std::span<const FlowItem> m_items;
  double m_sheetHeight;
  std::vector<FlowPlace> m_places;
  std::size_t m_sheet = 0;
  double m_y = 0;
};

}  // namespace

std::vector<FlowPlace> flowed(std::span<const FlowItem> items, double sheetHeight) {
  return Flow(items, sheetHeight).run();
}

namespace {

constexpr double kContentsTextSize = 9.5;  // in points
constexpr double kNumberWidth = 22;
constexpr double kSheetWidth = 30;

}  // namespace

ContentsLine::ContentsLine(const PrintStyle& style, std::size_t number, const QString& title)
    : m_style(style), m_number(number), m_title(title) {
  const QFont font(style.font(kContentsTextSize), const_cast<QPaintDevice*>(style.device));
  flow.height = QFontMetricsF(font).lineSpacing() * 1.35;
}

void ContentsLine::paint(QPainter& painter, double y) const {
  const QFont font = m_style.font(kContentsTextSize);
  const QFontMetricsF metrics(QFont(font, const_cast<QPaintDevice*>(m_style.device)));
  painter.setFont(font);
  const double base = y + metrics.ascent();
  const double numberWidth = m_style.points(kNumberWidth);
  const double room = m_style.width - numberWidth - m_style.points(kSheetWidth);
  const QString title = metrics.elidedText(m_title, Qt::ElideRight, room);
  painter.setPen(QColor(0x5b, 0x63, 0x6e));
  painter.drawText(QPointF(0, base), QString::number(m_number));
  const QString sheet = QString::number(m_sheet);
  painter.drawText(QPointF(m_style.width - metrics.horizontalAdvance(sheet), base), sheet);
  painter.setPen(QColor(0x1f, 0x23, 0x28));
  painter.drawText(QPointF(numberWidth, base), title);
}

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

namespace {

constexpr double kNoteInset = 8;       // in points
constexpr double kLineSpacing = 1.25;  // of the font's height
constexpr QRgb kNoteGround = 0xfffff8ec;
constexpr QRgb kNoteRule = 0xffe69f00;

class Paragraph : public PrintItem {
 public:
  Paragraph(const PrintStyle& style, const QString& text, const ParagraphLook& look)
      : m_style(style), m_look(look), m_text(text) {
    layOut(m_layout);
    flow.height = m_height;
    flow.spaceBefore = style.points(look.spaceBefore);
  }

  void paint(QPainter& painter, double y) const override {
    if (m_look.isNote) {
      const QRectF ground(0, y, m_style.width, m_height);
      painter.fillRect(ground, QColor::fromRgba(kNoteGround));
      painter.fillRect(QRectF(0, y, m_style.points(2), m_height), QColor::fromRgba(kNoteRule));
    }
    if (m_look.hasRule) {
      painter.fillRect(QRectF(0, y - m_style.points(10), m_style.width, m_style.points(0.6)), QColor::fromRgba(kRule));
    }
    painter.setPen(m_look.colour);
    m_layout.draw(&painter, QPointF(inset(), y + inset() / 2));
  }

 private:
  double inset() const { return m_look.isNote ? m_style.points(kNoteInset) : 0; }

  void layOut(QTextLayout& layout) {
    layout.setText(m_text);
    layout.setFont(QFont(m_style.font(m_look.size, m_look.weight), const_cast<QPaintDevice*>(m_style.device)));
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    layout.beginLayout();
    double y = 0;
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
      line.setLineWidth(m_style.width - 2 * inset());
      line.setPosition(QPointF(0, y));
      y += line.height() * kLineSpacing;
    }
    layout.endLayout();
    m_height = y + inset();
  }

  const PrintStyle& m_style;
  ParagraphLook m_look;
  QString m_text;
  QTextLayout m_layout;
  double m_height = 0;
};

}  // namespace

PrintStyle::PrintStyle(const QPaintDevice& paintDevice)
    : device(&paintDevice), unit(paintDevice.logicalDpiY() / 72.0), width(paintDevice.width()) {}

QFont PrintStyle::font(double pointSize, QFont::Weight weight) const {
  QFont font;
  font.setPointSizeF(pointSize);
  font.setWeight(weight);
  return font;
}

void addParagraphs(PrintItems& items, const PrintStyle& style, const QString& text, const ParagraphLook& look) {
  ParagraphLook each = look;
  for (const QString& paragraph : text.split(QLatin1Char('\n'))) {
    items.push_back(std::make_unique<Paragraph>(style, paragraph, each));
    each.spaceBefore = 0;
    each.hasRule = false;
  }
}

namespace {

class Picture : public PrintItem {
 public:
  Picture(const engine::ReviewPicture& picture, QSizeF size)
      : m_renderer(QByteArray::fromStdString(picture.svg)), m_size(size) {
    flow.height = size.height();
  }

  void paint(QPainter& painter, double y) const override {
    // Rendering only reads, whatever the signature says.
    const_cast<QSvgRenderer&>(m_renderer).render(&painter, QRectF(QPointF(0, y), m_size));
  }

 private:
  QSvgRenderer m_renderer;
  QSizeF m_size;
};

}  // namespace

void addPicture(PrintItems& items, const PrintStyle& style, const engine::ReviewPicture& picture, double sheetHeight) {
  QSizeF size(style.points(picture.width), style.points(picture.height));
  if (size.isEmpty()) return;
  const double scale = std::min({1.0, style.width / size.width(), sheetHeight / size.height()});
  items.push_back(std::make_unique<Picture>(picture, size * scale));
  items.back()->flow.spaceBefore = style.points(8);
}

namespace {

constexpr double kTableTextSize = 8;  // in points, as all below
constexpr double kGap = 10;           // between columns
constexpr double kRowPadding = 2.5;   // above and below
constexpr double kLeastWords = 60;
constexpr int kMostLines = 10;          // of a cell; what is longer ends in …
constexpr std::size_t kMostRows = 100;  // what is beyond them nobody reads on paper
constexpr int kLongestCell = 2000;      // characters that are laid out
constexpr QChar kCutOff(0x2026);
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
      const bool isFixed = isFigure.back() || about.kind == engine::ColumnKind::Address;
      needs.push_back({wantedBy(table, column) + gap, !isFixed});
    }
    widths = fittedColumns(needs, style.width + gap, style.points(kLeastWords));
    for (double& width : widths) width = std::max(0.0, width - gap);
  }

  QFont font(bool isHead) const { return style.font(kTableTextSize, isHead ? QFont::DemiBold : QFont::Normal); }
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
    if (table.columns[column].kind != engine::ColumnKind::Bytes) return most;
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
                     QColor::fromRgba(m_isHead ? kHeadRule : kRule));
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
      painter.drawText(firstLine, Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip, shown);
      return;
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
  const QString rows = countedText(table.rowsLeftOut, u"more row"_s);
  const QString are = table.rowsLeftOut == 1 ? u"is"_s : u"are"_s;
  addParagraphs(items, style, u"%1 %2 not printed."_s.arg(rows, are), {.size = 8, .colour = QColor(0x5b, 0x63, 0x6e)});
}

}  // namespace heapscape::gui
