// SPDX-License-Identifier: MIT
#include "views/types/found_objects_model.h"

#include <QGuiApplication>
#include <algorithm>

#include "models/cells/retained_cell.h"
#include "models/cells/roles.h"
#include "models/names/type_name.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"

namespace heapscape::gui {
namespace {

constexpr std::size_t kMostPages = 1000;

bool isFigure(int column) {
  return column == FoundObjectsModel::SizeColumn || column == FoundObjectsModel::RetainedColumn;
}

QVariant alignmentOf(int column) {
  return QVariant::fromValue(Qt::Alignment((isFigure(column) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
}

}  // namespace

QStringList foundObjectTitles() {
  return {FoundObjectsModel::tr("Address"), FoundObjectsModel::tr("Type"), FoundObjectsModel::tr("Size"),
          FoundObjectsModel::tr("Retained"), FoundObjectsModel::tr("Generation")};
}

QStringList plainCells(const engine::Snapshot& snapshot, const engine::FoundObject& object) {
  if (!object.row.address) return {};
  return {addressText(object.row.address), fromEngine(snapshot.types()[object.row.type.value].name),
          QString::number(object.row.sizeBytes),
          object.retainedBytes ? QString::number(*object.retainedBytes) : QString(),
          QString::fromLatin1(engine::toString(object.row.generation))};
}

void FoundObjectsModel::show(std::shared_ptr<const FoundObjectList> list) {
  beginResetModel();
  m_list = std::move(list);
  m_pages.clear();
  m_arrived.clear();
  // The search has told of the first ones already.
  if (pageCount() > 0 && m_list->found.rows.size() == idsOf(0).size()) {
    m_pages.emplace(0, m_list->found.rows);
    m_arrived = {0};
  }
  endResetModel();
}

engine::Address FoundObjectsModel::addressAt(int row) const {
  return engine::addressOfObject(m_list->snapshot, m_list->found.order[static_cast<std::size_t>(row)]);
}

const engine::FoundObject* FoundObjectsModel::objectAt(int row) const {
  const auto page = m_pages.find(row / kPageRows);
  if (page == m_pages.end()) return nullptr;
  const engine::FoundObject& object = page->second[static_cast<std::size_t>(row % kPageRows)];
  return object.row.address ? &object : nullptr;
}

int FoundObjectsModel::rowOf(engine::Address object) const {
  const auto id = m_list ? engine::idOfObject(m_list->snapshot, object) : std::nullopt;
  if (!id) return -1;
  const std::vector<std::uint32_t>& order = m_list->found.order;
  const auto found = std::ranges::find(order, *id);
  return found == order.end() ? -1 : static_cast<int>(found - order.begin());
}

std::span<const std::uint32_t> FoundObjectsModel::idsOf(int page) const {
  const std::size_t first = static_cast<std::size_t>(page) * kPageRows;
  const std::span<const std::uint32_t> order = m_list->found.order;
  return order.subspan(first, std::min<std::size_t>(kPageRows, order.size() - first));
}

void FoundObjectsModel::addPage(int page, std::vector<engine::FoundObject> objects) {
  if (page >= pageCount() || objects.size() != idsOf(page).size()) return;
  if (m_pages.insert_or_assign(page, std::move(objects)).second) m_arrived.push_back(page);
  if (m_arrived.size() > kMostPages) {
    m_pages.erase(m_arrived.front());
    m_arrived.erase(m_arrived.begin());
  }
  const int first = page * kPageRows;
  const int last = std::min(first + kPageRows, rowCount()) - 1;
  Q_EMIT dataChanged(index(first, 0), index(last, ColumnCount - 1));
}

int FoundObjectsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() || !m_list ? 0 : static_cast<int>(m_list->found.order.size());
}

int FoundObjectsModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : ColumnCount;
}

QVariant FoundObjectsModel::addressData(int row, int role) const {
  if (role == Qt::DisplayRole || role == kPlainRole) return addressText(addressAt(row));
  return role == Qt::FontRole ? QVariant(fixedFont(QGuiApplication::font())) : QVariant();
}

QVariant FoundObjectsModel::typeData(const engine::FoundObject& object, int role) const {
  const std::string& name = m_list->snapshot.types()[object.row.type.value].name;
  if (role == Qt::DisplayRole || role == kPlainRole || role == Qt::ToolTipRole) return fromEngine(name);
  if (role == kDimmedPrefixRole || role == kShortNameRole) return typeNameData(name, role);
  return {};
}

QVariant FoundObjectsModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  if (role == Qt::TextAlignmentRole) return alignmentOf(index.column());
  if (index.column() == AddressColumn) return addressData(index.row(), role);
  if (index.column() == RetainedColumn) return retainedCell(m_list->snapshot, addressAt(index.row()), role);
  const engine::FoundObject* object = objectAt(index.row());
  if (!object) return {};
  switch (index.column()) {
    case TypeColumn:
      return typeData(*object, role);
    case SizeColumn:
      if (role == Qt::DisplayRole) return bytesText(object->row.sizeBytes);
      if (role == kPlainRole) return QString::number(object->row.sizeBytes);
      if (role == Qt::ToolTipRole) {
        return tr("%1, takes up %2")
            .arg(exactBytesText(object->row.sizeBytes), exactBytesText(object->row.alignedBytes));
      }
      break;
    case GenerationColumn:
      if (role == Qt::DisplayRole || role == kPlainRole)
        return QString::fromLatin1(engine::toString(object->row.generation));
      break;
    default:
      break;
  }
  return {};
}

QVariant FoundObjectsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole) return alignmentOf(section);
  if (role == kHoldsContentsRole) return false;
  if (role != Qt::DisplayRole) return {};
  return section >= 0 && section < ColumnCount ? foundObjectTitles()[section] : QVariant();
}

}  // namespace heapscape::gui
