// SPDX-License-Identifier: MIT
#pragma once

#include <QComboBox>
#include <QWidget>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "models/rows/row_list.h"
#include "query/objects/object_search.h"

namespace heapscape::gui {

class RowsPanel;

/// Choice of what to group rows by: choices of the list's own, and what a field holds of the objects that they are
/// about, any field("…") that is typed among them.
class GroupChoice : public QComboBox {
  Q_OBJECT

 public:
  /// `noun` of the rows, for those who cannot see. The first choice that is added is the one to begin with.
  GroupChoice(EngineBridge& bridge, const QString& name, const QString& noun, QWidget* parent);

  void add(const QString& text, int choice);
  void add(engine::ObjectField field);
  /// Asks for a field.
  void addPrompt();
  /// As if it were chosen there; one that was added.
  void choose(engine::ObjectField field);

  /// Nothing while a field is chosen.
  std::optional<int> choice() const;
  const std::optional<engine::QueryFieldReference>& field() const { return m_field; }

 Q_SIGNALS:
  /// By whoever uses it.
  void chosen();

 private:
  void take(int index);
  void prompt();
  void takeField(const QString& path);

  EngineBridge& m_bridge;
  int m_prompt = -1;  // its place; behind it stands what was typed
  int m_current = 0;
  std::optional<engine::QueryFieldReference> m_field;
};

/// Group name of each of the objects by its value; "without" for what is no object. On the engine thread.
engine::Outcome<std::vector<QString>> groupNames(const engine::Snapshot& snapshot,
                                                 const std::vector<engine::Address>& objects,
                                                 const engine::QueryFieldReference& field, std::stop_token stop);
QString groupName(const engine::QueryValue& value);

/// A group of a list's rows: those in which a column says the same, or a field of the objects that they lead to.
struct RowGroup {
  QString name;
  std::vector<std::uint32_t> rows;  // in the order of the list
  std::vector<std::int64_t> sums;   // of each column that adds up
  bool isOfType = false;            // the name is that of a type
};

/// Columns of figures that can be added up without counting anything twice: what is retained cannot.
std::vector<std::size_t> additiveColumns(const std::vector<ColumnSetup>& columns);

/// Those with the most rows first; `nameOf` the group of a row by its place in the order. On the engine thread.
using GroupNameOf = std::function<QString(std::size_t place)>;
engine::Outcome<std::vector<RowGroup>> groupRows(const RowList& list, const std::vector<std::uint32_t>& order,
                                                 const GroupNameOf& nameOf, const std::stop_token& stop);

/// Beside a list: its rows in groups by a column, or by what the objects hold that they lead to, with their number and
/// sums. Picking a group tells which rows these are. Hidden while nothing is grouped.
class RowGroups : public QWidget {
  Q_OBJECT

 public:
  /// `name` and `noun` of the list. `hasObjects`: whether its rows are about objects.
  RowGroups(EngineBridge& bridge, Navigator& navigator, QString name, QString noun, std::vector<ColumnSetup> columns,
            bool hasObjects, QWidget* parent = nullptr);

  /// Choice of what to group by, to stand wherever there is room for it.
  GroupChoice& choice() const { return *m_choice; }
  /// Other rows are listed, or in another order. The group that is picked stays so if there still is one of that name.
  void group(std::shared_ptr<const RowList> list, std::vector<std::uint32_t> order);
  /// Takes the same rows with more columns.
  void update(const std::shared_ptr<const RowList>& before, std::shared_ptr<const RowList> after) {
    if (m_list == before) m_list = std::move(after);
  }
  void clear();
  /// Those to be shown: of the group that is picked, else all.
  const std::vector<std::uint32_t>& rows() const { return m_picked ? m_picked->rows : m_order; }

 Q_SIGNALS:
  void rowsChanged();

 private:
  void regroup();
  void ask();
  bool isGrouping() const;
  void drop();
  void show(std::vector<RowGroup> groups);
  RowsPanel& panel();

  EngineBridge& m_bridge;
  Navigator& m_navigator;
  const QString m_name, m_noun;
  const std::vector<ColumnSetup> m_columns;
  GroupChoice* m_choice;
  RowsPanel* m_panel = nullptr;  // made when it is first needed
  std::shared_ptr<const RowList> m_list;
  std::vector<std::uint32_t> m_order;
  std::shared_ptr<const std::vector<RowGroup>> m_groups;
  const RowGroup* m_picked = nullptr;  // of these
  std::optional<QString> m_pickedName;
};

}  // namespace heapscape::gui
