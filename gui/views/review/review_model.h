// SPDX-License-Identifier: MIT
#pragma once

#include <QAbstractListModel>
#include <QPalette>
#include <QPixmap>
#include <QString>
#include <optional>
#include <vector>

#include "review/board.h"

namespace heapscape::gui {

/// Where a review is kept.
struct ReviewFile {
  QString path;
  /// False: it is with the user's own data, for the dump's folder cannot be written to or belongs to the program.
  bool isBesideDump = true;
  bool operator==(const ReviewFile&) const = default;
};

/// Beside the dump or assembly; where that cannot be, and of the sample that comes with the program, below the user's
/// data.
ReviewFile reviewFileOf(const QString& dump);
/// The review that comes with the sample; empty for any other dump.
QString bundledReviewOf(const QString& dump);
/// Below the user's data, under a name that no other dump gets.
ReviewFile ownReviewFileOf(const QString& dump);

bool hasReviewName(const QString& path);

// Reading and writing of reviews. All of these wait for disks: never on the GUI thread.

struct LoadedReview {
  ReviewFile file;
  engine::Result<engine::ReviewBoard> board = engine::ReviewBoard();
};
/// The review of a dump or assembly, an empty one if it has none yet.
LoadedReview loadReviewOf(const QString& dump);
engine::Result<engine::ReviewBoard> loadReview(const QString& path);

struct WrittenReview {
  ReviewFile file;  // where it is now
  QString trouble;  // why it is not; else empty
};
/// To `file`; where a file beside `dump` cannot be written to, below the user's data. `dump` is empty for a review that
/// was opened by itself.
WrittenReview writeReview(const engine::ReviewBoard& board, const ReviewFile& file, const QString& dump);

inline constexpr QSize kThumbnailSize{64, 44};

/// A picture of what a page shows, small and on the ground of a theme's pictures: a picture as it is, where the theme
/// is dark with light and dark turned around, of tables and notes where their words stand.
QPixmap pageThumbnail(const engine::ReviewPage& page, const QPalette& palette);

/// The pages of a review as a list that can be put in order by dragging. Owns the board.
class ReviewModel : public QAbstractListModel {
  Q_OBJECT

 public:
  using QAbstractListModel::QAbstractListModel;

  static constexpr int kSubtitleRole = Qt::UserRole;  // "Types · table, 120 rows"

  const engine::ReviewBoard& board() const { return m_board; }
  const engine::ReviewPage& page(int row) const { return m_board.pages[static_cast<std::size_t>(row)]; }
  void setBoard(engine::ReviewBoard board);
  void setBoardTitle(const QString& title);
  /// The theme that thumbnails are drawn for.
  void setLook(const QPalette& palette);
  /// At the end; the row it has now.
  int add(engine::ReviewPage page);
  void setNote(int row, const QString& note);
  /// Another content and remark for a page whose words stay.
  void setContent(int row, engine::ReviewPage page);
  bool movePage(int from, int to);
  void removePage(int row);
  /// The title of the page that restorePage() would bring back; nothing if none was removed.
  std::optional<QString> removedPage() const;
  /// Brings the page that was removed last back to where it was; the row it has now.
  int restorePage();

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  Qt::DropActions supportedDropActions() const override { return Qt::MoveAction; }
  QStringList mimeTypes() const override;
  QMimeData* mimeData(const QModelIndexList& indexes) const override;
  bool dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                    const QModelIndex& parent) override;

 Q_SIGNALS:
  /// Something that is to be saved.
  void edited();

 private:
  struct Removed {
    int row = 0;
    engine::ReviewPage page;
  };
  void insert(int row, engine::ReviewPage page);

  engine::ReviewBoard m_board;
  QPalette m_palette;
  mutable std::vector<QPixmap> m_thumbnails;  // of each page; null until it is asked for
  std::vector<Removed> m_removed;             // the last one was removed last
};

/// "table, 120 rows", "picture", "note".
QString contentText(const engine::ReviewPage& page);

}  // namespace heapscape::gui
