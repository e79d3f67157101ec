// SPDX-License-Identifier: MIT
#include "views/overview/modules_model.h"

#include <algorithm>
#include <numeric>

#include "models/cells/roles.h"
#include "models/rows/module_rows.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

using engine::ModuleRow;

QString textOf(const ModuleRow& module, int column) {
  switch (column) {
    case ModulesModel::NameColumn:
      return fromEngine(module.name);
    case ModulesModel::SizeColumn:
      return module.sizeBytes == 0 ? QString() : bytesText(module.sizeBytes);
    case ModulesModel::MetadataColumn:
      return metadataText(module.metadata);
    case ModulesModel::CodeColumn:
      return moduleCodeText(module);
    case ModulesModel::ContextColumn:
      return loadContextText(module);
    case ModulesModel::PathColumn:
      return fromEngine(module.path);
    default:
      return {};
  }
}

QString tipOf(const ModuleRow& module, int column) {
  if (column == ModulesModel::SizeColumn && module.sizeBytes > 0) return exactBytesText(module.sizeBytes);
  if (column == ModulesModel::NameColumn) {
    return QObject::tr("%1\nModule at %2\nMVID %3")
        .arg(fromEngine(module.name), addressText(module.address),
             module.mvid.empty() ? QObject::tr("unknown") : fromEngine(module.mvid));
  }
  return textOf(module, column);
}

}  // namespace

void ModulesModel::setSnapshot(const engine::Snapshot& snapshot) {
  beginResetModel();
  m_snapshot = snapshot;
  m_rows.resize(snapshot.modules().size());
  std::iota(m_rows.begin(), m_rows.end(), std::size_t{0});
  sortRows();
  endResetModel();
}

void ModulesModel::clear() {
  beginResetModel();
  m_snapshot.reset();
  m_rows.clear();
  endResetModel();
}

const ModuleRow& ModulesModel::module(int row) const {
  return m_snapshot->modules()[m_rows[static_cast<std::size_t>(row)]];
}

int ModulesModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int ModulesModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : ColumnCount;
}

QVariant ModulesModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const ModuleRow& row = module(index.row());
  if (role == Qt::DisplayRole) return textOf(row, index.column());
  if (role == Qt::ToolTipRole) return tipOf(row, index.column());
  if (role == Qt::TextAlignmentRole && index.column() == SizeColumn) return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  return {};
}

QVariant ModulesModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == kHoldsContentsRole) return false;
  if (role == Qt::TextAlignmentRole) {
    return QVariant((section == SizeColumn ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  }
  if (role != Qt::DisplayRole) return {};
  switch (section) {
    case NameColumn:
      return tr("Module");
    case SizeColumn:
      return tr("Size");
    case MetadataColumn:
      return tr("Metadata");
    case CodeColumn:
      return tr("Code");
    case ContextColumn:
      return tr("Load context");
    case PathColumn:
      return tr("Path on the machine of the dump");
    default:
      return {};
  }
}

void ModulesModel::sort(int column, Qt::SortOrder order) {
  Q_EMIT layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
  const QModelIndexList before = persistentIndexList();
  std::vector<std::size_t> modules;
  for (const QModelIndex& index : before) modules.push_back(m_rows[static_cast<std::size_t>(index.row())]);
  m_column = column;
  m_order = order;
  sortRows();
  QModelIndexList after;
  for (qsizetype i = 0; i < before.size(); ++i) {
    const auto row = std::find(m_rows.begin(), m_rows.end(), modules[static_cast<std::size_t>(i)]) - m_rows.begin();
    after << createIndex(static_cast<int>(row), before[i].column());
  }
  changePersistentIndexList(before, after);
  Q_EMIT layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

void ModulesModel::sortRows() {
  if (!m_snapshot) return;
  const std::vector<ModuleRow>& modules = m_snapshot->modules();
  const auto isBefore = [this, &modules](std::size_t left, std::size_t right) {
    if (m_column == SizeColumn) return modules[left].sizeBytes < modules[right].sizeBytes;
    return QString::compare(textOf(modules[left], m_column), textOf(modules[right], m_column), Qt::CaseInsensitive) < 0;
  };
  std::stable_sort(m_rows.begin(), m_rows.end(), [this, &isBefore](std::size_t left, std::size_t right) {
    return m_order == Qt::AscendingOrder ? isBefore(left, right) : isBefore(right, left);
  });
}

}  // namespace heapscape::gui
