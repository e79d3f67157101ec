// SPDX-License-Identifier: MIT
#pragma once

#include <QAbstractItemView>
#include <QJsonArray>
#include <QString>
#include <vector>

#include "models/rows/row_list.h"

namespace heapscape::gui {

/// How copied rows are written.
enum class RowsFormat {
  Tsv,       // exact figures, under a line of headings
  Text,      // as the table has it, in columns
  Markdown,  // the same as a table
  Json,      // exact figures, by the columns' names
};
inline constexpr RowsFormat kRowsFormats[] = {RowsFormat::Text, RowsFormat::Tsv, RowsFormat::Markdown,
                                              RowsFormat::Json};

struct CopiedColumn {
  QString title;
  QString name;           // in JSON
  bool isFigure = false;  // to the right; in JSON a number
};
struct CopiedCell {
  QString shown;
  QString exact;  // empty for a figure that is not known
};

/// Takes rows one after the other and writes them.
class CopiedRows {
 public:
  CopiedRows(RowsFormat format, std::vector<CopiedColumn> columns);
  void add(const std::vector<CopiedCell>& row);
  QString text() const;

 private:
  QString textInColumns() const;
  QString markdown() const;

  const RowsFormat m_format;
  const std::vector<CopiedColumn> m_columns;
  QString m_lines;                  // of TSV
  std::vector<QStringList> m_rows;  // of text and Markdown
  QJsonArray m_objects;
};

/// Rows of a view in the columns that it shows, as they stand.
QString rowsAsText(const QAbstractItemView& view, const QModelIndexList& rows, RowsFormat format = RowsFormat::Tsv);

/// Columns to copy of a RowList, with these of its columns.
std::vector<CopiedColumn> copiedColumns(const std::vector<ColumnSetup>& columns, const std::vector<int>& shown);
std::vector<CopiedCell> copiedRow(const RowList& list, std::uint32_t row, const std::vector<int>& shown);

/// Copies the selected rows of a view to the clipboard.
void copySelectedRows(const QAbstractItemView& view, RowsFormat format = RowsFormat::Tsv);
/// Gives the view a copy action on Ctrl+C that does so, and one with a menu of the formats.
void addCopyRowsActions(QAbstractItemView* view);
/// Makes these actions call something else.
void replaceCopyRows(QAbstractItemView& view, const std::function<void(RowsFormat)>& copy);

}  // namespace heapscape::gui
