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

LayoutFieldsModel::LayoutFieldsModel(QObject* parent)
    : NumberedTreeModel({{.title = u"Offset"_s, .look = TreeColumn::Look::Figure},
                         {.title = u"Size"_s, .look = TreeColumn::Look::Figure},
                         {.title = u"Field"_s},
                         {.title = u"Type"_s},
                         {.title = u"Declared in"_s}},
                        parent) {}

void LayoutFieldsModel::show(std::shared_ptr<const LayoutItems> items) {
  beginResetModel();
  m_items = std::move(items);
  numberRows(m_items ? m_items->items.size() : 0);
  endResetModel();
}

QModelIndex LayoutFieldsModel::indexOf(std::uint32_t item) const {
  return m_items && item < m_items->items.size() ? NumberedTreeModel::indexOf(item) : QModelIndex();
}

const LayoutFieldsModel::Numbers& LayoutFieldsModel::childrenOf(std::uint32_t item) const {
  if (!m_items) return none();
  return item == LayoutItem::kNoItem ? m_items->roots : (*m_items)[item].children;
}

QVariant LayoutFieldsModel::text(const LayoutItem& item, int column, int role) const {
  const bool isPlain = role == kPlainRole;
  switch (column) {
    case OffsetColumn:
      return isPlain ? QString::number(item.begin) : offsetText(item.begin);
    case SizeColumn:
      if (item.part == LayoutPart::Repeated && item.repeats == 0) return isPlain ? QString() : u"…"_s;
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

QVariant LayoutFieldsModel::cell(const QModelIndex& index, int role) const {
  const std::uint32_t number = itemOf(index);
  const LayoutItem& item = (*m_items)[number];
  switch (role) {
    case Qt::DisplayRole:
    case kPlainRole:
      return text(item, index.column(), role);
    case Qt::ToolTipRole:
      return QString(itemName(item) + QLatin1Char('\n') + itemFacts(*m_items, number).join(QLatin1Char('\n')));
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
  if (orientation == Qt::Horizontal && role == Qt::ToolTipRole && section == OffsetColumn) {
    return m_items && m_items->isUnboxed ? u"From the start of the value"_s : u"From the object's address"_s;
  }
  return TreeModel::headerData(section, orientation, role);
}

}  // namespace heapscape::gui
