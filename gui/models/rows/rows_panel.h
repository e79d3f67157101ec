// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <memory>
#include <optional>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "models/rows/row_question.h"

class QLabel;
class QMenu;
class QStackedLayout;

namespace heapscape::gui {

class ElidedText;
class KindChips;
class QueryEdit;
class QueryErrorLine;
class RowGroups;
class RowObjects;
class RowsModel;
class RowsTable;
class StatePanel;

/// Names and texts of a panel.
struct RowsPanelSetup {
  QString name;   // of its settings and parts: "handles"
  QString title;  // for those who cannot see: "GC handles"
  QString noun;   // "handles"
  QString filterHint;
  QString loading;       // "Reading the handle tables"
  QString emptyHeading;  // where there are no rows, or none to begin with; "No handles" if only a text says why
  QString emptyText;
  std::vector<ColumnSetup> columns;
  const engine::TableDescription* table = nullptr;  // as the engine describes the list, if it can be grouped
  int sortColumn = RowQuestion::kAsGiven;
  bool descending = false;
  std::set<std::size_t> kinds = {};  // only these to begin with; empty for all
  QString one = {};                  // the noun of a single row, if it is not without the s at its end
  bool hasRetained = false;          // offers to compute retained sizes where nobody does

  /// Of a list that the engine describes: its columns, and its rows can be grouped.
  template <class Row>
  static RowsPanelSetup ofList(const RowSchema<Row>& schema) {
    RowsPanelSetup setup;
    setup.columns = schema.setups();
    setup.table = &schema.table->description();
    return setup;
  }
};

/// A list of whatever rows: a filter, chips for the kinds, how many are shown, and the table. Picking a row picks the
/// object or type that it is about; activating one goes there. While the filter cannot be understood, the rows of the
/// last one are dimmed, and nothing is counted.
class RowsPanel : public QWidget {
  Q_OBJECT

 public:
  /// Makes the rows, on the engine thread.
  using Load = std::function<engine::Outcome<std::shared_ptr<const RowList>>(const engine::Snapshot&, std::stop_token)>;

  /// Without `load`, rows come by setRows().
  RowsPanel(EngineBridge& bridge, Navigator& navigator, RowsPanelSetup setup, Load load = {},
            QWidget* parent = nullptr);
  ~RowsPanel() override;

  /// Asks for the rows unless they are there or on their way.
  void load();
  /// Asks for them anew; those that are there stay until then, and what is picked stays picked.
  void reload();
  void setRows(std::shared_ptr<const RowList> rows);
  /// Rows for the same thing, with more to say: what is picked stays picked.
  void updateRows(std::shared_ptr<const RowList> rows);
  void clear();
  /// Says this in place of the table until rows come.
  void showWaiting(const QString& text);
  /// Shows that rows wait for retained sizes: how far these are, or a way to compute them.
  void showLacking();
  void showFailure(const engine::Error& error);
  /// Said where there are no rows at all.
  void setEmptyText(const QString& heading, const QString& text) {
    m_setup.emptyHeading = heading;
    m_setup.emptyText = text;
  }
  /// Says that in place of the table, as if there were no rows.
  void showEmpty();
  /// A warning over the table, beside what the rows' own findings say; empty for none.
  void setNote(const QString& note) {
    m_note = note;
    showFindings();
  }

  /// Width below which its table scrolls sideways.
  int leastWidth() const;

  /// Null until there are rows.
  const std::shared_ptr<const RowList>& rows() const { return m_rows; }
  /// The row that is picked.
  std::optional<std::uint32_t> currentRow() const { return m_current; }
  /// Picks the row with this identity, now or once the rows are there, without telling the navigator; kinds and filter
  /// make way for it.
  void pick(engine::Address identity);

  /// Tells the inspector of the row that is picked, where that leads to no object and no type.
  void tellCurrent();

  /// Picks whatever comes first.
  void pickFirst() { m_wantsFirst = true; }

  void setFilter(const QString& text);
  /// Sets what activating a row that leads to a type does, in place of going to the type's page.
  void setActivation(std::function<void(const RowLink&)> activation) { m_activation = std::move(activation); }

 Q_SIGNALS:
  /// New rows are there; the list of them, not the order.
  void loaded();
  void cleared();
  void rowPicked(std::uint32_t row);
  /// A row that leads to no object and no type.
  void rowActivated(std::uint32_t row);
  /// The wanted row is among them and was picked.
  void found();
  /// The menu of a row is about to be shown, still empty: what else it is to offer comes first.
  void menuOpening(QMenu* menu, std::uint32_t row);

 protected:
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void buildLine();
  void connectTable();
  void connectObjects();
  void updateLook();
  void showKinds();
  void showFindings();
  void showCount();
  /// "1,234 types", of all there are.
  QString countedRows() const;
  /// Drops a filter of the last file unless it finds something in this one; true if it did.
  bool dropOldFilter(bool isFound);
  void showComplaint(const QString& complaint);
  void ask();
  void show(std::vector<std::uint32_t> order);
  /// Takes the same rows with more columns: of their objects.
  void takeRead(std::shared_ptr<const RowList> rows);
  /// Reads what the table shows of the rows' objects.
  void readShown();
  /// These of the rows, in this order.
  void showRows(std::vector<std::uint32_t> order);
  void showState();
  void pickLine(int line);
  void pickWanted();
  /// Whether a row is among those in sight, which are the ones before until new ones are in order.
  bool isStillThere(std::uint32_t row) const;
  void activate(const QModelIndex& index);
  void openMenu(const QPoint& position);
  /// No row is of the kinds that the list begins with, and nobody has asked for others.
  bool hasOnlyOthers() const;
  bool isNarrowed() const { return !m_question.text.isEmpty() || !m_question.kinds.empty(); }

  EngineBridge& m_bridge;
  Navigator& m_navigator;
  RowsPanelSetup m_setup;
  const Load m_load;
  std::function<void(const RowLink&)> m_activation;
  bool m_isLoading = false;
  bool m_isShowing = false;  // while the table changes by itself
  bool m_isPicking = false;  // while a row is picked for somebody else, who tells the navigator
  std::shared_ptr<const RowList> m_rows;
  std::uint64_t m_rowsSet = 0;  // counts them: an order of those before is dropped
  RowQuestion m_question;
  bool m_areKindsChosen = false;  // by the person; else they are those that the list begins with
  QString m_note;
  engine::Address m_wanted;
  bool m_wantsFirst = false;
  std::optional<std::uint32_t> m_current;

  QueryEdit* m_filter;
  KindChips* m_chips;
  RowGroups* m_groups = nullptr;  // of a list that the engine describes
  QLabel* m_count;
  QueryErrorLine* m_error;
  ElidedText* m_findings;
  RowsTable* m_table;
  RowsModel* m_model;               // of the table
  RowObjects* m_objects = nullptr;  // of rows that are about objects
  StatePanel* m_state;
  QStackedLayout* m_pages;
};

}  // namespace heapscape::gui
