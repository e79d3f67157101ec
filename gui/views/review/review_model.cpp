// SPDX-License-Identifier: MIT
#include "views/review/review_model.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QMimeData>
#include <QPainter>
#include <QStandardPaths>
#include <QSvgRenderer>
#include <algorithm>

#include "bridge/sample_dump.h"
#include "review/html_page.h"
#include "widgets/drawing/colours.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {
namespace {

constexpr int kNameDigits = 8;

QString ending() {
  return QString::fromLatin1(engine::kBoardEnding.data(), static_cast<qsizetype>(engine::kBoardEnding.size()));
}

bool canWrite(const QString& path) {
  const QFileInfo file(path);
  return file.exists() ? file.isFile() && file.isWritable() : QFileInfo(file.absolutePath()).isWritable();
}

QString besideOf(const QString& dump) {
  return QFileInfo(dump).absoluteFilePath() + ending();
}

constexpr int kPageThumbnailPixelsPerPoint = 2;
constexpr double kPageThumbnailMargin = 3;
constexpr double kLine = 4;
constexpr double kStroke = 1.5;
constexpr double kLetter = 0.9;  // a letter's width
constexpr std::size_t kMostColumns = 4;

const QRectF kRoom =
    QRectF({}, QSizeF(kThumbnailSize))
        .adjusted(kPageThumbnailMargin, kPageThumbnailMargin, -kPageThumbnailMargin, -kPageThumbnailMargin);

/// Light and dark turned around, hues as they are, and black made the ground. What is pale on paper is then dark, which
/// is lifted where contrast is wanted.
void turnAround(QImage& image, const QColor& ground, bool isContrast) {
  const auto onGround = [isContrast](int channel, int of) {
    if (isContrast) channel = 2 * channel - channel * channel / 255;
    return of + channel * (255 - of) / 255;
  };
  for (int y = 0; y < image.height(); ++y) {
    auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
    for (int x = 0; x < image.width(); ++x) {
      // As much is taken from each channel as turns the lightness around.
      const int shift = 255 - std::max({qRed(line[x]), qGreen(line[x]), qBlue(line[x])}) -
                        std::min({qRed(line[x]), qGreen(line[x]), qBlue(line[x])});
      line[x] = qRgb(onGround(qRed(line[x]) + shift, ground.red()), onGround(qGreen(line[x]) + shift, ground.green()),
                     onGround(qBlue(line[x]) + shift, ground.blue()));
    }
  }
}

void drawPicture(QPainter& painter, const engine::ReviewPicture& picture, const Colours& colours) {
  QSvgRenderer renderer(QByteArray::fromStdString(picture.svg));
  const QSizeF size = QSizeF(picture.width, picture.height).scaled(kRoom.size(), Qt::KeepAspectRatio);
  QRectF place({}, size);
  place.moveCenter(kRoom.center());
  if (!colours.isDark) {
    renderer.render(&painter, place);
    return;
  }
  QImage image((place.size() * kPageThumbnailPixelsPerPoint).toSize().expandedTo(QSize(1, 1)), QImage::Format_RGB32);
  image.fill(Qt::white);
  QPainter onWhite(&image);
  onWhite.setRenderHint(QPainter::Antialiasing);
  renderer.render(&onWhite);
  onWhite.end();
  turnAround(image, colours.surface(), colours.isContrast);
  painter.drawImage(place, image);
}

/// Where words stand, as wide as they are long.
void drawWords(QPainter& painter, const QRectF& room, std::size_t letters, bool isRight, const QColor& ink) {
  const double width = std::min(room.width(), static_cast<double>(letters) * kLetter);
  const double left = isRight ? room.right() - width : room.left();
  painter.fillRect(QRectF(left, room.top(), width, kStroke), ink);
}

void drawTable(QPainter& painter, const engine::ReviewTable& table, const Colours& colours) {
  const std::size_t columns = std::min(kMostColumns, table.columns.size());
  if (columns == 0) return;
  // The first column says what a row is about: it is as wide as two.
  const double unit = kRoom.width() / static_cast<double>(columns + 1);
  double left = kRoom.left();
  for (std::size_t column = 0; column < columns; ++column) {
    const double width = column == 0 ? 2 * unit : unit;
    const bool isRight = engine::isFigure(table.columns[column].kind);
    QRectF cell(left, kRoom.top(), width - 2, kStroke);
    drawWords(painter, cell, table.columns[column].title.size(), isRight, colours.dimmedText());
    for (std::size_t row = 0; row < table.rows.size() && cell.bottom() + kLine < kRoom.bottom(); ++row) {
      cell.translate(0, kLine);
      drawWords(painter, cell, table.rows[row][column].text.size(), isRight, colours.outline());
    }
    left += width;
  }
}

void drawNote(QPainter& painter, const QString& note, const Colours& colours) {
  QRectF line(kRoom.left(), kRoom.top(), kRoom.width(), kStroke);
  const auto lettersOfLine = static_cast<qsizetype>(kRoom.width() / kLetter);
  for (const QString& paragraph : note.split(QLatin1Char('\n'))) {
    for (qsizetype from = 0; from == 0 || from < paragraph.size(); from += lettersOfLine) {
      if (line.bottom() > kRoom.bottom()) return;
      drawWords(painter, line, static_cast<std::size_t>(std::min(lettersOfLine, paragraph.size() - from)), false,
                colours.outline());
      line.translate(0, kLine);
    }
  }
}

}  // namespace

