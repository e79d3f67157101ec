// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QTableView>
#include <QTreeView>
#include <functional>
#include <span>

#include "models/rows/field_columns.h"
#include "models/rows/rows_table.h"
#include "query/objects/object_search.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::gui::test {

/// What the list of objects says in a field of an object; empty if none begins there.
inline QString toldOfObject(const engine::Snapshot& snapshot, engine::Address object,
                            const engine::QueryFieldReference& field) {
  const auto id = engine::idOfObject(snapshot, object);
  if (!id) return {};
  const engine::ObjectDescriber describer(snapshot, {field});
  return fieldWords(describer.describe(std::span(&*id, 1), {}).value().front().columns.front());
}

/// Whether each line of a table has in its column "value" what the list of objects says, and some have something.
inline bool tellsValues(QTableView& view, const engine::Snapshot& snapshot) {
  const RowsModel& model = static_cast<RowsTable&>(view).rows();
  const int section = static_cast<RowsTable&>(view).sectionOf("value");
  if (section < 0 || view.isColumnHidden(section) || !model.list()) return false;
  int told = 0;
  for (int line = 0; line < model.rowCount(); ++line) {
    const QString text = model.index(line, section).data().toString();
    const engine::Address object = model.list()->rows().object(model.rowAt(line));
    if (text != toldOfObject(snapshot, object, engine::referenceTo(engine::ObjectField::Value))) return false;
    told += !text.isEmpty();
  }
  return told > 0;
}

/// Whether each row of a tree in sight says in that column what the list of objects says of the object that the row is
/// about (0 for none), and some have something. `haveOwnValues`: rows without an object may say something else.
inline bool tellsValues(const QTreeView& tree, int section, const engine::Snapshot& snapshot,
                        const std::function<engine::Address(const QModelIndex& row)>& objectOf,
                        bool haveOwnValues = false) {
  int told = 0;
  for (QModelIndex row = tree.indexAt({0, 0}); row.isValid() && tree.visualRect(row).top() < tree.viewport()->height();
       row = tree.indexBelow(row)) {
    const QString text = row.siblingAtColumn(section).data().toString();
    const engine::Address object = objectOf(row);
    if (!object && haveOwnValues) continue;
    const QString expected =
        object ? toldOfObject(snapshot, object, engine::referenceTo(engine::ObjectField::Value)) : QString();
    if (text != expected) return false;
    told += !text.isEmpty();
  }
  return told > 0;
}

}  // namespace heapscape::gui::test
