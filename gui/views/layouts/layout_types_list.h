// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "models/layout/layout_types.h"
#include "models/rows/row_question.h"

class QStackedLayout;
class QVBoxLayout;
class QToolButton;

namespace heapscape::gui {

class ElidedText;
class QueryEdit;
class RowsTable;
class StatePanel;

/// The types to pick from: those that a dump has loaded, or those of an assembly, the reader's own that could save most
/// first. Any other type, like a generic one with arguments of one's own, is found by its full name and Enter.
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
  /// Once the types are known, and again when it is known what they could save; the first of the list.
  void firstKnown(const heapscape::gui::Selection& type);
  /// In place of that, where none is listed.
  void noneKnown();

 protected:
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  using Rows = std::shared_ptr<const RowList>;

  void addParts();
  void addFilter();
  void addDiffers(QVBoxLayout* column);
  void takeRows(const engine::Outcome<Rows>& rows);
  void compareAll();
  void takeSavings(const engine::Outcome<Rows>& rows);
  void showComparing(const engine::Progress& progress);
  void stopComparing();
  void wantDiffering(bool isWanted);
  RowQuestion question() const;
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
  QToolButton* m_differs;
  ElidedText* m_comparing;
  RowsTable* m_table;
  StatePanel* m_state;
  QStackedLayout* m_pages;
  Rows m_rows;
  bool m_isOfAssembly = false;  // what the rows are of
  RowQuestion m_question;
  Selection m_followed;
  bool m_isFollowing = false;
  enum class Compared { No, Running, Stopped, Done } m_compared = Compared::No;  // all types by all ways
};

}  // namespace heapscape::gui
