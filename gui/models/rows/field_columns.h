// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>
#include <QStringList>

#include "bridge/engine_bridge.h"
#include "models/rows/row_list.h"
#include "query/query_value.h"
#include "query/schema.h"

class QMenu;

namespace heapscape::gui {

class RowsTable;

/// field("…") of a path.
engine::QueryFieldReference fieldOfPath(const QString& path);
/// A column of it.
ColumnSetup fieldSetup(const QString& path);

/// Text of an object's field in a cell.
QString fieldWords(const engine::QueryValue& value);
/// Alignment of a field nobody knows beforehand whether it holds numbers: these stand to the right.
QVariant fieldAlignment(const engine::QueryValue& value, int role);

/// Columns of field("…") that the person adds to a table whose rows are objects, or about objects, by the menu of its
/// heading; the settings keep them. They stand behind the table's other columns.
class FieldColumns : public QObject {
  Q_OBJECT

 public:
  /// `list`: what they are kept under. Lives as long as the table, which has columns for those that were kept.
  FieldColumns(EngineBridge& bridge, RowsTable& table, const QString& list);
  static QStringList kept(const QString& list);

  const QStringList& paths() const { return m_paths; }
  /// Adds one, shown at once; one that there is already is only shown.
  void add(const QString& path);
  void remove(const QString& path);
  /// Sets the type of which objects are likely listed: names of fields are completed by it.
  void setTypeText(const QString& typeText) { m_typeText = typeText; }

 Q_SIGNALS:
  /// The table needs other columns.
  void changed();

 private:
  void change(const QStringList& paths);
  void fill(QMenu& menu, int section);
  void prompt();

  EngineBridge& m_bridge;
  RowsTable& m_table;
  const QString m_key;
  QStringList m_paths;
  QString m_typeText;
};

}  // namespace heapscape::gui
