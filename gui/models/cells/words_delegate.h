// SPDX-License-Identifier: MIT
#pragma once

#include <QStringList>
#include <QStyledItemDelegate>
#include <string>
#include <vector>

#include "bridge/literals.h"

namespace heapscape::gui {

/// Separator between the words of a cell.
inline const QString& wordSeparator() {
  static const QString separator = u", "_s;
  return separator;
}

/// Texts of the engine as the words of a cell.
QString wordsText(const std::vector<std::string>& words);

/// Draws the words of a cell as outlined chips; those that do not fit are counted: "+2".
class WordsDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

/// How many of these chips, and behind them the "+n" for the rest, fit into a width.
qsizetype wordsThatFit(const QStringList& words, int width, const QFont& font);
/// Width of all of them side by side.
int widthOfWords(const QStringList& words, const QFont& font);
/// Draws them into a part of a cell.
void paintWords(QPainter* painter, const QStyleOptionViewItem& item, const QRect& area, const QStringList& words);

}  // namespace heapscape::gui
