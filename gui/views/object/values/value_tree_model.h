// SPDX-License-Identifier: MIT
#pragma once

#include <Qt>
#include <memory>
#include <optional>

#include "models/cells/item_painting.h"
#include "models/trees/tree_model.h"
#include "views/object/values/value_node.h"
#include "widgets/hex_view/object_page.h"

namespace heapscape::gui {

/// The fields of an object with their values. What a reference leads to is asked for when its line is opened, and so
/// are the elements of a long array: cycles and millions of elements do no harm.
class ValueTreeModel : public TreeModelOf<ValueNode> {
  Q_OBJECT

 public:
  enum Column : int {
    NameColumn,
    ValueColumn,
    TypeColumn,
    RetainedColumn,
    OffsetColumn,
    SizeColumn,
    DeclaredColumn,
    ColumnCount
  };
  explicit ValueTreeModel(QObject* parent = nullptr);

  void show(std::shared_ptr<const ObjectPage> page);  // null for none
  void setGrouped(bool isGrouped);
  /// Where retained sizes come from, once they are known, or nothing; the lines stay.
  void setSnapshot(std::optional<engine::Snapshot> snapshot);

  const ValueNode* nodeAt(const QModelIndex& index) const;
  /// The innermost line that is there for some bytes of the object shown; more may come if it can be fetched.
  QModelIndex indexAt(const ByteSpan& span) const;
  /// The way from the object shown to a line: "Customer.Lines[3]".
  QString pathAt(const QModelIndex& index) const;

  /// Answers valuesWanted(). Lines that are gone by then are left alone.
  void take(quint64 node, const engine::Outcome<ValueAnswer>& answer);

  bool hasChildren(const QModelIndex& parent = {}) const override;
  bool canFetchMore(const QModelIndex& parent) const override;
  void fetchMore(const QModelIndex& parent) override;

 Q_SIGNALS:
  void valuesWanted(quint64 node, const heapscape::gui::ValueQuestion& question);
  /// The children of a line that was opened are there.
  void valuesCame(const QModelIndex& parent);

 private:
  const ValueNode* top() const override { return m_root.get(); }
  QVariant cell(const QModelIndex& index, int role) const override;
  void build();
  void adopt(ValueNode& parent, ValueNodes children);
  void insert(ValueNode& parent, ValueNodes children);
  ValueNode* find(quint64 id) const;
  QVariant text(const ValueNode& node, int column, bool isPlain) const;
  QVariant valueData(const ValueNode& node, int role) const;

  std::shared_ptr<const ObjectPage> m_page;
  std::unique_ptr<ValueNode> m_root;
  std::vector<ValueNode*> m_nodes;  // by id from the first
  quint64 m_firstId = 0;
  bool m_isGrouped = false;
  std::optional<engine::Snapshot> m_snapshot;
};

/// Roles that ValueDelegate asks a model for, beside what is in models/roles.h.
enum ValueRole : int {
  kValueSuffixRole = Qt::UserRole + 100,  // QString: drawn dimmed behind the text
  kIsWarningRole,                         // bool: drawn with the sign of warnings
  kIsDimmedRole,                          // bool: says that nothing is there
  kFieldKindRole,                         // int: engine::FieldKind, where the line is bytes of the object shown
  kIsNameRole,                            // bool: a name that may have a sample of its bytes' colour
};

/// Draws names with a sample of the colour that their bytes have, values with the address they lead to, and what is
/// damaged with a sign.
class ValueDelegate : public NameDelegate {
  Q_OBJECT

 public:
  using NameDelegate::NameDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace heapscape::gui
