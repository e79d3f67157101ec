// SPDX-License-Identifier: MIT
#include "views/insights/insight_tree_model.h"

#include <QFont>
#include <QGuiApplication>
#include <QPalette>
#include <algorithm>
#include <utility>

#include "insight/insight_groups.h"
#include "models/cells/roles.h"
#include "models/names/insight_text.h"
#include "models/names/type_name.h"
#include "widgets/drawing/colours.h"
#include "widgets/text/figures.h"
#include "widgets/text/hidden_contents.h"

namespace heapscape::gui {

namespace {

using engine::Insight;

bool isFigureColumn(InsightColumn column) {
  return column == InsightColumn::Bytes || column == InsightColumn::Objects;
}

QString ownerText(const Insight& insight) {
  if (insight.owners.empty()) return {};
  const QString first = givenNameText(insight.owners.front().name);
  const std::size_t more = insight.owners.size() - 1;
  return more == 0 ? first : QStringLiteral("%1 and %2 more").arg(first, countText(more));
}

QString cellText(const Insight& insight, InsightColumn column) {
  switch (column) {
    case InsightColumn::Title:
      return shortInsightTitle(insight);
    case InsightColumn::Bytes:
      return insightBytesText(insight);
    case InsightColumn::Objects:
      return insight.objects == 0 ? QString() : countText(insight.objects);
    case InsightColumn::Subject:
      return insightSubject(insight);
    case InsightColumn::Owner:
      break;
  }
  return ownerText(insight);
}

QVariant plainOf(const Insight& insight, InsightColumn column) {
  if (column == InsightColumn::Bytes) return QString::number(insight.bytes);
  if (column == InsightColumn::Objects) return QString::number(insight.objects);
  if (column == InsightColumn::Title) return fromEngine(insight.title);
  return cellText(insight, column);
}

QVariant tipOf(const Insight& insight, InsightColumn column) {
  if (column == InsightColumn::Bytes) return insightBytesTip(insight);
  QString tip = plainOf(insight, column).toString();
  if (column == InsightColumn::Title && insight.isFramework)
    tip += QLatin1Char('\n') + QStringLiteral("Held by the framework's own types alone: not yours to change.");
  return tip;
}

double shareOf(std::uint64_t bytes, std::uint64_t most) {
  return most == 0 ? 0 : static_cast<double>(bytes) / static_cast<double>(most);
}

}  // namespace

void InsightTreeModel::show(std::shared_ptr<const FoundInsights> found, InsightTable table) {
  beginResetModel();
  m_found = std::move(found);
  m_table = m_found ? std::move(table) : InsightTable();
  m_mostBytes = 0;
  for (const InsightGroup& group : m_table.groups) {
    m_mostBytes = std::max(m_mostBytes, group.bytes);
    for (const std::uint32_t row : group.insights)
      m_mostBytes = std::max(m_mostBytes, m_found->list.insights[row].bytes);
  }
  endResetModel();
}

std::optional<std::uint32_t> InsightTreeModel::insightAt(const QModelIndex& index) const {
  if (!index.isValid() || index.internalId() == 0) return std::nullopt;
  return m_table.groups[index.internalId() - 1].insights[static_cast<std::size_t>(index.row())];
}

const Insight* InsightTreeModel::at(const QModelIndex& index) const {
  const std::optional<std::uint32_t> insight = insightAt(index);
  return insight ? &m_found->list.insights[*insight] : nullptr;
}

QModelIndex InsightTreeModel::indexOf(std::uint32_t insight) const {
  for (std::size_t group = 0; group < m_table.groups.size(); ++group) {
    const std::vector<std::uint32_t>& rows = m_table.groups[group].insights;
    const auto row = std::ranges::find(rows, insight);
    if (row != rows.end()) return createIndex(static_cast<int>(row - rows.begin()), 0, group + 1);
  }
  return {};
}

QModelIndex InsightTreeModel::index(int row, int column, const QModelIndex& parent) const {
  if (row < 0 || row >= rowCount(parent) || column < 0 || column >= kInsightColumns) return {};
  return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) + 1 : quintptr{0});
}

QModelIndex InsightTreeModel::parent(const QModelIndex& index) const {
  if (!index.isValid() || index.internalId() == 0) return {};
  return createIndex(static_cast<int>(index.internalId()) - 1, 0, quintptr{0});
}

int InsightTreeModel::rowCount(const QModelIndex& parent) const {
  if (!parent.isValid()) return static_cast<int>(m_table.groups.size());
  if (parent.internalId() != 0 || parent.column() > 0) return 0;
  return static_cast<int>(m_table.groups[static_cast<std::size_t>(parent.row())].insights.size());
}

