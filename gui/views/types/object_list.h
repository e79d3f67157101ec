// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QWidget>
#include <memory>
#include <stop_token>
#include <string>

#include "base/progress.h"
#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "views/types/object_rows.h"

class QStackedLayout;

namespace heapscape::gui {

/// On the engine thread. Sorts by size in place of what is known with retained sizes only, as long as these are not.
/// Fails with BadQuery for a wrong text.
engine::Outcome<std::shared_ptr<const FoundObjectList>> searchObjects(const engine::Snapshot& snapshot,
                                                                      const std::string& text,
                                                                      engine::ObjectSearch search,
                                                                      engine::ProgressSink* progress,
                                                                      std::stop_token stop);

/// "Searching… 12%", then "Sorting… 45%".
QString searchProgressText(const engine::Progress& progress);

/// "1,234 objects · 56 KB", with what could not be compared.
QString objectTotals(const engine::FoundObjects& found);
QString objectTotalsTip(const engine::FoundObjects& found);

class FieldColumns;
class RowsTable;
class PickedLine;
class StatePanel;

struct ObjectListSetup {
  QString name;                              // of the table, for tests and settings
  QString title;                             // for those who cannot see
  std::vector<engine::ObjectField> columns;  // that are shown at first; all others can be
  int sortColumn = 0;
  bool descending = false;
};

/// Objects that fit a query, millions if need be, sorted by any column; or a page that says why there are none. Picking
/// one picks it for the window, activating one goes to its page.
class ObjectList : public QWidget {
  Q_OBJECT

 public:
  using Answer = engine::Outcome<std::shared_ptr<const FoundObjectList>>;

  ObjectList(EngineBridge& bridge, Navigator& navigator, ObjectListSetup setup, QWidget* parent = nullptr);

  /// Asks for the objects that fit, in the order of the list. What it shows stays until show(), dimmed once that takes
  /// long if it answers another question. One question at a time.
  void ask(const std::string& query, engine::ObjectSearch search, bool isOther,
           std::function<void(const engine::Progress&)> told, std::function<void(Answer)> done);
  void show(std::shared_ptr<const FoundObjectList> list);
  /// Forgets the list and what was asked, for which there is something else to be said.
  void drop();
  /// Dims what is no answer to what is asked now.
  void dim();
  /// Null for none.
  const std::shared_ptr<const FoundObjectList>& list() const { return m_list; }
  /// The list is there, and answers what was asked.
  bool isAnswer() const;
  std::uint32_t size() const { return m_list ? static_cast<std::uint32_t>(m_list->found.order.size()) : 0; }

  /// A panel to say something in place of the table.
  StatePanel& showState();
  void showTable();

  /// Picks an object without telling anyone; in a long list a moment later.
  void follow(engine::Address object);
  Selection picked() const;

  int sortColumn() const { return m_setup.sortColumn; }
  bool isDescending() const { return m_setup.descending; }
  /// For the next question.
  void setOrder(int sortColumn, bool descending);
  FieldColumns& fields() const { return *m_fields; }

 Q_SIGNALS:
  /// By whoever uses the table; who asks has to ask anew.
  void orderChanged();
  void pickedChanged();

 private:
  void pick(int line);
  /// The one to follow, if its line is there by now.
  void pickAwaited();
  Selection selectionAt(int line) const;
  void openMenu(const QPoint& position);
  void showRows();
  void showSorting();
  void changeFields();
  ObjectColumns wantedColumns() const;

  EngineBridge& m_bridge;
  Navigator& m_navigator;
  ObjectListSetup m_setup;
  ObjectColumns m_columns;  // by section
  ObjectColumns m_described;
  RowsTable* m_table;
  FieldColumns* m_fields;
  StatePanel* m_state;
  PickedLine* m_picked;  // below the table
  QStackedLayout* m_pages;
  std::shared_ptr<const FoundObjectList> m_list;
  bool m_isFollowing = false;
  int m_lineToPick = -1;  // once the table knows of it
};

}  // namespace heapscape::gui
