// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <memory>
#include <optional>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "session/async/async_query.h"

class QLabel;
class QStackedLayout;
class QToolButton;
class QTreeView;

namespace heapscape::gui {

class ChainModel;
class ChoiceBar;
class ElidedText;
class RowsPanel;
class StackIcicle;
class StatePanel;
struct ChainPage;

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