int InsightTreeModel::columnCount(const QModelIndex&) const {
  return kInsightColumns;
}

QVariant InsightTreeModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const auto column = static_cast<InsightColumn>(index.column());
  if (role == Qt::TextAlignmentRole) {
    const Qt::Alignment side = isFigureColumn(column) ? Qt::AlignRight : Qt::AlignLeft;
    return QVariant::fromValue(side | Qt::AlignVCenter);
  }
  const Insight* insight = at(index);
  return insight ? insightData(*insight, column, role)
                 : groupData(m_table.groups[static_cast<std::size_t>(index.row())], column, role);
}

QVariant InsightTreeModel::groupData(const InsightGroup& group, InsightColumn column, int role) const {
  const bool isBytes = column == InsightColumn::Bytes;
  switch (role) {
    case Qt::DisplayRole:
      if (column == InsightColumn::Title && group.grouping != InsightGrouping::Kind) return insightGroupText(group);
      if (column == InsightColumn::Title)
        return QStringLiteral("%1 · %2").arg(
            insightKindText(group.kind),  // objects have a column of their own
            fromEngine(engine::insightGroupTitle(group.kind, group.insights.size(), 0)));
      if (isBytes) return group.bytes == 0 ? QString() : bytesText(group.bytes);
      if (column == InsightColumn::Subject) return insightMeaningText(group.meaning);
      return column == InsightColumn::Objects && group.objects > 0 ? countText(group.objects) : QVariant();
    case Qt::ToolTipRole:
      if (isBytes && group.bytes > 0)
        return QStringLiteral("%1 together, without what other kinds count already").arg(exactBytesText(group.bytes));
      if (column == InsightColumn::Subject) return insightMeaningTip(group.meaning);
      return group.grouping == InsightGrouping::Kind ? insightKindTip(group.kind) : group.key;
    case Qt::FontRole: {
      QFont font = QGuiApplication::font();
      font.setWeight(QFont::DemiBold);
      return column == InsightColumn::Subject ? QVariant() : QVariant(font);
    }
    case Qt::ForegroundRole:
      return column == InsightColumn::Subject ? QVariant(Colours(QGuiApplication::palette()).dimmedText()) : QVariant();
    case kShareRole:
      return isBytes ? QVariant(shareOf(group.bytes, m_mostBytes)) : QVariant();
    case kPlainRole:
      if (isBytes) return QString::number(group.bytes);
      return column == InsightColumn::Objects ? QVariant(QString::number(group.objects)) : QVariant();
    default:
      return {};
  }
}

QVariant InsightTreeModel::insightData(const Insight& insight, InsightColumn column, int role) const {
  const bool isName = column == InsightColumn::Subject && isAboutType(insight);
  switch (role) {
    case Qt::DisplayRole:
      return cellText(insight, column);
    case Qt::ToolTipRole:
      return tipOf(insight, column);
    case Qt::ForegroundRole:
      return insight.isFramework ? QVariant(Colours(QGuiApplication::palette()).dimmedText()) : QVariant();
    case kShareRole:
      return column == InsightColumn::Bytes ? QVariant(shareOf(insight.bytes, m_mostBytes)) : QVariant();
    case kPlainRole:
      return plainOf(insight, column);
    case kDimmedPrefixRole:
    case kShortNameRole:
      return isName ? typeNameData(insight.subject, role) : QVariant();
    default:
      return {};
  }
}

QVariant InsightTreeModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= kInsightColumns) return {};
  const auto column = static_cast<InsightColumn>(section);
  if (role == kHoldsContentsRole) return false;
  if (role == Qt::TextAlignmentRole) {
    const Qt::Alignment side = isFigureColumn(column) ? Qt::AlignRight : Qt::AlignLeft;
    return QVariant::fromValue(side | Qt::AlignVCenter);
  }
  static const std::array titles{QStringLiteral("Insight"), QStringLiteral("Bytes"), QStringLiteral("Objects"),
                                 QStringLiteral("About"), QStringLiteral("Held by")};
  static const std::array tips{QStringLiteral("What costs memory"), QStringLiteral("What the heap would shrink by"),
                               QStringLiteral("How many objects it is about"),
                               QStringLiteral("The type, the member or the text"),
                               QStringLiteral("Who holds most of it")};
  if (role == Qt::DisplayRole) return titles[static_cast<std::size_t>(section)];
  return role == Qt::ToolTipRole ? QVariant(tips[static_cast<std::size_t>(section)]) : QVariant();
}

}  // namespace heapscape::gui
