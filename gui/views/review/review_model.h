// SPDX-License-Identifier: MIT
#pragma once

#include <QAbstractListModel>
#include <QPixmap>
#include <optional>
#include <vector>

#include "review/board.h"

namespace heapscape::gui {

inline constexpr QSize kThumbnailSize{64, 44};

/// A picture of what a page shows, small and on white: a picture as it is, of tables and notes where their words stand.
QPixmap pageThumbnail(const engine::ReviewPage& page);

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
  /// At the end; the row it has now.
  int add(engine::ReviewPage page);
  void setNote(int row, const QString& note);
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
  mutable std::vector<QPixmap> m_thumbnails;  // of each page; null until it is asked for
  std::vector<Removed> m_removed;             // the last one was removed last
};

/// "table, 120 rows", "picture", "note".
QString contentText(const engine::ReviewPage& page);

}  // namespace heapscape::gui
