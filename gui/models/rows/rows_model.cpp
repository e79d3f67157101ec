// SPDX-License-Identifier: MIT
#include "models/rows/rows_model.h"

#include <QGuiApplication>
#include <QPalette>
#include <algorithm>

#include "models/cells/roles.h"
#include "models/names/type_name.h"
#include "review/board.h"
#include "widgets/drawing/colours.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"

namespace heapscape::gui {

namespace {

QVariant alignmentOf(ColumnLook look) {
  return QVariant::fromValue(Qt::Alignment((isFigure(look) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
}

engine::ReviewCellKind cellKindOf(ColumnLook look) {
  switch (look) {
    case ColumnLook::TypeName:
      return engine::ReviewCellKind::TypeName;
    case ColumnLook::Count:
      return engine::ReviewCellKind::Count;
    case ColumnLook::Bytes:
      return engine::ReviewCellKind::Bytes;
    case ColumnLook::SavedBytes:
      return engine::ReviewCellKind::SignedBytes;
    case ColumnLook::Address:
      return engine::ReviewCellKind::Address;
    case ColumnLook::Id:
    case ColumnLook::Text:
    case ColumnLook::Words:
      break;
  }
  return engine::ReviewCellKind::Text;
}

}  // namespace

void RowsModel::show(std::shared_ptr<const RowList> list, std::vector<std::uint32_t> order) {
  beginResetModel();
  m_list = std::move(list);
  m_order = std::move(order);
  endResetModel();
}

int RowsModel::lineOf(std::uint32_t row) const {
  const auto found = std::ranges::find(m_order, row);
  return found == m_order.end() ? -1 : static_cast<int>(found - m_order.begin());
}

int RowsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_order.size());
}

int RowsModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
}

QVariant RowsModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid) || !m_list) return {};
  return cellData(rowAt(index.row()), static_cast<std::size_t>(index.column()), role);
}

QVariant RowsModel::cellData(std::uint32_t row, std::size_t column, int role) const {
  const ColumnLook look = m_columns[column].look;
  switch (role) {
    case Qt::DisplayRole:
      return m_list->display(row, column);
    case Qt::TextAlignmentRole:
      return alignmentOf(look);
    case Qt::ToolTipRole: {
      const QString detail = m_list->detail(row, column);
      if (!detail.isEmpty()) return detail;
      return look == ColumnLook::Bytes ? exactBytesText(m_list->number(row, column)) : m_list->display(row, column);
    }
    case Qt::FontRole:
      return look == ColumnLook::Address ? QVariant(fixedFont(QGuiApplication::font())) : QVariant();
    case Qt::ForegroundRole:
      return m_list->isWarning(row, column) ? QVariant(Colours(QGuiApplication::palette()).warning()) : QVariant();
    case kShareRole:
      return m_list->share(row, column);
    case kPlainRole:
      return m_list->plain(row, column);
    case kDimmedPrefixRole:
      if (look == ColumnLook::Address) return m_list->commonDigits(column);
      break;
    default:
      break;
  }
  const bool isName = look == ColumnLook::TypeName && (role == kDimmedPrefixRole || role == kShortNameRole);
  return isName ? typeNameData(m_list->words(row, column).toStdString(), role) : QVariant();
}

QVariant RowsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
  const ColumnSetup& setup = m_columns[static_cast<std::size_t>(section)];
  if (role == Qt::DisplayRole) return setup.title;
  if (role == Qt::ToolTipRole) return setup.tip.isEmpty() ? setup.title : setup.tip;
  if (role == Qt::TextAlignmentRole) return alignmentOf(setup.look);
  if (role == kHoldsContentsRole) return setup.mayHoldContents();
  if (role == kCellKindRole) return static_cast<int>(cellKindOf(setup.look));
  return {};
}

}  // namespace heapscape::gui
