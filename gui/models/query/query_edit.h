// SPDX-License-Identifier: MIT
#pragma once

#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <functional>
#include <optional>

#include "bridge/engine_bridge.h"
#include "models/query/saved_views.h"
#include "query/completion.h"
#include "query/schema.h"

class QTimer;

namespace heapscape::gui {

class QueryEdit;
class StatePanel;

/// Completions at the cursor of a query, below its line. Never takes the focus: the line passes the keys on.
class CompletionPopup : public QListWidget {
  Q_OBJECT

 public:
  /// Lies over `window`, which owns it.
  explicit CompletionPopup(QWidget* window);

  /// `error`: a sentence about what is wrong so far, in the first line; empty for nothing.
  void setItems(const engine::Completions& completions, const QString& error);
  const engine::Completions& completions() const { return m_completions; }
  /// Hides if there is nothing to show.
  void showUnder(const QWidget* line);
  void moveCurrent(int rows);
  /// The one that is picked; the first if none is and `orFirst`; null if there is none.
  const engine::Completion* current(bool orFirst) const;

 Q_SIGNALS:
  void picked(const heapscape::engine::Completion& completion);

 private:
  int firstItem() const { return m_hasError ? 1 : 0; }

  engine::Completions m_completions;
  bool m_hasError = false;
};

/// Under the line of a query: what is wrong with it, in words. Hidden as long as nothing is.
class QueryErrorLine : public QLabel {
  Q_OBJECT

 public:
  /// Named after the query's line.
  explicit QueryErrorLine(QueryEdit& edit, QWidget* parent = nullptr);

  /// Shows what somebody else finds wrong with the text; empty for nothing. The line's own complaint comes first.
  void say(const QString& complaint);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void display(const QString& complaint);
  void updateLook();

  const QueryEdit& m_edit;
};

/// In place of a list that has no rows to dim while its query cannot be understood.
void showNotUnderstood(StatePanel& panel, QueryEdit& edit);

/// The line over a list that says which rows it shows: a part of a name, or a query. Offers what may be written, marks
/// what is wrong, and keeps views under names.
class QueryEdit : public QLineEdit {
  Q_OBJECT

 public:
  /// `list`: what its views are kept under, "handles".
  QueryEdit(EngineBridge& bridge, const QString& list, QWidget* parent = nullptr);

  void setSchema(engine::QuerySchema schema);
  /// Off: the text is something else for a while, as a regular expression.
  void setQueries(bool areQueries);
  /// How views learn of the order, and give it back.
  void setOrder(std::function<SavedView()> order, std::function<void(const SavedView&)> apply);

  /// Error of the text; nothing if it can be asked.
  const std::optional<engine::QueryError>& error() const { return m_error; }
  /// The complaint in words, once nobody is writing the text any more; empty if nothing is wrong.
  const QString& complaint() const { return m_complaint; }
  bool isPlainText() const { return m_isPlainText; }
  /// Whether the text is the beginning of a query that is still being written: that it is in no name is no answer yet.
  bool isQueryBegun() const;
  /// Whether there is text that has not been told of yet.
  bool isResting() const;
  /// Takes the text as it is, without telling.
  void settle();
  /// Another file is opened: the text is taken as it is, but was written for the last one.
  void beginFile();
  /// Told what the text finds in the file that is open now. Text that was written for the last file and finds nothing
  /// is dropped, without telling: true if it was.
  bool dropUnlessFound(bool isFound);
  void applyView(const SavedView& view);
  /// Saves what the list shows now, under a name.
  void keepView(const QString& name);
  const QString& list() const { return m_list; }
  const engine::QuerySchema& schema() const { return m_schema; }

  /// Wide enough for what stands in it while it is empty.
  QSize sizeHint() const override;

 Q_SIGNALS:
  /// After a short rest from typing, or at once at Enter; only for what can be asked.
  void queryChanged();
  /// Signals another complaint. Whoever lists by it has no answer to a text with a complaint.
  void complaintChanged(const QString& complaint);

 protected:
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  void check();
  void markError();
  void tell();
  void complete();
  void showCompletions(const engine::Completions& completions);
  bool isFinished(const std::string& part) const;
  void endCompletion();
  void insertCompletion(const engine::Completion& completion);
  void openMenu();
  CompletionPopup* popup();

  EngineBridge& m_bridge;
  const QString m_list;
  engine::QuerySchema m_schema;
  bool m_areQueries = true;
  bool m_isPlainText = true;
  bool m_isMarking = false;
  bool m_isOfLastFile = false;
  bool m_isAsked = false;  // completion was asked for by its key
  std::optional<engine::QueryError> m_error;
  QString m_complaint;
  std::function<SavedView()> m_order;
  std::function<void(const SavedView&)> m_apply;
  CompletionPopup* m_popup = nullptr;  // made when it is first needed: before, there may be no window
  QAction* m_warning;
  QTimer* m_rest;
};

}  // namespace heapscape::gui
