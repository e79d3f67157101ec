// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "models/trees/tree_model.h"
#include "session/async/async_query.h"

namespace heapscape::gui {

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

 private:
  const ChainLine* top() const override { return &m_top; }
  QVariant cell(const QModelIndex& index, int role) const override;
  static QVariant callData(const ChainCall& call, int column, int role);
  static QVariant localData(const engine::FieldValue& local, int column, int role);

  ChainPage m_page;
  ChainLine m_top;
};

}  // namespace heapscape::gui
