// SPDX-License-Identifier: MIT
#pragma once

#include <QAbstractItemModel>
#include <memory>
#include <vector>

#include "models/rows/value_cells.h"
#include "session/threads/folded_frames.h"
#include "session/threads/stacks_query.h"
#include "views/threads/local_groups.h"

namespace heapscape::gui {

/// Roles beside those of all models.
enum StackRole : int {
  kMarksRole = 0x1000,  // QStringList: what is special about a frame or local
  kIsAsideRole,         // bool: neither the program's code nor .NET's, or several frames as one
};

/// The frames of a stack, innermost first, and below each its locals; or these in groups, with the frame that each is
/// of. Which are shown follows from a filter and from whose code the frames are.
class StackModel : public QAbstractItemModel {
  Q_OBJECT

 public:
  enum Column : int { NameColumn, TypeColumn, ValueColumn, ObjectColumn, PlaceColumn, ColumnCount };
  using SharedStack = std::shared_ptr<const engine::ThreadStackRow>;

  using QAbstractItemModel::QAbstractItemModel;

  void show(SharedStack stack);  // null for none; by frame
  /// Of the stack that is shown; null for its frames again.
  void group(std::shared_ptr<const std::vector<LocalGroup>> groups);
  bool isGrouped() const { return m_groups != nullptr; }
  const SharedStack& stack() const { return m_stack; }
  /// Whether frames repeat so often that they are written once (session/threads/folded_frames.h).
  bool hasRepeats() const { return m_hasRepeats; }
  /// Whether those are written one by one all the same; what a filter has found is so always.
  void setAllFrames(bool isOn);
  /// Frames that are not the program's, in a row, become one line.
  void setOnlyMyCode(bool isOn);
  /// Only frames that have this in their name, or in the name or type of a local; empty for all.
  void setFilter(const QString& text);

  ValueCells& values() { return m_values; }

  /// The objects of all locals below a group, each once; none for anything else.
  std::vector<engine::Address> objectsOf(const QModelIndex& index) const;
  /// Null for a local, a group, and for several frames as one.
  const engine::FrameRow* frameAt(const QModelIndex& index) const;
  /// Null for a frame or a group.
  const engine::StackRootRow* localAt(const QModelIndex& index) const;
  /// That a local refers to; 0 for none, a frame or a group.
  engine::Address objectAt(const QModelIndex& index) const;

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex& child) const override;
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  struct Line {
    std::size_t frame = 0;                 // the first of them; of a group its number
    std::size_t folded = 0;                // how many frames stand here together; 0 for one with its locals
    std::uint32_t times = 1;               // how many frames of the method this one stands for
    std::vector<std::size_t> locals = {};  // indices
    std::size_t objects = 0;               // of the locals of a group, each once
    std::uint64_t bytes = 0;               // that these take up
  };

  void build();
  void addLine(std::size_t frame, std::uint32_t times);
  QStringList marksOf(const Line& line) const;
  void addGroup(std::size_t group);
  bool fits(const engine::StackRootRow& local) const;
  bool fits(const QString& text) const;
  QVariant frameData(const Line& line, int column, int role) const;
  QVariant foldData(const Line& line, int column, int role) const;
  QVariant groupData(const Line& line, int column, int role) const;
  QVariant localData(const engine::StackRootRow& local, int column, int role) const;

  SharedStack m_stack;
  std::vector<engine::WrittenFrame> m_written;  // its frames, those that repeat once
  bool m_hasRepeats = false;
  bool m_allFrames = false;
  std::shared_ptr<const std::vector<LocalGroup>> m_groups;
  ValueCells m_values;
  bool m_onlyMyCode = false;
  QString m_filter;
  std::vector<Line> m_lines;
};

}  // namespace heapscape::gui
