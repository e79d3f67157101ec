// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "models/rows/row_list.h"

class QComboBox;

namespace heapscape::gui {

class RowsPanel;

/// A group of a list's rows: those in which a column says the same.
struct RowGroup {
  QString name;
  std::vector<std::uint32_t> rows;  // in the order of the list
  std::vector<std::int64_t> sums;   // of each column that adds up
};

/// Columns of figures that can be added up without counting anything twice: what is retained cannot.
std::vector<std::size_t> additiveColumns(const std::vector<ColumnSetup>& columns);

/// Those with the most rows first. On the engine thread.
engine::Outcome<std::vector<RowGroup>> groupRows(const RowList& list, const std::vector<std::uint32_t>& order,
                                                 std::size_t column, const std::stop_token& stop);

/// Beside a list: its rows in groups by a column, with their number and sums. Picking a group tells which rows these
/// are. Hidden while nothing is grouped.
class RowGroups : public QWidget {
  Q_OBJECT

 public:
  /// `name` and `noun` of the list.
  RowGroups(EngineBridge& bridge, Navigator& navigator, QString name, QString noun, std::vector<ColumnSetup> columns,
            QWidget* parent = nullptr);

  /// What to group by, to stand wherever there is room for it.
  QComboBox& choice() const { return *m_choice; }
  /// Other rows are listed, or in another order. The group that is picked stays so if there still is one of that name.
  void group(std::shared_ptr<const RowList> list, std::vector<std::uint32_t> order);
  void clear();
  /// Those to be shown: of the group that is picked, else all.
  const std::vector<std::uint32_t>& rows() const { return m_picked ? m_picked->rows : m_order; }

 Q_SIGNALS:
  void rowsChanged();

 private:
  void setColumn(std::optional<std::size_t> column);
  void ask();
  void drop();
  void show(std::vector<RowGroup> groups);
  RowsPanel& panel();

  EngineBridge& m_bridge;
  Navigator& m_navigator;
  const QString m_name, m_noun;
  const std::vector<ColumnSetup> m_columns;
  QComboBox* m_choice;
  RowsPanel* m_panel = nullptr;  // made when it is first needed
  std::optional<std::size_t> m_column;
  std::shared_ptr<const RowList> m_list;
  std::vector<std::uint32_t> m_order;
  std::shared_ptr<const std::vector<RowGroup>> m_groups;
  const RowGroup* m_picked = nullptr;  // of these
  std::optional<QString> m_pickedName;
};

}  // namespace heapscape::gui
