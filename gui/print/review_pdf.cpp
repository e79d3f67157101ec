// SPDX-License-Identifier: MIT
#include "print/review_pdf.h"

#include <QFontMetricsF>
#include <QPageLayout>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>

#include "print/print_item.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {
namespace {

constexpr int kDotsPerInch = 600;
constexpr double kHeadRoom = 24;  // above the text, in points
constexpr double kFootRoom = 24;
constexpr double kSmall = 8;
const QColor kDimmed(0x5b, 0x63, 0x6e);

QString titleOf(const engine::ReviewBoard& board) {
  if (!board.title.empty()) return fromEngine(board.title);
  return u"Review of %1"_s.arg(fromEngine(board.dump));
}

QString titleOf(const engine::ReviewPage& page) {
  return page.title.empty() ? u"Untitled page"_s : fromEngine(page.title);
}

class ReviewSheets {
 public:
  ReviewSheets(const engine::ReviewBoard& board, QPagedPaintDevice& device)
      : m_board(board), m_device(device), m_style(device) {
    m_top = m_style.points(kHeadRoom);
    m_sheetHeight = device.height() - m_top - m_style.points(kFootRoom);
  }

  bool print() {
    addTitle();
    std::vector<std::size_t> headings;
    for (std::size_t page = 0; page < m_board.pages.size(); ++page) headings.push_back(addPage(page));
    std::vector<FlowItem> flow;
    for (const auto& item : m_items) flow.push_back(item->flow);
    const std::vector<FlowPlace> places = flowed(flow, m_sheetHeight);
    m_sheets = places.empty() ? 1 : places.back().sheet + 1;
    for (const FlowPlace& place : places) {
      const auto found = std::ranges::find(headings, place.item);
      if (found == headings.end() || m_contents.empty()) continue;
      m_contents[static_cast<std::size_t>(found - headings.begin())]->setSheet(place.sheet + 1);
    }
    return paint(places);
  }

 private:
  void addTitle() {
    if (!m_board.title.empty()) {
      addParagraphs(m_items, m_style, fromEngine(m_board.dump), {.size = 9, .colour = kDimmed});
    }
    addParagraphs(m_items, m_style, titleOf(m_board), {.size = 20, .weight = QFont::Bold, .spaceBefore = 2});
    addParagraphs(m_items, m_style, fromEngine(m_board.summary), {.size = 10, .colour = kDimmed, .spaceBefore = 2});
    if (m_board.pages.size() < 2) return;
    for (std::size_t page = 0; page < m_board.pages.size(); ++page) {
      auto line = std::make_unique<ContentsLine>(m_style, page + 1, titleOf(m_board.pages[page]));
      line->flow.spaceBefore = page == 0 ? m_style.points(14) : 0;
      m_contents.push_back(line.get());
      m_items.push_back(std::move(line));
    }
  }

  /// The heading's index.
  std::size_t addPage(std::size_t number) {
    const engine::ReviewPage& page = m_board.pages[number];
    const std::size_t heading = m_items.size();
    addParagraphs(m_items, m_style, u"%1   %2"_s.arg(number + 1).arg(titleOf(page)),
                  {.size = 13, .weight = QFont::DemiBold, .spaceBefore = 30, .hasRule = true});
    if (!page.source.empty()) {
      addParagraphs(m_items, m_style, fromEngine(page.source), {.size = 8.5, .colour = kDimmed, .spaceBefore = 1});
    }
    if (!page.note.empty()) {
      addParagraphs(m_items, m_style, linesFromEngine(page.note), {.spaceBefore = 6, .isNote = true});
    }
    if (!page.remark.empty()) addParagraphs(m_items, m_style, linesFromEngine(page.remark), {.size = 9});
    const std::size_t content = m_items.size();
    if (const auto* table = std::get_if<engine::ReviewTable>(&page.content)) addTable(m_items, m_style, *table);
    if (const auto* picture = std::get_if<engine::ReviewPicture>(&page.content)) {
      addPicture(m_items, m_style, *picture, m_sheetHeight * 0.85);
    }
    m_items[heading]->flow.keepsWithNext = heading + 1 < m_items.size();
    // A long note may be divided; a short head stays with the content.
    if (content - heading <= kShortHead && content < m_items.size()) {
      for (std::size_t item = heading; item < content; ++item) m_items[item]->flow.keepsWithNext = true;
    }
    return heading;
  }

  bool paint(const std::vector<FlowPlace>& places) {
    QPainter painter(&m_device);
    if (!painter.isActive()) return false;
    std::size_t sheet = 0;
    paintFrame(painter, sheet);
    for (const FlowPlace& place : places) {
      for (; sheet < place.sheet; paintFrame(painter, sheet)) {
        if (!m_device.newPage()) return false;
        ++sheet;
      }
      painter.save();
      m_items[place.item]->paint(painter, m_top + place.y);
      painter.restore();
    }
    return painter.end();
  }

  void paintFrame(QPainter& painter, std::size_t sheet) {
    const QFont font = m_style.font(kSmall);
    const QFontMetricsF metrics(font, &m_device);
    painter.save();
    painter.setFont(font);
    painter.setPen(kDimmed);
    const double width = m_style.width;
    if (sheet > 0) {
      const QString title = metrics.elidedText(titleOf(m_board), Qt::ElideRight, width * 0.6);
      const QString dump = metrics.elidedText(fromEngine(m_board.dump), Qt::ElideMiddle, width * 0.36);
      painter.drawText(QPointF(0, metrics.ascent()), title);
      painter.drawText(QPointF(width - metrics.horizontalAdvance(dump), metrics.ascent()), dump);
    }
    const QString number = u"%1 of %2"_s.arg(sheet + 1).arg(m_sheets);
    const double bottom = m_device.height() - metrics.descent();
    painter.drawText(QPointF(width - metrics.horizontalAdvance(number), bottom), number);
    painter.drawText(QPointF(0, bottom), u"Heapscape"_s);
    painter.restore();
  }

  static constexpr std::size_t kShortHead = 6;  // paragraphs

  const engine::ReviewBoard& m_board;
  QPagedPaintDevice& m_device;
  PrintStyle m_style;
  double m_top = 0;
  double m_sheetHeight = 0;
  std::size_t m_sheets = 1;
  PrintItems m_items;
  std::vector<ContentsLine*> m_contents;
};

}  // namespace

bool printReview(const engine::ReviewBoard& board, QPagedPaintDevice& device) {
  return ReviewSheets(board, device).print();
}

bool writeReviewPdf(const engine::ReviewBoard& board, const QString& path) {
  QSaveFile file(path);
  if (!file.open(QIODevice::WriteOnly)) return false;
  bool isPrinted = false;
  {
    QPdfWriter writer(&file);
    writer.setResolution(kDotsPerInch);
    writer.setTitle(titleOf(board));
    writer.setCreator(u"Heapscape"_s);
    writer.setPageLayout(QPageLayout(QPageSize(QPageSize::A4), QPageLayout::Portrait, QMarginsF(16, 14, 16, 14),
                                     QPageLayout::Millimeter));
    isPrinted = printReview(board, writer);
  }
  return isPrinted && file.commit();
}

}  // namespace heapscape::gui
