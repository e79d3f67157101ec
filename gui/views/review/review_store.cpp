// SPDX-License-Identifier: MIT
#include "views/review/review_store.h"

#include <QFile>
#include <QFileInfo>

#include "widgets/text/figures.h"

namespace heapscape::gui {

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
