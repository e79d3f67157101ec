// SPDX-License-Identifier: MIT
#include "models/layout/layout_fields_model.h"

#include "models/cells/roles.h"
#include "models/names/type_name.h"
#include "widgets/layout_diagram/layout_item_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

using engine::LayoutItem;
using engine::LayoutItems;
using engine::LayoutPart;

void LayoutFieldsModel::show(std::shared_ptr<const LayoutItems> items) {
  beginResetModel();
  m_items = std::move(items);
  m_rowInParent.assign(m_items ? m_items->items.size() : 0, 0);
  const auto number = [this](const std::vector<std::uint32_t>& siblings) {
    for (std::size_t row = 0; row < siblings.size(); ++row) m_rowInParent[siblings[row]] = static_cast<int>(row);
  };
  if (m_items) {
    number(m_items->roots);
    for (const LayoutItem& item : m_items->items) number(item.children);
  }
  endResetModel();
}

std::uint32_t LayoutFieldsModel::itemOf(const QModelIndex& index) const {
  return index.isValid() ? static_cast<std::uint32_t>(index.internalId()) : LayoutItem::kNoItem;
}

QModelIndex LayoutFieldsModel::indexOf(std::uint32_t item) const {
  if (item >= m_rowInParent.size()) return {};
  return createIndex(m_rowInParent[item], 0, quintptr{item});
}

const std::vector<std::uint32_t>& LayoutFieldsModel::childrenOf(const QModelIndex& parent) const {
  return parent.isValid() ? (*m_items)[itemOf(parent)].children : m_items->roots;
}

QModelIndex LayoutFieldsModel::index(int row, int column, const QModelIndex& parent) const {
  if (!hasIndex(row, column, parent)) return {};
  return createIndex(row, column, quintptr{childrenOf(parent)[static_cast<std::size_t>(row)]});
}

QModelIndex LayoutFieldsModel::parent(const QModelIndex& child) const {
  if (!child.isValid() || !m_items) return {};
  return indexOf((*m_items)[itemOf(child)].parent);
}

int LayoutFieldsModel::rowCount(const QModelIndex& parent) const {
  if (!m_items || parent.column() > 0) return 0;
  return static_cast<int>(childrenOf(parent).size());
}

int LayoutFieldsModel::columnCount(const QModelIndex&) const {
  return ColumnCount;
}

QVariant LayoutFieldsModel::text(const LayoutItem& item, int column, int role) const {
  const bool isPlain = role == kPlainRole;
  switch (column) {
    case OffsetColumn:
      return isPlain ? QString::number(item.begin) : offsetText(item.begin);
    case SizeColumn:
      if (item.part == LayoutPart::Repeated && item.repeats == 0) return isPlain ? QString() : QStringLiteral("…");
      return isPlain ? QString::number(item.sizeBytes()) : countText(static_cast<std::uint64_t>(item.sizeBytes()));
    case FieldColumn:
      return isPlain && !item.name.empty() ? fromEngine(item.name) : itemName(item);
    case TypeColumn:
      return item.part == LayoutPart::Padding ? QString() : fromEngine(item.typeName);
    case DeclaredColumn:
      return fromEngine(item.part == LayoutPart::Padding ? item.typeName : item.declaringType);
    default:
      return {};
  }
}

QVariant LayoutFieldsModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid) || !m_items) return {};
  const std::uint32_t number = itemOf(index);
  const LayoutItem& item = (*m_items)[number];
  switch (role) {
    case Qt::DisplayRole:
    case kPlainRole:
      return text(item, index.column(), role);
    case Qt::ToolTipRole:
      return QString(itemName(item) + QLatin1Char('\n') + itemFacts(*m_items, number).join(QLatin1Char('\n')));
    case Qt::TextAlignmentRole: {
      const bool isFigure = index.column() == OffsetColumn || index.column() == SizeColumn;
      return QVariant::fromValue(Qt::Alignment((isFigure ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    }
    case kDimmedPrefixRole: {
      if (index.column() == FieldColumn)
        return item.part == LayoutPart::Field || item.part == LayoutPart::Element ? 0 : 1000;
      const bool isOfType = index.column() == TypeColumn || item.part == LayoutPart::Padding;
      const std::string& type = isOfType ? item.typeName : item.declaringType;
      return index.column() == TypeColumn || index.column() == DeclaredColumn ? namespaceLength(type) : 0;
    }
    default:
      return {};
  }
}

QVariant LayoutFieldsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == kHoldsContentsRole) return false;
  if (role == Qt::TextAlignmentRole) {
    const bool isFigure = section == OffsetColumn || section == SizeColumn;
    return QVariant::fromValue(Qt::Alignment((isFigure ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
  }
  if (role == Qt::ToolTipRole && section == OffsetColumn) {
    return m_items && m_items->isUnboxed ? QStringLiteral("From the start of the value")
                                         : QStringLiteral("From the object's address");
  }
  if (role != Qt::DisplayRole) return {};
  switch (section) {
    case OffsetColumn:
      return QStringLiteral("Offset");
    case SizeColumn:
      return QStringLiteral("Size");
    case FieldColumn:
      return QStringLiteral("Field");
    case TypeColumn:
      return QStringLiteral("Type");
    case DeclaredColumn:
      return QStringLiteral("Declared in");
    default:
      return {};
  }
}

}  // namespace heapscape::gui
