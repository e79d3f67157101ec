// SPDX-License-Identifier: MIT
#include "views/review/review_file.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>

#include "bridge/sample_dump.h"
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

}  // namespace heapscape::gui
