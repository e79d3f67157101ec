// SPDX-License-Identifier: MIT
#include "views/object/items_model.h"

#include <algorithm>

#include "models/cells/retained_cell.h"
#include "models/cells/roles.h"
#include "models/names/type_name.h"
#include "views/object/values/value_roles.h"
#include "widgets/text/figures.h"
#include "widgets/text/value_text.h"

namespace heapscape::gui {
namespace {

constexpr std::uint64_t kPageItems = 500;

QVariant valueCell(const engine::Value& value, int role) {
  switch (role) {
    case Qt::DisplayRole:
      return valueText(value);
    case kPlainRole:
      return fromEngine(value.text);
    case Qt::ToolTipRole:
      return valueTip(value);
    case kValueSuffixRole:
      return valueSuffix(value);
    case kIsWarningRole:
      return isDoubtful(value);
    case kIsDimmedRole:
      return value.kind == engine::ValueKind::Null;
    default:
      return {};
  }
}

bool isFigure(int column) {
  return column == ItemsModel::LabelColumn || column == ItemsModel::RetainedColumn;
}

}  // namespace

void ItemsModel::show(const engine::CollectionDetails& collection) {
  beginResetModel();
  m_items = collection.items;
  m_first = 0;
  m_count = collection.count;
  m_hasKeys = collection.hasKeys;
  m_isWaiting = false;
  m_isAtEnd = m_items.size() >= m_count;
  endResetModel();
}

void ItemsModel::clear() {
  show({});
}

void ItemsModel::setSnapshot(std::optional<engine::Snapshot> snapshot) {
  m_snapshot = std::move(snapshot);
  if (rowCount() > 0) Q_EMIT dataChanged(index(0, RetainedColumn), index(rowCount() - 1, RetainedColumn));
}

void ItemsModel::jumpTo(std::uint64_t first) {
  beginResetModel();
  m_items.clear();
  m_first = std::min(first, m_count);
  m_isWaiting = false;
  m_isAtEnd = m_first >= m_count;
  endResetModel();
  fetchMore({});
}

void ItemsModel::append(std::uint64_t first, std::vector<engine::CollectionItem> items) {
  if (first != m_first + m_items.size()) return;
  m_isWaiting = false;
  m_isAtEnd = items.empty() || first + items.size() >= m_count;
  if (items.empty()) return;
  const int row = rowCount();
  beginInsertRows({}, row, row + static_cast<int>(items.size()) - 1);
  std::ranges::move(items, std::back_inserter(m_items));
  endInsertRows();
}

void ItemsModel::fail() {
  m_isWaiting = false;
  m_isAtEnd = true;
}

const engine::Value* ItemsModel::valueAt(const QModelIndex& index) const {
  if (!index.isValid()) return nullptr;
  const engine::CollectionItem& item = itemAt(index.row());
  return index.column() == KeyColumn && m_hasKeys ? &item.key : &item.value;
}

engine::Address ItemsModel::targetAt(const QModelIndex& index) const {
  const engine::Value* value = valueAt(index);
  return value && value->kind == engine::ValueKind::Reference ? value->object : engine::Address();
}

QString ItemsModel::nameOf(int row) const {
  const engine::CollectionItem& item = itemAt(row);
  return m_hasKeys ? QStringLiteral("[%1]").arg(valueText(item.key)) : fromEngine(item.label);
}

int ItemsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_items.size());
}

int ItemsModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : ColumnCount;
}

QVariant ItemsModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const engine::CollectionItem& item = itemAt(index.row());
  if (role == Qt::TextAlignmentRole) {
    return QVariant::fromValue(
        Qt::Alignment((isFigure(index.column()) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
  }
  switch (index.column()) {
    case LabelColumn: {
      if (role != Qt::DisplayRole && role != kPlainRole) return {};
      const QString label = m_hasKeys ? QString() : fromEngine(item.label);  // a key has its own column
      return label.isEmpty() ? countText(m_first + static_cast<std::uint64_t>(index.row())) : label;
    }
    case KeyColumn:
      return m_hasKeys ? valueCell(item.key, role) : QVariant();
    case ValueColumn:
      return valueCell(item.value, role);
    case TypeColumn:
      return typeNameData(item.value.objectType, role);
    case RetainedColumn:
      return retainedCell(m_snapshot, targetAt(index), role);
    default:
      return {};
  }
}

QVariant ItemsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole) {
    return QVariant::fromValue(Qt::Alignment((isFigure(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
  }
  if (role == kHoldsContentsRole) return section == LabelColumn || section == KeyColumn || section == ValueColumn;
  if (role != Qt::DisplayRole) return {};
  switch (section) {
    case LabelColumn:
      return QStringLiteral("#");
    case KeyColumn:
      return QStringLiteral("Key");
    case ValueColumn:
      return QStringLiteral("Value");
    case TypeColumn:
      return QStringLiteral("Type");
    case RetainedColumn:
      return QStringLiteral("Retained");
    default:
      return {};
  }
}

bool ItemsModel::canFetchMore(const QModelIndex& parent) const {
  return !parent.isValid() && !m_isAtEnd && !m_isWaiting;
}

void ItemsModel::fetchMore(const QModelIndex& parent) {
  if (!canFetchMore(parent)) return;
  m_isWaiting = true;
  const std::uint64_t from = m_first + m_items.size();
  Q_EMIT itemsWanted(from, std::min(kPageItems, m_count - from));
}

}  // namespace heapscape::gui
