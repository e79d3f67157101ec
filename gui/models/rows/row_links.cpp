// SPDX-License-Identifier: MIT
#include "models/rows/row_links.h"

#include <QHeaderView>
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

void tellRow(Navigator& navigator, const QString& kind, const QModelIndex& row, const QHeaderView& headings) {
  PickedThing thing{.kind = kind, .title = {}, .facts = {}};
  for (int column = 0; column < row.model()->columnCount(row.parent()); ++column) {
    const QString said = row.siblingAtColumn(column).data().toString();
    if (said.isEmpty() || headings.isSectionHidden(column)) continue;
    if (thing.title.isEmpty())
      thing.title = said;
    else
      thing.facts.emplace_back(row.model()->headerData(column, Qt::Horizontal).toString(), said);
  }
  navigator.tell(thing);
}

}  // namespace heapscape::gui
