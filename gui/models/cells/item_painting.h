// SPDX-License-Identifier: MIT
#pragma once

#include <QMargins>
#include <QRect>
#include <QString>
#include <QStringList>
#include <QStyleOptionViewItem>
#include <QStyledItemDelegate>
#include <string>
#include <vector>

#include "bridge/literals.h"

class QPainter;

namespace heapscape::gui {

/// Between a cell's edge and its text.
inline constexpr int kItemMargin = 8;

/// Size of an item whose text alone has this size.
inline QSize withItemMargins(QSize size) {
  return size.grownBy({kItemMargin, 0, kItemMargin, 0});
}

/// Draws everything of an item but its text (selection, icon, focus) and gives the room that the text has.
QRect paintItemWithoutText(QPainter* painter, QStyleOptionViewItem item);

QColor itemTextColour(const QStyleOptionViewItem& item);
QColor dimmedItemTextColour(const QStyleOptionViewItem& item);
bool isSelected(const QStyleOptionViewItem& item);

/// In the pen that is set. A figure that is not seen whole, for want of room in its column or because the list ends
/// before it, is not there: a part of it would be read as another one.
void paintFigure(QPainter* painter, const QStyleOptionViewItem& item, const QRect& area, const QString& figure);

/// Draws the item's text into a part of its cell: its first part dimmed, or what is shorter where there is no room for
/// that. Returns how much of the width it took.
int paintName(QPainter* painter, const QStyleOptionViewItem& item, const QRect& area, int dimmedPrefix,
              const QString& shorter = {});

/// Draws text whose first part (kDimmedPrefixRole: a namespace, the digits that all addresses share) is dimmed.
class NameDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

/// A figure with a bar behind it that says how much of the largest one it is (kShareRole). Dimmed
/// where there is nothing of it; less than nothing (kIsNegativeRole) is something.
class ShareBarDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  enum class Bar { Plain, Padding };  // hatched, as padding is everywhere

  explicit ShareBarDelegate(Bar bar, QObject* parent = nullptr) : QStyledItemDelegate(parent), m_bar(bar) {}
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 private:
  Bar m_bar;
};

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
