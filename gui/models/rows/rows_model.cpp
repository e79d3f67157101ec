// SPDX-License-Identifier: MIT
#include "models/rows/rows_model.h"

#include <QGuiApplication>
#include <QPalette>
#include <algorithm>
#include <numeric>

#include "models/cells/roles.h"
#include "models/names/type_name.h"
#include "review/board.h"
#include "widgets/drawing/colours.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"

namespace heapscape::gui {

namespace {

constexpr std::size_t kMostPages = 1000;

QVariant alignmentOf(engine::ColumnKind kind) {
  return QVariant::fromValue(Qt::Alignment((isFigure(kind) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
}

}  // namespace

RowsModel::RowsModel(std::vector<ColumnSetup> columns, QObject* parent)
    : QAbstractTableModel(parent), m_columns(std::move(columns)) {
  m_growing.setSingleShot(true);
  m_growing.setInterval(1);  // between two parts the window takes input
  connect(&m_growing, &QTimer::timeout, this, &RowsModel::growPaged);
}

void RowsModel::setColumns(std::vector<ColumnSetup> columns) {
  beginResetModel();
  m_columns = std::move(columns);
  m_list.reset();
  m_order.clear();
  m_paged.reset();
  m_pages.clear();
  m_arrived.clear();
  endResetModel();
}

void RowsModel::clear() {
  setColumns(std::move(m_columns));
}

void RowsModel::show(std::shared_ptr<const RowList> list, std::vector<std::uint32_t> order) {
  if (m_paged) clear();
  beginResetModel();
  m_list = std::move(list);
  m_order = std::move(order);
  m_paged.reset();
  m_pages.clear();
  m_arrived.clear();
  endResetModel();
}

void RowsModel::update(std::shared_ptr<const RowList> list) {
  m_list = std::move(list);
  if (rowCount() > 0) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

void RowsModel::show(std::shared_ptr<const RowList> list) {
  std::vector<std::uint32_t> order(list ? list->size() : 0);
  std::iota(order.begin(), order.end(), 0u);
  show(std::move(list), std::move(order));
}

void RowsModel::show(std::shared_ptr<const PagedRows> rows, bool atOnce) {
  const auto all = static_cast<int>(rows->size);
  if (all < rowCount()) clear();
  const int known = rowCount();
  beginResetModel();
  m_list.reset();
  m_order.clear();
  m_paged = std::move(rows);
  m_pages.clear();
  m_arrived.clear();
  m_pagedLines = atOnce ? all : std::min(all, std::max(known, kRowsAtOnce));
  endResetModel();
  if (m_pagedLines < all) m_growing.start();
}

void RowsModel::growPaged() {
  if (!m_paged) return;
  const int end = std::min(static_cast<int>(m_paged->size), m_pagedLines + kRowsAtOnce);
  if (end <= m_pagedLines) return;
  beginInsertRows({}, m_pagedLines, end - 1);
  m_pagedLines = end;
  endInsertRows();
  if (m_pagedLines < static_cast<int>(m_paged->size)) m_growing.start();
}

int RowsModel::lineOf(std::uint32_t row) const {
  const auto found = std::ranges::find(m_order, row);
  return found == m_order.end() ? -1 : static_cast<int>(found - m_order.begin());
}

engine::Address RowsModel::identityAt(int line) const {
  return m_paged ? m_paged->identity(static_cast<std::uint32_t>(line)) : m_list->identity(rowAt(line));
}

int RowsModel::lineAbout(engine::Address identity) const {
  if (!identity || !m_list) return -1;
  const auto found = std::ranges::find(m_order, identity, [this](std::uint32_t row) { return m_list->identity(row); });
  return found == m_order.end() ? -1 : static_cast<int>(found - m_order.begin());
}

void RowsModel::addPage(std::uint32_t page, std::shared_ptr<const RowList> rows) {
  if (!m_paged || page >= m_paged->pageCount()) return;
  const std::uint32_t first = page * PagedRows::kPageRows;
  if (rows->size() != std::min(PagedRows::kPageRows, m_paged->size - first)) return;
  const int last = std::min(static_cast<int>(first + rows->size()), m_pagedLines) - 1;
  if (m_pages.insert_or_assign(page, std::move(rows)).second) m_arrived.push_back(page);
  if (m_arrived.size() > kMostPages) {
    m_pages.erase(m_arrived.front());
    m_arrived.erase(m_arrived.begin());
  }
  Q_EMIT dataChanged(index(static_cast<int>(first), 0), index(last, columnCount() - 1));
}

int RowsModel::rowCount(const QModelIndex& parent) const {
  if (parent.isValid()) return 0;
  return m_paged ? m_pagedLines : static_cast<int>(m_order.size());
}

int RowsModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
}

RowsModel::Place RowsModel::placeOf(int line) const {
  if (!m_paged) return {m_list.get(), rowAt(line)};
  const auto row = static_cast<std::uint32_t>(line);
  const auto page = m_pages.find(row / PagedRows::kPageRows);
  return page == m_pages.end() ? Place{} : Place{page->second.get(), row % PagedRows::kPageRows};
}

RowLink RowsModel::targetAt(int line) const {
  if (const Place place = placeOf(line); place.list) return place.list->target(place.row);
  return {.object = identityAt(line)};
}

QVariant RowsModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const Place place = placeOf(index.row());
  // A list that the engine describes otherwise may have fewer columns that are not shown at first.
  const bool isThere = place.list && static_cast<std::size_t>(index.column()) < place.list->columns().size();
  return isThere ? cellData(place, static_cast<std::size_t>(index.column()), role) : QVariant();
}

QVariant RowsModel::cellData(const Place& place, std::size_t column, int role) const {
  const auto& [list, row] = place;
  if (const QVariant more = list->more(row, column, role); more.isValid()) return more;
  const engine::ColumnKind kind = m_columns[column].kind;
  switch (role) {
    case Qt::DisplayRole:
      return list->display(row, column);
    case Qt::TextAlignmentRole:
      return alignmentOf(kind);
    case Qt::ToolTipRole: {
      const QString detail = list->detail(row, column);
      if (!detail.isEmpty()) return detail;
      return kind == engine::ColumnKind::Bytes ? exactBytesText(list->number(row, column)) : list->display(row, column);
    }
    case Qt::FontRole:
      return kind == engine::ColumnKind::Address ? QVariant(fixedFont(QGuiApplication::font())) : QVariant();
    case Qt::ForegroundRole:
      return list->isWarning(row, column) ? QVariant(Colours(QGuiApplication::palette()).warning()) : QVariant();
    case kShareRole:
      return list->share(row, column);
    case kIsNegativeRole:
      return list->isNegative(row, column);
    case kPlainRole:
      return list->plain(row, column);
    case kCutAtEndRole:
      return kind == engine::ColumnKind::Text && m_columns[column].holdsContents.value_or(false);
    case kDimmedPrefixRole:
      if (kind == engine::ColumnKind::Address) return m_paged ? m_paged->commonDigits : list->commonDigits(column);
      break;
    default:
      break;
  }
  const bool isName = kind == engine::ColumnKind::TypeName && (role == kDimmedPrefixRole || role == kShortNameRole);
  return isName ? typeNameData(list->words(row, column).toStdString(), role) : QVariant();
}

QVariant RowsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
  const ColumnSetup& setup = m_columns[static_cast<std::size_t>(section)];
  if (role == Qt::DisplayRole) return setup.title;
  if (role == Qt::ToolTipRole) return setup.tip.isEmpty() ? setup.title : setup.tip;
  if (role == Qt::TextAlignmentRole) return alignmentOf(setup.kind);
  if (role == kHoldsContentsRole) return setup.mayHoldContents();
  if (role == kColumnNameRole && !setup.field.empty()) return QString::fromStdString(setup.field);
  if (role == kIsExtraColumnRole) return setup.isExtra;
  if (role == kCellKindRole) return static_cast<int>(setup.kind);
  return {};
}

}  // namespace heapscape::gui
