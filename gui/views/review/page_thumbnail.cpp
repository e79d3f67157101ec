// SPDX-License-Identifier: MIT
#include "views/review/page_thumbnail.h"

#include <QPainter>
#include <QSvgRenderer>
#include <algorithm>

#include "review/html_page.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {
namespace {

constexpr int kPageThumbnailPixelsPerPoint = 2;
constexpr double kPageThumbnailMargin = 3;
constexpr double kLine = 4;
constexpr double kStroke = 1.5;
constexpr double kLetter = 0.9;  // a letter's width
constexpr std::size_t kMostColumns = 4;
constexpr QRgb kInk = 0xffA3AAB3;
constexpr QRgb kHeadInk = 0xff636B75;

const QRectF kRoom =
    QRectF({}, QSizeF(kThumbnailSize))
        .adjusted(kPageThumbnailMargin, kPageThumbnailMargin, -kPageThumbnailMargin, -kPageThumbnailMargin);

void drawPicture(QPainter& painter, const engine::ReviewPicture& picture) {
  QSvgRenderer renderer(QByteArray::fromStdString(picture.svg));
  const QSizeF size = QSizeF(picture.width, picture.height).scaled(kRoom.size(), Qt::KeepAspectRatio);
  QRectF place({}, size);
  place.moveCenter(kRoom.center());
  renderer.render(&painter, place);
}

/// Where words stand, as wide as they are long.
void drawWords(QPainter& painter, const QRectF& room, std::size_t letters, bool isRight, QRgb ink) {
  const double width = std::min(room.width(), static_cast<double>(letters) * kLetter);
  const double left = isRight ? room.right() - width : room.left();
  painter.fillRect(QRectF(left, room.top(), width, kStroke), QColor::fromRgb(ink));
}

void drawTable(QPainter& painter, const engine::ReviewTable& table) {
  const std::size_t columns = std::min(kMostColumns, table.columns.size());
  if (columns == 0) return;
  // The first column says what a row is about: it is as wide as two.
  const double unit = kRoom.width() / static_cast<double>(columns + 1);
  double left = kRoom.left();
  for (std::size_t column = 0; column < columns; ++column) {
    const double width = column == 0 ? 2 * unit : unit;
    const bool isRight = engine::isFigure(table.columns[column].kind);
    QRectF cell(left, kRoom.top(), width - 2, kStroke);
    drawWords(painter, cell, table.columns[column].title.size(), isRight, kHeadInk);
    for (std::size_t row = 0; row < table.rows.size() && cell.bottom() + kLine < kRoom.bottom(); ++row) {
      cell.translate(0, kLine);
      drawWords(painter, cell, table.rows[row][column].text.size(), isRight, kInk);
    }
    left += width;
  }
}

void drawNote(QPainter& painter, const QString& note) {
  QRectF line(kRoom.left(), kRoom.top(), kRoom.width(), kStroke);
  const auto lettersOfLine = static_cast<qsizetype>(kRoom.width() / kLetter);
  for (const QString& paragraph : note.split(QLatin1Char('\n'))) {
    for (qsizetype from = 0; from == 0 || from < paragraph.size(); from += lettersOfLine) {
      if (line.bottom() > kRoom.bottom()) return;
      drawWords(painter, line, static_cast<std::size_t>(std::min(lettersOfLine, paragraph.size() - from)), false, kInk);
      line.translate(0, kLine);
    }
  }
}

}  // namespace

QPixmap pageThumbnail(const engine::ReviewPage& page) {
  QPixmap thumbnail(kThumbnailSize * kPageThumbnailPixelsPerPoint);
  thumbnail.setDevicePixelRatio(kPageThumbnailPixelsPerPoint);
  thumbnail.fill(Qt::white);
  QPainter painter(&thumbnail);
  painter.setRenderHint(QPainter::Antialiasing);
  if (const auto* picture = std::get_if<engine::ReviewPicture>(&page.content)) {
    drawPicture(painter, *picture);
  } else if (const auto* table = std::get_if<engine::ReviewTable>(&page.content)) {
    drawTable(painter, *table);
  } else {
    drawNote(painter, linesFromEngine(page.note));
  }
  return thumbnail;
}

}  // namespace heapscape::gui