QString bundledReviewOf(const QString& dump) {
  const QString sample = sampleDumpPath();
  const bool isSample = !sample.isEmpty() && QFileInfo(dump).canonicalFilePath() == sample;
  return isSample ? besideOf(sample) : QString();
}

ReviewFile ownReviewFileOf(const QString& dump) {
  const QFileInfo file(dump);
  const QByteArray place = QCryptographicHash::hash(file.absoluteFilePath().toUtf8(), QCryptographicHash::Sha256);
  const QString name = file.fileName() + QLatin1Char('-') + QLatin1String(place.toHex().left(kNameDigits)) + ending();
  const QDir folder(QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + u"/heapscape/reviews"_s);
  folder.mkpath(u"."_s);
  return {folder.filePath(name), false};
}

ReviewFile reviewFileOf(const QString& dump) {
  if (!bundledReviewOf(dump).isEmpty()) return ownReviewFileOf(dump);
  const QString beside = besideOf(dump);
  if (QFileInfo(beside).isFile()) return {beside, true};
  const ReviewFile own = ownReviewFileOf(dump);
  return QFileInfo::exists(own.path) || !canWrite(beside) ? own : ReviewFile{beside, true};
}

bool hasReviewName(const QString& path) {
  return path.endsWith(ending());
}

namespace {

std::filesystem::path systemPath(const QString& path) {
  return QFile::encodeName(path).toStdString();
}

}  // namespace

LoadedReview loadReviewOf(const QString& dump) {
  LoadedReview loaded{.file = reviewFileOf(dump)};
  const QString first = QFileInfo::exists(loaded.file.path) ? loaded.file.path : bundledReviewOf(dump);
  if (QFileInfo::exists(first)) loaded.board = loadReview(first);
  return loaded;
}

engine::Result<engine::ReviewBoard> loadReview(const QString& path) {
  return engine::loadBoard(systemPath(path));
}

WrittenReview writeReview(const engine::ReviewBoard& board, const ReviewFile& file, const QString& dump) {
  WrittenReview written{.file = file, .trouble = {}};
  auto saved = engine::saveBoard(board, systemPath(file.path));
  if (!saved && file.isBesideDump && !dump.isEmpty()) {
    written.file = ownReviewFileOf(dump);
    saved = engine::saveBoard(board, systemPath(written.file.path));
  }
  if (!saved) written.trouble = fromEngine(saved.error().message());
  return written;
}

QPixmap pageThumbnail(const engine::ReviewPage& page, const QPalette& palette) {
  const Colours colours(palette);
  QPixmap thumbnail(kThumbnailSize * kPageThumbnailPixelsPerPoint);
  thumbnail.setDevicePixelRatio(kPageThumbnailPixelsPerPoint);
  thumbnail.fill(colours.surface());
  QPainter painter(&thumbnail);
  painter.setRenderHint(QPainter::Antialiasing);
  if (const auto* picture = std::get_if<engine::ReviewPicture>(&page.content)) {
    drawPicture(painter, *picture, colours);
  } else if (const auto* table = std::get_if<engine::ReviewTable>(&page.content)) {
    drawTable(painter, *table, colours);
  } else {
    drawNote(painter, linesFromEngine(page.note), colours);
  }
  return thumbnail;
}

namespace {

QString mimeType() {
  return u"application/x-heapscape-review-page"_s;
}

QString titleOf(const engine::ReviewPage& page) {
  return page.title.empty() ? u"Untitled page"_s : fromEngine(page.title);
}

template <class List>
void move(List& list, int from, int to) {
  const auto first = list.begin();
  if (from < to) {
    std::rotate(first + from, first + from + 1, first + to + 1);
  } else {
    std::rotate(first + to, first + from, first + from + 1);
  }
}

}  // namespace

QString contentText(const engine::ReviewPage& page) {
  if (const auto* table = std::get_if<engine::ReviewTable>(&page.content)) {
    if (table->rows.size() == 1) return u"table, 1 row"_s;
    return u"table, %1"_s.arg(countedText(table->rows.size(), u"row"_s));
  }
  return std::holds_alternative<engine::ReviewPicture>(page.content) ? u"picture"_s : u"note"_s;
}

void ReviewModel::setBoard(engine::ReviewBoard board) {
  beginResetModel();
  m_board = std::move(board);
  m_thumbnails.assign(m_board.pages.size(), {});
  m_removed.clear();
  endResetModel();
}

void ReviewModel::setBoardTitle(const QString& title) {
  if (m_board.title == title.toStdString()) return;
  m_board.title = title.toStdString();
  Q_EMIT edited();
}

