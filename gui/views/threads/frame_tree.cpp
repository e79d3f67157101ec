// SPDX-License-Identifier: MIT
#include "views/threads/frame_tree.h"

#include <QHeaderView>
#include <QTreeView>
#include <algorithm>

#include "models/cells/item_painting.h"
#include "models/cells/name_delegate.h"
#include "models/cells/roles.h"
#include "models/cells/words_delegate.h"
#include "models/rows/table_heading.h"
#include "models/rows/table_setup.h"
#include "views/threads/stack_model.h"

namespace heapscape::gui {

namespace {

constexpr int kGap = 8;

/// Draws frames and locals: the name, and behind it as chips what is special about it. Frames of neither the program
/// nor .NET are slanted and dimmed.
class FrameDelegate : public NameDelegate {
 public:
  using NameDelegate::NameDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    const QString name = item.text;
    const QRect area = paintItemWithoutText(painter, item);
    const QStringList marks = index.data(kMarksRole).toStringList();
    const int marksWidth = marks.isEmpty() ? 0 : std::min(widthOfWords(marks, item.font) + kGap, area.width() / 2);
    const bool isAside = index.data(kIsAsideRole).toBool();
    QStyleOptionViewItem text = item;
    text.text = name;
    text.font.setItalic(isAside);
    if (isAside && !isSelected(item)) text.palette.setColor(QPalette::Text, dimmedItemTextColour(item));
    const int used = paintName(painter, text, area.adjusted(0, 0, -marksWidth, 0),
                               index.data(kDimmedPrefixRole).toInt(), index.data(kShortNameRole).toString());
    if (!marks.isEmpty()) paintWords(painter, item, area.adjusted(used + kGap, 0, 0, 0), marks);
  }
};

}  // namespace

void setUpFrameTree(QTreeView* tree, int nameColumn) {
  setUpTree(tree, new TableHeading(tree));
  tree->setItemDelegate(new NameDelegate(tree));
  tree->setItemDelegateForColumn(nameColumn, new FrameDelegate(tree));
  tree->setExpandsOnDoubleClick(false);
  tree->header()->setSectionsClickable(false);
}

}  // namespace heapscape::gui
