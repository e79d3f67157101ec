// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "models/layout/layout_types.h"
#include "models/rows/row_question.h"

class QStackedLayout;

namespace heapscape::gui {

class QueryEdit;
class RowsTable;
class StatePanel;

/// The types to pick from: those that a dump has loaded, or those of an assembly, the ones with most padding first. Any
/// other type, like a generic one with arguments of one's own, is found by its full name and Enter.
class LayoutTypesList : public QWidget {
  Q_OBJECT

 public:
  explicit LayoutTypesList(EngineBridge& bridge, QWidget* parent = nullptr);

  /// Asks for the types of the open dump or assembly.
  void load();
  void clear();
  /// Picks the type of a selection without telling anyone.
  void follow(const Selection& selection);
  /// Picks the type that is so many lines below the picked one.
  void step(int by);

 Q_SIGNALS:
  /// A selection of a type alone: by its method table in a dump, else by its number among the declared ones.
  void picked(const heapscape::gui::Selection& type);
  /// Once the types are known; the first of the list.
  void firstKnown(const heapscape::gui::Selection& type);
  /// In place of that, where none is listed.
  void noneKnown();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  using Rows = std::shared_ptr<const RowList>;

  void addParts();
  void addFilter();
  void takeRows(const engine::Outcome<Rows>& rows);
  void ask();
  void findByName();
  Selection selectionAt(int line) const;
  void showColumns();
  void show(std::vector<std::uint32_t> order);
  void showNone();
  void showFailure(const engine::Error& error);
  void sortBy(int section, bool descending);
  void showComplaint(const QString& complaint);
  void followNow();

  EngineBridge& m_bridge;
  QueryEdit* m_filter;
  RowsTable* m_table;
  StatePanel* m_state;
  QStackedLayout* m_pages;
  Rows m_rows;
  bool m_isOfAssembly = false;  // what the rows are of
  RowQuestion m_question;
  Selection m_followed;
  bool m_isFollowing = false;
};

}  // namespace heapscape::gui
