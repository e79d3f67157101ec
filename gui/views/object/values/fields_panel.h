// SPDX-License-Identifier: MIT
#pragma once

#include <QSortFilterProxyModel>
#include <QWidget>
#include <memory>
#include <optional>

#include "bridge/engine_bridge.h"
#include "views/object/values/value_node.h"
#include "widgets/hex_view/object_page.h"

class QLineEdit;
class QMenu;
class QToolButton;
class QTreeView;

namespace heapscape::gui {

/// Keeps the lines whose name or value holds a text, with all around and below them. Only what the tree has loaded is
/// looked at, a hundred lines at a step.
class ValueFilter : public QSortFilterProxyModel {
  Q_OBJECT

 public:
  explicit ValueFilter(QObject* parent = nullptr);

  void setText(const QString& text);

 protected:
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

 private:
  QString m_text;
};

class ValueTreeModel;

/// The fields of the object as a tree of values, with a filter.
class FieldsPanel : public QWidget {
  Q_OBJECT

 public:
  explicit FieldsPanel(EngineBridge& bridge, QWidget* parent = nullptr);

  /// Where retained sizes come from; nothing for none.
  void setSnapshot(std::optional<engine::Snapshot> snapshot);
  void show(std::shared_ptr<const ObjectPage> page);  // null for none
  /// Picks the line of these bytes without telling anyone; opens what is around it.
  void reveal(const ByteSpan& span);
  /// The value of the line at these bytes: "Total = 12.50"; empty if there is none.
  QString valueAt(const ByteSpan& span) const;

 Q_SIGNALS:
  /// The bytes of the line picked; of what a reference led to, those of the reference.
  void spanPicked(const heapscape::gui::ByteSpan& span);
  /// `via`: the way there from the object shown, "Customer.Lines[3]".
  void followWanted(heapscape::engine::Address object, const QString& via);
  void typeWanted(heapscape::engine::Address methodTable);
  void layoutWanted(heapscape::engine::Address methodTable);
  void memoryWanted(heapscape::engine::Address address);

 private:
  void addParts();
  void setUpTree();
  void connectParts();
  void ask(quint64 node, const ValueQuestion& question);
  void pick(const QModelIndex& index);
  void follow(const QModelIndex& index);
  void goToElement();
  void revealPending();
  void openContextMenu(const QPoint& position);
  void fillContextMenu(QMenu& menu, const QModelIndex& index);
  QModelIndex inModel(const QModelIndex& shown) const;

  EngineBridge& m_bridge;
  ValueTreeModel* m_model;
  ValueFilter* m_filterModel;
  QTreeView* m_tree;
  QLineEdit* m_filter;
  QToolButton* m_group;

  std::shared_ptr<const ObjectPage> m_page;
  std::optional<ByteSpan> m_pending;  // to be revealed once more lines are there
  bool m_isFollowing = false;
};

}  // namespace heapscape::gui
