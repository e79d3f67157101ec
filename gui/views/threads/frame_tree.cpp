// SPDX-License-Identifier: MIT
#include "views/threads/frame_tree.h"

#include <QHeaderView>
#include <QTreeView>

#include "models/rows/table_heading.h"
#include "models/rows/table_setup.h"
#include "views/threads/frame_delegate.h"

namespace heapscape::gui {

void setUpFrameTree(QTreeView* tree, int nameColumn) {
  setUpTree(tree, new TableHeading(tree));
  tree->setItemDelegate(new NameDelegate(tree));
  tree->setItemDelegateForColumn(nameColumn, new FrameDelegate(tree));
  tree->setExpandsOnDoubleClick(false);
  tree->header()->setSectionsClickable(false);
}

}  // namespace heapscape::gui
