// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QTableView>
#include <span>

#include "models/rows/field_columns.h"
#include "models/rows/rows_table.h"
#include "query/objects/object_search.h"
#include "session/door/snapshot.h"

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
    const engine::Address object = model.list()->objectOf(model.rowAt(line));
    if (text != toldOfObject(snapshot, object, engine::referenceTo(engine::ObjectField::Value))) return false;
    told += !text.isEmpty();
  }
  return told > 0;
}

}  // namespace heapscape::gui::test
