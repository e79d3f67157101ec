// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "models/tree_model.h"
#include "session/references/paths_query.h"

namespace heapscape::gui {

/// The shortest ways to all objects of a type, laid over each other, from the objects up to their roots.
class MergedPathsModel : public NumberedTreeModel {
  Q_OBJECT

 public:
  enum Column : int { NameColumn, ObjectsColumn, BytesColumn, HoldersColumn, ColumnCount };

  explicit MergedPathsModel(QObject* parent = nullptr);

  void show(std::shared_ptr<const engine::MergedPaths> paths);  // null for none
  const engine::MergedPathNode& nodeAt(const QModelIndex& index) const { return m_paths->nodes[nodeOf(index)]; }

 private:
  // Node 0, the objects themselves, is the one line at the top.
  static constexpr std::uint32_t kAboveAll = 0xffffffff;

  std::uint32_t topNode() const override { return kAboveAll; }
  const Numbers& childrenOf(std::uint32_t node) const override;
  std::uint32_t parentOfNode(std::uint32_t node) const override {
    return node == 0 ? kAboveAll : m_paths->nodes[node].parent;
  }
  QVariant cell(const QModelIndex& index, int role) const override;
  QVariant nameData(std::uint32_t node, int role) const;

  std::shared_ptr<const engine::MergedPaths> m_paths;
  std::vector<Numbers> m_children;  // by node
};

}  // namespace heapscape::gui
