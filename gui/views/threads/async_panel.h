// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "models/trees/tree_model.h"
#include "session/async/async_query.h"

class QLabel;
class QStackedLayout;
class QToolButton;
class QTreeView;

namespace heapscape::gui {

class ChoiceBar;
class ElidedText;
class RowsPanel;
class StackIcicle;
class StatePanel;

/// A call of a chain with what it keeps across its awaits; made on the engine thread.
struct ChainCall {
  std::string name;
  engine::AsyncFrame frame;
  std::string file;     // of the await in the source; empty if not known
  std::string missing;  // why its place is not told; empty if it is
  std::vector<engine::FieldValue> locals;
};
/// A chain ready to be shown, innermost first.
struct ChainPage {
  std::vector<ChainCall> calls;
  std::size_t leftOut = 0;  // calls further out
};
ChainPage readChain(const engine::Snapshot& snapshot, const engine::AsyncList& list, std::uint32_t chain,
                    std::stop_token stop);

/// A line of ChainModel: a call, or one of its locals.
struct ChainLine {
  const ChainCall* call = nullptr;
  const engine::FieldValue* local = nullptr;  // null for the call itself
  ChainLine* parent = nullptr;
  int row = 0;
  std::vector<std::unique_ptr<ChainLine>> children = {};
};

/// The calls of one chain, innermost first, and below each its locals.
class ChainModel : public TreeModelOf<ChainLine> {
  Q_OBJECT

 public:
  enum Column : int { NameColumn, ValueColumn, TypeColumn, ColumnCount };

  explicit ChainModel(QObject* parent = nullptr);

  void show(ChainPage page);
  const ChainPage& page() const { return m_page; }
  /// The object that a line leads to: that of a call, or the one that a local refers to; 0 for none.
  engine::Address objectAt(const QModelIndex& index) const;
  /// Null for a line about something else.
  const ChainCall* callAt(const QModelIndex& index) const;

 private:
  const ChainLine* top() const override { return &m_top; }
  QVariant cell(const QModelIndex& index, int role) const override;
  static QVariant callData(const ChainCall& call, int column, int role);
  static QVariant localData(const engine::FieldValue& local, int column, int role);

  ChainPage m_page;
  ChainLine m_top;
};

/// Calls of async methods that have not ended: groups of equal chains as a list with one chain beside it, or all of
/// them as a picture. Asked for when it is first seen.
class AsyncPanel : public QWidget {
  Q_OBJECT

 public:
  AsyncPanel(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  /// Shows what is known of the dump once more.
  void refresh();
  void clear();
  StackIcicle* picture() const { return m_picture; }

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  struct Answer;

  QWidget* buildList();
  QWidget* buildChain();
  QWidget* buildLegend();
  QWidget* buildPicture();
  void setUpTree();
  void connectParts();
  void load();
  void take(const Answer& answer);
  void showGroup(std::uint32_t group);
  void showChain();
  /// The list or the picture, as chosen.
  void showForm();
  void openMenu(const QPoint& position);

  EngineBridge& m_bridge;
  Navigator& m_navigator;
  bool m_isAsked = false;
  std::shared_ptr<const engine::AsyncList> m_list;
  std::optional<std::uint32_t> m_group;
  std::size_t m_chain = 0;  // index among the group's
  ChoiceBar* m_form;
  QLabel* m_summary;
  QWidget* m_legend;  // of the picture
  QLabel* m_hint;     // under it
  RowsPanel* m_groups;
  ElidedText* m_doing;
  QToolButton* m_previous;
  QToolButton* m_next;
  QLabel* m_which;
  ChainModel* m_model;
  QTreeView* m_tree;
  StackIcicle* m_picture;
  StatePanel* m_state;
  QStackedLayout* m_pages;
};

}  // namespace heapscape::gui
