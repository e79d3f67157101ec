// SPDX-License-Identifier: MIT
#pragma once

#include <QAbstractItemModel>
#include <memory>
#include <vector>

#include "session/threads/stacks_query.h"

namespace heapscape::gui {

/// Roles beside those of all models.
enum StackRole : int {
  kMarksRole = 0x1000,  // QStringList: what is special about a frame or local
  kIsAsideRole,         // bool: neither the program's code nor .NET's, or several frames as one
};

/// The frames of a stack, innermost first, and below each its locals. Which frames are shown follows from a filter and
/// from whose code they are.
class StackModel : public QAbstractItemModel {
  Q_OBJECT

 public:
  enum Column : int { NameColumn, TypeColumn, ObjectColumn, PlaceColumn, ColumnCount };
  using SharedStack = std::shared_ptr<const engine::ThreadStackRow>;

  using QAbstractItemModel::QAbstractItemModel;

  void show(SharedStack stack);  // null for none
  const SharedStack& stack() const { return m_stack; }
  /// Frames that are not the program's, in a row, become one line.
  void setOnlyMyCode(bool isOn);
  /// Only frames that have this in their name, or in the name or type of a local; empty for all.
  void setFilter(const QString& text);

  /// Null for a local, and for several frames as one.
  const engine::FrameRow* frameAt(const QModelIndex& index) const;
  /// Null for a frame.
  const engine::StackRootRow* localAt(const QModelIndex& index) const;

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex& child) const override;
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  struct Line {
    std::size_t frame = 0;                 // the first of them
    std::size_t folded = 0;                // how many frames stand here together; 0 for one with its locals
    std::vector<std::size_t> locals = {};  // indices
  };

  void build();
  void addLine(std::size_t frame);
  bool fits(const QString& text) const;
  QVariant frameData(const Line& line, int column, int role) const;
  QVariant foldData(const Line& line, int column, int role) const;
  QVariant localData(const engine::StackRootRow& local, int column, int role) const;

  SharedStack m_stack;
  bool m_onlyMyCode = false;
  QString m_filter;
  std::vector<Line> m_lines;
};

}  // namespace heapscape::gui
