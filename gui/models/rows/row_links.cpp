// SPDX-License-Identifier: MIT
#include "models/rows/row_links.h"

#include <QMenu>

#include "models/object_menu.h"

namespace heapscape::gui {

void followLink(Navigator& navigator, const RowLink& link) {
  if (link.object) {
    navigator.showObject(link.object);
  } else if (link.methodTable) {
    navigator.showType(link.methodTable);
  }
}

void addLinks(QMenu& menu, Navigator& navigator, const RowList& list, std::uint32_t row) {
  std::vector<std::size_t> linked;
  for (std::size_t column = 0; column < list.columns().size(); ++column) {
    if (!list.link(row, column).isEmpty()) linked.push_back(column);
  }
  for (const std::size_t column : linked) {
    const RowLink link = list.link(row, column);
    QMenu& part = linked.size() == 1 ? menu : *menu.addMenu(list.columns()[column].title);
    addSelectionLinks(part, navigator, {.object = link.object, .methodTable = link.methodTable, .segment = {}});
  }
  if (!linked.empty()) menu.addSeparator();
}

}  // namespace heapscape::gui