void ReviewModel::setLook(const QPalette& palette) {
  m_palette = palette;
  m_thumbnails.assign(m_board.pages.size(), {});
  if (rowCount() > 0) Q_EMIT dataChanged(index(0), index(rowCount() - 1), {Qt::DecorationRole});
}

void ReviewModel::insert(int row, engine::ReviewPage page) {
  beginInsertRows({}, row, row);
  m_board.pages.insert(m_board.pages.begin() + row, std::move(page));
  m_thumbnails.insert(m_thumbnails.begin() + row, QPixmap());
  endInsertRows();
  Q_EMIT edited();
}

int ReviewModel::add(engine::ReviewPage page) {
  const int row = rowCount();
  insert(row, std::move(page));
  return row;
}

void ReviewModel::setNote(int row, const QString& note) {
  std::string& kept = m_board.pages[static_cast<std::size_t>(row)].note;
  if (kept == note.toStdString()) return;
  kept = note.toStdString();
  if (std::holds_alternative<std::monostate>(page(row).content)) m_thumbnails[static_cast<std::size_t>(row)] = {};
  Q_EMIT dataChanged(index(row), index(row));
  Q_EMIT edited();
}

void ReviewModel::setContent(int row, engine::ReviewPage page) {
  engine::ReviewPage& kept = m_board.pages[static_cast<std::size_t>(row)];
  kept.content = std::move(page.content);
  kept.remark = std::move(page.remark);
  m_thumbnails[static_cast<std::size_t>(row)] = {};
  Q_EMIT dataChanged(index(row), index(row));
  Q_EMIT edited();
}

bool ReviewModel::movePage(int from, int to) {
  const int count = rowCount();
  if (from < 0 || from >= count || to < 0 || to >= count || from == to) return false;
  beginMoveRows({}, from, from, {}, to > from ? to + 1 : to);
  move(m_board.pages, from, to);
  move(m_thumbnails, from, to);
  endMoveRows();
  Q_EMIT edited();
  return true;
}

void ReviewModel::removePage(int row) {
  if (row < 0 || row >= rowCount()) return;
  beginRemoveRows({}, row, row);
  m_removed.push_back({row, std::move(m_board.pages[static_cast<std::size_t>(row)])});
  m_board.pages.erase(m_board.pages.begin() + row);
  m_thumbnails.erase(m_thumbnails.begin() + row);
  endRemoveRows();
  Q_EMIT edited();
}

std::optional<QString> ReviewModel::removedPage() const {
  return m_removed.empty() ? std::nullopt : std::optional(titleOf(m_removed.back().page));
}

int ReviewModel::restorePage() {
  if (m_removed.empty()) return -1;
  Removed removed = std::move(m_removed.back());
  m_removed.pop_back();
  const int row = std::min(removed.row, rowCount());
  insert(row, std::move(removed.page));
  return row;
}

int ReviewModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_board.pages.size());
}

QVariant ReviewModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const engine::ReviewPage& shown = page(index.row());
  QPixmap& thumbnail = m_thumbnails[static_cast<std::size_t>(index.row())];
  switch (role) {
    case Qt::DisplayRole:
      return titleOf(shown);
    case Qt::EditRole:
      return fromEngine(shown.title);
    case Qt::DecorationRole:
      if (thumbnail.isNull()) thumbnail = pageThumbnail(shown, m_palette);
      return thumbnail;
    case kSubtitleRole:
      return shown.source.empty() ? contentText(shown) : u"%1 · %2"_s.arg(fromEngine(shown.source), contentText(shown));
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole:
      return u"Page %1: %2, %3"_s.arg(index.row() + 1).arg(titleOf(shown), contentText(shown));
    default:
      return {};
  }
}

bool ReviewModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::EditRole || !checkIndex(index, CheckIndexOption::IndexIsValid)) return false;
  std::string& title = m_board.pages[static_cast<std::size_t>(index.row())].title;
  const std::string wanted = value.toString().trimmed().toStdString();
  if (title == wanted) return true;
  title = wanted;
  Q_EMIT dataChanged(index, index);
  Q_EMIT edited();
  return true;
}

Qt::ItemFlags ReviewModel::flags(const QModelIndex& index) const {
  // Between pages only: a page has no place inside another one.
  if (!index.isValid()) return Qt::ItemIsDropEnabled;
  return Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsEditable | Qt::ItemIsDragEnabled;
}

QStringList ReviewModel::mimeTypes() const {
  return {mimeType()};
}

QMimeData* ReviewModel::mimeData(const QModelIndexList& indexes) const {
  if (indexes.isEmpty()) return nullptr;
  auto* data = new QMimeData;
  data->setData(mimeType(), QByteArray::number(indexes.first().row()));
  return data;
}

// False even where it moves: the view would take true as a wish to remove the page that was dragged.
bool ReviewModel::dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int, const QModelIndex& parent) {
  if (action != Qt::MoveAction || !data->hasFormat(mimeType()) || parent.isValid()) return false;
  const int from = data->data(mimeType()).toInt();
  const int gap = row < 0 ? rowCount() : row;
  movePage(from, gap > from ? gap - 1 : gap);
  return false;
}

}  // namespace heapscape::gui
