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

QString ownerText(const Insight& insight) {
  if (insight.owners.empty()) return {};
  const QString first = givenNameText(insight.owners.front().name);
  const std::size_t more = insight.owners.size() - 1;
  return more == 0 ? first : u"%1 and %2 more"_s.arg(first, countText(more));
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
    tip += QLatin1Char('\n') + u"Held by the framework's own types alone: not yours to change."_s;
  return tip;
}

}  // namespace

InsightTreeModel::InsightTreeModel(QObject* parent)
    : TreeModelOf({{u"Insight"_s, u"What costs memory"_s},
                   {u"Bytes"_s, u"What the heap would shrink by"_s, TreeColumn::Look::Figure},
                   {u"Objects"_s, u"How many objects it is about"_s, TreeColumn::Look::Figure},
                   {u"About"_s, u"The type, the member or the text"_s},
                   {u"Held by"_s, u"Who holds most of it"_s}},
                  parent) {}

void InsightTreeModel::show(std::shared_ptr<const FoundInsights> found, InsightTable table) {
  beginResetModel();
  m_found = std::move(found);
  m_table = m_found ? std::move(table) : InsightTable();
  m_mostBytes = 0;
  m_top.children.clear();
  for (const InsightGroup& group : m_table.groups) {
    InsightLine& line = append(m_top, {.group = &group});
    m_mostBytes = std::max(m_mostBytes, group.bytes);
    for (const std::uint32_t row : group.insights) {
      append(line, {.group = &group, .insight = row});
      m_mostBytes = std::max(m_mostBytes, m_found->list.insights[row].bytes);
    }
  }
  endResetModel();
}

const Insight* InsightTreeModel::at(const QModelIndex& index) const {
  const std::optional<std::uint32_t> insight = insightAt(index);
  return insight ? &m_found->list.insights[*insight] : nullptr;
}

QModelIndex InsightTreeModel::indexOf(std::uint32_t insight) const {
  for (const auto& group : m_top.children) {
    const auto line = std::ranges::find(group->children, insight, [](const auto& each) { return each->insight; });
    if (line != group->children.end()) return TreeModelOf::indexOf(**line);
  }
  return {};
}

QVariant InsightTreeModel::cell(const QModelIndex& index, int role) const {
  const auto column = static_cast<InsightColumn>(index.column());
  const Insight* insight = at(index);
  return insight ? insightData(*insight, column, role) : groupData(*nodeOf(index).group, column, role);
}

QVariant InsightTreeModel::groupData(const InsightGroup& group, InsightColumn column, int role) const {
  const bool isBytes = column == InsightColumn::Bytes;
  switch (role) {
    case Qt::DisplayRole:
      if (column == InsightColumn::Title && group.grouping != InsightGrouping::Kind) return insightGroupText(group);
      if (column == InsightColumn::Title)
        return u"%1 · %2"_s.arg(insightKindText(group.kind),  // objects have a column of their own
                                fromEngine(engine::insightGroupTitle(group.kind, group.insights.size(), 0)));
      if (isBytes) return group.bytes == 0 ? QString() : bytesText(group.bytes);
      if (column == InsightColumn::Subject) return insightMeaningText(group.meaning);
      return column == InsightColumn::Objects && group.objects > 0 ? countText(group.objects) : QVariant();
    case Qt::ToolTipRole:
      if (isBytes && group.bytes > 0)
        return u"%1 together, without what other kinds count already"_s.arg(exactBytesText(group.bytes));
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
      return isBytes ? QVariant(shareOfWhole(group.bytes, m_mostBytes)) : QVariant();
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
      return column == InsightColumn::Bytes ? QVariant(shareOfWhole(insight.bytes, m_mostBytes)) : QVariant();
    case kPlainRole:
      return plainOf(insight, column);
    case kDimmedPrefixRole:
    case kShortNameRole:
      return isName ? typeNameData(insight.subject, role) : QVariant();
    default:
      return {};
  }
}

}  // namespace heapscape::gui
