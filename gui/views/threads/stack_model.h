// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "base/result.h"
#include "models/trees/tree_model.h"
#include "query/objects/object_search.h"
#include "session/stacks/folded_frames.h"
#include "session/stacks/stacks_query.h"

class QTreeView;

namespace heapscape::gui {

/// Locals of a stack whose objects hold the same in a field, whichever frames they are of.
struct LocalGroup {
  struct Local {
    std::size_t root = 0;     // index in the stack's roots
    std::uint64_t bytes = 0;  // that its object takes up; several locals may lead to one
  };

  QString name;
  std::vector<Local> locals;  // innermost first
  bool isOfType = false;      // the name is that of a type
};

/// The groups with the most locals first; what leads to no object stands in a group of its own. On the engine thread.
engine::Outcome<std::vector<LocalGroup>> groupLocals(const engine::Snapshot& snapshot,
                                                     const engine::ThreadStackRow& stack,
                                                     const engine::QueryFieldReference& field, std::stop_token stop);

/// Roles beside those of all models.
enum StackRole : int {
  kMarksRole = 0x1000,  // QStringList: what is special about a frame or local
  kIsAsideRole,         // bool: neither the program's code nor .NET's, or several frames as one
};

/// A line of StackModel.
struct StackLine {
  enum class Kind : std::uint8_t {
    Frame,
    Fold,  // several frames as one
    Gap,
    Group,
    Local,      // that the GC knows of
    Variable,   // by its declaration
    Field,      // of a variable that is a struct
    Registers,  // of the thread or a frame
    Register,
  };

  Kind kind = Kind::Frame;
  std::size_t frame = 0;                 // the first of them; of a group its number
  std::size_t count = 1;                 // Fold: how many frames stand here together; Frame: how many of the method
  std::size_t index = 0;                 // of the local or register
  std::optional<std::size_t> root = {};  // Variable: what the GC knows of it
  const engine::VariableRow* variable = nullptr;                // Variable
  const engine::FieldValue* value = nullptr;                    // Variable, Field
  const std::vector<engine::RegisterRow>* registers = nullptr;  // Registers, Register
  std::size_t objects = 0;                                      // of the locals of a group, each once
  std::uint64_t bytes = 0;                                      // that these take up
  StackLine* parent = nullptr;
  int row = 0;
  std::vector<std::unique_ptr<StackLine>> children = {};
};

/// The frames of a stack, innermost first, and below each its parameters and locals with what they hold, what else of
/// it refers to objects, and its registers, if those were read; or the locals in groups, with the frame that each is
/// of. Which are shown follows from a filter and from whose code the frames are.
class StackModel : public TreeModelOf<StackLine> {
  Q_OBJECT

 public:
  enum Column : int { NameColumn, TypeColumn, ValueColumn, ObjectColumn, PlaceColumn, ColumnCount };
  using SharedStack = std::shared_ptr<const engine::ThreadStackRow>;

  explicit StackModel(QObject* parent = nullptr);

  void show(SharedStack stack);  // null for none; by frame
  /// Groups the locals of the stack that is shown; null for its frames again.
  void group(std::shared_ptr<const std::vector<LocalGroup>> groups);
  bool isGrouped() const { return m_groups != nullptr; }
  const SharedStack& stack() const { return m_stack; }
  /// Whether frames repeat so often that they are written once (session/stacks/folded_frames.h).
  bool hasRepeats() const { return m_hasRepeats; }
  /// Whether those are written one by one all the same; what a filter has found is so always.
  void setAllFrames(bool isOn);
  /// Frames that are not the program's, in a row, become one line.
  void setOnlyMyCode(bool isOn);
  /// Shows only frames that have this in their name, or in the name, type or value of a local; empty for all.
  void setFilter(const QString& text);

  /// The objects of all locals below a group, each once; none for anything else.
  std::vector<engine::Address> objectsOf(const QModelIndex& index) const;
  /// Null for a local, a group, and for several frames as one.
  const engine::FrameRow* frameAt(const QModelIndex& index) const;
  /// A local, or a variable that is a reference; null for a frame or a group.
  const engine::StackRootRow* localAt(const QModelIndex& index) const;
  /// Null for what is no parameter and no local by its declaration.
  const engine::VariableRow* variableAt(const QModelIndex& index) const;
  /// The object that a local refers to; 0 for none, a frame or a group.
  engine::Address objectAt(const QModelIndex& index) const;
  /// The address of what a line is about: where a local lies, what a register holds, the code of a frame; 0 else.
  engine::Address memoryAt(const QModelIndex& index) const;
  /// The line that says that frames are missing in the stack; it has one cell.
  bool isGap(const QModelIndex& index) const;
  /// A line whose parts are opened with the locals of all frames.
  bool isFrame(const QModelIndex& index) const;

  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  using Kind = StackLine::Kind;

  const StackLine* top() const override { return &m_root; }
  QVariant cell(const QModelIndex& index, int role) const override;
  void build();
  /// Builds the lines within a change that has begun.
  void fill();
  void addFrames();
  void addFrame(std::size_t frame, std::size_t times);
  void addVariables(StackLine& line, std::vector<bool>& isRootShown, bool fitsItself);
  void addFields(StackLine& line, const engine::FieldValue& value);
  void addRegisters(StackLine& line, const std::vector<engine::RegisterRow>& registers);
  void addGroup(std::size_t group);
  bool fits(const engine::StackRootRow& local) const;
  bool fits(const engine::VariableRow& variable) const;
  bool fits(const QString& text) const;
  QStringList marksOf(const StackLine& line) const;
  QVariant frameData(const StackLine& line, int column, int role) const;
  QVariant foldData(const StackLine& line, int column, int role) const;
  QVariant gapData(int column, int role) const;
  QVariant groupData(const StackLine& line, int column, int role) const;
  QVariant localData(const engine::StackRootRow& local, int column, int role) const;
  QVariant variableData(const StackLine& line, int column, int role) const;
  QVariant valueData(const StackLine& line, int role) const;
  QVariant registerData(const StackLine& line, int column, int role) const;

  SharedStack m_stack;
  std::vector<engine::WrittenFrame> m_written;  // its frames, those that repeat once
  bool m_hasRepeats = false;
  bool m_allFrames = false;
  std::shared_ptr<const std::vector<LocalGroup>> m_groups;
  bool m_onlyMyCode = false;
  QString m_filter;
  StackLine m_root;
};

/// How trees of frames with their locals look and behave. The view must have its model. `nameColumn`: that of frames
/// and locals.
void setUpFrameTree(QTreeView* tree, int nameColumn);

}  // namespace heapscape::gui
